public import SystemCalls

/// Times for people.
extension FileTime {
    /// Local date and time to the minute: `2013-05-01 14:03`.
    public var local: String { String(localSeconds.prefix(16)) }

    /// Local date and time to the second: `2013-05-01 14:03:22`.
    public var localSeconds: String {
        Self.text { $0.append(secondsSince1970: seconds + localOffset, separator: UInt8(ascii: " ")) }
    }

    /// The distance from `now` in its largest unit: `just now`, `5 minutes ago`, `in 2 days`.
    public func relative(to now: FileTime = .now) -> String {
        let distance = now.seconds - seconds
        let units: [(seconds: Int64, name: String)] = [
            (31_556_952, "year"), (2_629_746, "month"), (86_400, "day"), (3_600, "hour"), (60, "minute"),
        ]
        for unit in units where distance.magnitude >= unit.seconds {
            let text = Quantities.count(Int(distance.magnitude) / Int(unit.seconds), unit.name)
            return distance > 0 ? text + " ago" : "in " + text
        }
        return "just now"
    }
}

extension FileTime {
    /// False where ISO 8601 needs an agreement on more digits.
    var hasFourDigitYear: Bool { seconds >= -62_135_596_800 && seconds <= 253_402_300_799 }
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
