import Base
package import SystemCalls
package import TICDSCore

/// Times and sizes for people.
extension TextStyle {
    /// Date and time to the minute: `2013-05-01 14:03`.
    package func minute(_ time: FileTime) -> String { isISO ? iso(time) : String(second(time).prefix(16)) }

    /// Date and time to the second: `2013-05-01 14:03:22`.
    package func second(_ time: FileTime) -> String {
        isISO ? iso(time) : time.calendar(offset: offset(time), separator: " ")
    }

    /// Date and time to the minute, and how long that is from now: `2013-05-01 14:03 (8 years ago)`.
    package func minuteWithAge(_ time: FileTime, now: FileTime = .now) -> String {
        isISO ? iso(time) : "\(minute(time)) (\(time.relative(to: now)))"
    }

    /// Date and time to the second, and how long that is from now: `2013-05-01 14:03:22 (8 years ago)`.
    package func secondWithAge(_ time: FileTime) -> String {
        isISO ? iso(time) : "\(second(time)) (\(time.relative()))"
    }

    /// A size in bytes with a decimal unit: "0 B", "999 B", "1.4 MB", "23 MB"; to the byte, "1,400,000 B", if the style
    /// says so.
    package func size(_ bytes: some BinaryInteger) -> String {
        guard bytes.magnitude >= 1000, !hasExactSizes else { return "\(Quantities.count(Int(bytes))) B" }
        return sized(bytes)
    }

    /// A size for a cell, marked where there may be more.
    package func size(_ bytes: Seen<Int64>) -> String {
        Quantities.marked(bytes.map { $0 == 0 ? nil : size($0) }, none: size(Int64(0)))
    }

    /// ISO 8601 to the second, with `Z` or the distance from UTC: `2013-05-01T14:03:22+02:00`.
    private func iso(_ time: FileTime) -> String {
        let offset = offset(time)
        return time.calendar(offset: offset, separator: "T") + (isUTC ? "Z" : FileTime.zone(offset))
    }

    private func offset(_ time: FileTime) -> Int64 { isUTC ? 0 : time.localOffset }
}

extension FileTime {
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

    fileprivate func calendar(offset: Int64, separator: Unicode.Scalar) -> String {
        Self.text { $0.append(secondsSince1970: seconds +| offset, separator: UInt8(ascii: separator)) }
    }

    /// Hours and minutes by which a zone is ahead of UTC: `+02:00`.
    fileprivate static func zone(_ offset: Int64) -> String {
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

    /// A number of things for a cell; with a plus sign where there may be more, and empty where none was seen then.
    package static func count(_ number: Seen<Int>) -> String {
        marked(number.map { $0 == 0 ? nil : count($0) }, none: "0")
    }

    fileprivate static func marked(_ text: Seen<String?>, none: String) -> String {
        text.isWhole ? text.part ?? none : text.part.map { $0 + "+" } ?? ""
    }

    /// A count with its noun for a sentence: "3 change sets", "3+ change sets" where there may be more.
    package static func count(_ number: Seen<Int>, _ singular: String) -> String {
        number.isWhole ? count(number.part, singular) : "\(count(number.part))+ \(singular)s"
    }
}

extension FileProblem {
    /// A sentence in the place of one that says that there is nothing, where this problem hides whether there is.
    package var doubt: String {
        "None was seen, but there may be some: \(path.escaped) could not be read."
    }
}
