/// A point in time to the nanosecond, and its calendar fields in UTC (proleptic Gregorian).
public struct Moment: Sendable, Hashable, Comparable {
    /// Seconds from 1970-01-01 00:00:00 UTC to 2001-01-01 00:00:00 UTC.
    public static let secondsFrom1970To2001: Int64 = 978_307_200

    /// Whole seconds since 1970-01-01 00:00:00 UTC, rounded down.
    public let seconds: Int64
    /// What is left, 0 to 999,999,999.
    public let nanoseconds: Int32

    /// A time as file systems tell it.
    public init(secondsSince1970 seconds: Int64, nanoseconds: Int = 0) {
        self.seconds = seconds
        self.nanoseconds = Int32(clamping: min(max(nanoseconds, 0), 999_999_999))
    }

    /// A time as Foundation stores it; nil when not finite or some hundred million years away.
    /// The fraction has as many digits as the number needs: 3, 6 or 9.
    public init?(secondsSince2001 number: Double) {
        guard number.isFinite, abs(number) < 1e16 else { return nil }
        let whole = number.rounded(.down)
        let fraction = Self.nanoseconds(number, above: whole)
        let carry: Int64 = fraction == 1_000_000_000 ? 1 : 0
        seconds = Int64(whole) + Self.secondsFrom1970To2001 + carry
        nanoseconds = carry == 1 ? 0 : Int32(fraction)
    }

    /// The coarsest of milliseconds, microseconds and nanoseconds that gives `number` back.
    private static func nanoseconds(_ number: Double, above whole: Double) -> Int {
        let fraction = number - whole
        for scale in [1e3, 1e6] {
            let units = (fraction * scale).rounded()
            if whole + units / scale == number { return Int(units) * Int(1e9 / scale) }
        }
        return Int((fraction * 1e9).rounded())
    }

    public static func < (one: Moment, other: Moment) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }

    /// ISO 8601 in UTC with 3, 6 or 9 digits of fraction: `2013-05-01T12:00:00.250Z`.
    public var iso: String {
        var output = OutputBuffer(nil)
        output.append(iso: self)
        return output.collectedText
    }

    /// False where ISO 8601 needs an agreement on more digits.
    var hasFourDigitYear: Bool { seconds >= -62_135_596_800 && seconds <= 253_402_300_799 }
}

extension OutputBuffer {
    mutating func appendQuoted(iso moment: Moment) {
        append(byte: 0x22)
        append(iso: moment)
        append(byte: 0x22)
    }

    /// Appends a moment as ISO 8601 text.
    mutating func append(iso moment: Moment) {
        append(calendar: moment.seconds, separator: 0x54)
        append(byte: 0x2E)
        let nanoseconds = UInt64(moment.nanoseconds)
        if nanoseconds % 1_000_000 == 0 {
            append(digits: nanoseconds / 1_000_000, width: 3)
        } else if nanoseconds % 1_000 == 0 {
            append(digits: nanoseconds / 1_000, width: 6)
        } else {
            append(digits: nanoseconds, width: 9)
        }
        append(byte: 0x5A)
    }

    /// Appends year, month, day, hour, minute and second. A year before 0 gets a minus sign.
    mutating func append(calendar seconds: Int64, separator: UInt8) {
        let date = CivilDate(secondsSince1970: seconds)
        if date.year < 0 { append(byte: 0x2D) }
        append(digits: date.year.magnitude, width: 4)
        append(byte: 0x2D)
        append(digits: UInt64(date.month), width: 2)
        append(byte: 0x2D)
        append(digits: UInt64(date.day), width: 2)
        append(byte: separator)
        append(digits: UInt64(date.secondOfDay / 3600), width: 2)
        append(byte: 0x3A)
        append(digits: UInt64(date.secondOfDay / 60 % 60), width: 2)
        append(byte: 0x3A)
        append(digits: UInt64(date.secondOfDay % 60), width: 2)
    }
}
