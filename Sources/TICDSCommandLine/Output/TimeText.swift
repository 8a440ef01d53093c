import Base
import TICDSCore
package import SystemCalls

/// Times for people, in the style of the process: local or UTC, and ISO 8601 on request.
extension FileTime {
    /// Date and time to the minute: `2013-05-01 14:03`.
    package var local: String { minute(.current) }

    /// Date and time to the second: `2013-05-01 14:03:22`.
    package var localSeconds: String { second(.current) }

    /// Date and time to the minute, and how long that is from now: `2013-05-01 14:03 (8 years ago)`.
    package var withAge: String { minuteWithAge(.current) }

    /// Date and time to the second, and how long that is from now: `2013-05-01 14:03:22 (8 years ago)`.
    package var secondsWithAge: String {
        let style = TextStyle.current
        return style.isISO ? iso(style) : "\(second(style)) (\(relative()))"
    }

    func minute(_ style: TextStyle) -> String { style.isISO ? iso(style) : String(second(style).prefix(16)) }

    func second(_ style: TextStyle) -> String {
        style.isISO ? iso(style) : calendar(offset: offset(style), separator: " ")
    }

    func minuteWithAge(_ style: TextStyle, now: FileTime = .now) -> String {
        style.isISO ? iso(style) : "\(minute(style)) (\(relative(to: now)))"
    }

    /// The distance from `now` in its largest unit: `just now`, `5 minutes ago`, `in 2 days`.
    package func relative(to now: FileTime = .now) -> String {
        let distance = now.seconds(since: self)
        let units: [(seconds: UInt64, name: String)] = [
            (31_556_952, "year"), (2_629_746, "month"), (86_400, "day"), (3_600, "hour"), (60, "minute"),
        ]
        for unit in units where distance.magnitude >= unit.seconds {
            let text = Quantities.count(Int(clamping: distance.magnitude / unit.seconds), unit.name)
            return distance > 0 ? text + " ago" : "in " + text
        }
        return "just now"
    }

    /// ISO 8601 to the second, with `Z` or the distance from UTC: `2013-05-01T14:03:22+02:00`.
    private func iso(_ style: TextStyle) -> String {
        let offset = offset(style)
        return calendar(offset: offset, separator: "T") + (style.isUTC ? "Z" : Self.zone(offset))
    }

    private func offset(_ style: TextStyle) -> Int64 { style.isUTC ? 0 : localOffset }

    private func calendar(offset: Int64, separator: Unicode.Scalar) -> String {
        Self.text { $0.append(secondsSince1970: seconds +| offset, separator: UInt8(ascii: separator)) }
    }

    /// Hours and minutes by which a zone is ahead of UTC: `+02:00`.
    private static func zone(_ offset: Int64) -> String {
        let minutes = Int(offset.magnitude / 60)
        let digits = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return (offset < 0 ? "-" : "+") + digits.joined(separator: ":")
    }
}

extension OutputBuffer {
    /// Appends a time as ISO 8601 text between quotation marks.
    mutating func appendQuoted(iso time: FileTime) {
        append(byte: UInt8(ascii: "\""))
        fill(CalendarText.longest) { bytes in
            var text = CalendarText(at: bytes)
            text.append(iso: time)
            return text.count
        }
        append(byte: UInt8(ascii: "\""))
    }
}

/// Sizes and counts for people.
package enum Quantities {
    /// A size in bytes with a decimal unit: "0 B", "999 B", "1.4 MB", "23 MB"; to the byte, "1,400,000 B", if the style
    /// says so.
    package static func size(_ bytes: some BinaryInteger, _ style: TextStyle = .current) -> String {
        guard bytes.magnitude >= 1000, !style.hasExactSizes else { return "\(count(Int(bytes))) B" }
        return sized(bytes)
    }

    /// A count with a comma every three digits: "100,000".
    package static func count(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    /// A count with its noun: "1 change set", "3 change sets", "2 entries".
    package static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        count(number) + " " + (number == 1 ? singular : plural ?? singular + "s")
    }
}
