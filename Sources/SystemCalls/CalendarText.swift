import KeyedArchive

/// Writes dates as text, digit by digit, into memory of the caller.
public struct CalendarText {
    /// The maximum length of a text in bytes, whatever the year.
    public static let longest = 48

    private let bytes: UnsafeMutablePointer<UInt8>
    /// Bytes written so far.
    public private(set) var count = 0

    /// A text that begins at `bytes`, which must have room for ``longest`` bytes.
    public init(at bytes: UnsafeMutablePointer<UInt8>) { self.bytes = bytes }

    /// Appends ISO 8601 in UTC with 3, 6 or 9 digits of fraction: `2013-05-01T12:00:00.250Z`.
    public mutating func append(iso time: FileTime) {
        append(secondsSince1970: time.seconds, separator: UInt8(ascii: "T"))
        append(UInt8(ascii: "."))
        let nanoseconds = UInt64(time.nanoseconds)
        if nanoseconds % 1_000_000 == 0 {
            append(nanoseconds / 1_000_000, width: 3)
        } else if nanoseconds % 1_000 == 0 {
            append(nanoseconds / 1_000, width: 6)
        } else {
            append(nanoseconds, width: 9)
        }
        append(UInt8(ascii: "Z"))
    }

    /// Appends year, month, day, hour, minute and second. A year before 0 gets a minus sign.
    public mutating func append(secondsSince1970 seconds: Int64, separator: UInt8) {
        let days = seconds.floorDivided(by: 86_400)
        // Wrapping: the product can overflow near Int64.min, but the difference is always 0 to 86,399.
        let second = UInt64(seconds &- days &* 86_400)
        let date = CivilDate(daysSince1970: days)
        if date.year < 0 { append(UInt8(ascii: "-")) }
        append(date.year.magnitude, width: 4)
        append(UInt8(ascii: "-"))
        append(date.month.magnitude, width: 2)
        append(UInt8(ascii: "-"))
        append(date.day.magnitude, width: 2)
        append(separator)
        append(second / 3600, width: 2)
        append(UInt8(ascii: ":"))
        append(second / 60 % 60, width: 2)
        append(UInt8(ascii: ":"))
        append(second % 60, width: 2)
    }

    private mutating func append(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    /// Appends at least `width` digits, padded with zeros.
    private mutating func append(_ number: UInt64, width: Int) {
        var digits = 1
        var rest = number / 10
        while rest > 0 {
            digits += 1
            rest /= 10
        }
        digits = max(digits, width)
        rest = number
        for place in stride(from: digits - 1, through: 0, by: -1) {
            bytes[count + place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        count += digits
    }
}

extension FileTime: CustomStringConvertible {
    /// ISO 8601 in UTC with 3, 6 or 9 digits of fraction: `2013-05-01T12:00:00.250Z`.
    public var iso: String { Self.text { $0.append(iso: self) } }

    public var description: String { iso }

    /// The text that `body` writes.
    public static func text(_ body: (inout CalendarText) -> Void) -> String {
        String(unsafeUninitializedCapacity: CalendarText.longest) { room in
            guard let start = room.baseAddress else { return 0 }
            var text = CalendarText(at: start)
            body(&text)
            return text.count
        }
    }
}
