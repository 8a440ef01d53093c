import Base
import Glibc

/// A time as file systems store it: seconds and nanoseconds, UTC.
public struct FileTime: Hashable, Comparable, Sendable {
    /// The seconds from the Unix epoch to the reference date of Core Data.
    public static let secondsFrom1970To2001: Int64 = 978_307_200

    /// Seconds since 1970-01-01 00:00:00 UTC; negative before.
    public let seconds: Int64
    /// The nanoseconds, 0 to 999,999,999; always counted forward from `seconds`.
    public let nanoseconds: Int32

    /// A time from the two numbers of a `timespec`; `nanoseconds` is clamped to its range.
    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = min(max(nanoseconds, 0), 999_999_999)
    }

    /// The time `time` seconds after 2001-01-01 00:00:00 UTC, the reference date of Core Data; nil for NaN, infinity,
    /// and more than some hundred million years. The fraction has the precision of the number: 3, 6 or 9 digits.
    public init?(secondsSince2001 time: Double) {
        guard time.isFinite, abs(time) < 1e16 else { return nil }  // bounded: a fraction has no least number
        let whole = time.rounded(.down)
        let fraction = Self.nanoseconds(time, above: whole)
        let carry: Int64 = fraction == 1_000_000_000 ? 1 : 0
        self.init(
            seconds: Int64(whole) + Self.secondsFrom1970To2001 + carry,
            nanoseconds: carry == 1 ? 0 : Int32(clamping: fraction))
    }

    /// The time whose ``iso`` reads back as exactly the number `time` of seconds since 2001; nil if no text of a year of four
    /// digits and nanoseconds does.
    package init?(exactSecondsSince2001 time: Double) {
        self.init(secondsSince2001: time)
        guard hasFourDigitYear, secondsSince2001.bitPattern == time.bitPattern else { return nil }
    }

    /// The fraction, rounded to the coarsest of milli-, micro- and nanoseconds that reproduces `number`.
    private static func nanoseconds(_ number: Double, above whole: Double) -> Int {
        let fraction = number - whole
        for scale in [1e3, 1e6] {
            let units = (fraction * scale).rounded()
            // bounded: at most a second
            if whole + units / scale == number { return Int(units) * Int(1e9 / scale) }
        }
        return Int((fraction * 1e9).rounded())  // bounded: at most a second
    }

    /// Seconds since 2001-01-01 00:00:00 UTC, as Core Data stores dates; exact to about 0.1 microseconds.
    public var secondsSince2001: Double {
        Double(seconds -| Self.secondsFrom1970To2001) + Double(nanoseconds) / 1e9
    }

    /// Whether the year has four digits; for others, ISO 8601 requires an agreement on more digits.
    package var hasFourDigitYear: Bool { seconds >= -62_135_596_800 && seconds <= 253_402_300_799 }

    /// Whole seconds from `other` to this time, without the fractions. Saturates at 64 bits.
    public func seconds(since other: FileTime) -> Int64 { seconds -| other.seconds }

    /// The time `count` seconds later. Saturates at ``first`` and ``last``.
    public func adding(seconds count: Int64) -> FileTime {
        let (sum, overflow) = seconds.addingReportingOverflow(count)
        guard overflow else { return FileTime(seconds: sum, nanoseconds: nanoseconds) }
        return count < 0 ? .first : .last
    }

    /// The earliest time that the type can hold.
    public static let first = FileTime(seconds: .min)
    /// The latest time that the type can hold.
    public static let last = FileTime(seconds: .max, nanoseconds: 999_999_999)

    /// The current time of the system clock (CLOCK_REALTIME).
    public static var now: FileTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return FileTime(seconds: Int64(time.tv_sec), nanoseconds: Int32(clamping: time.tv_nsec))
    }

    /// Sleeps until the next full second of the system clock.
    public static func awaitNextSecond() {
        usleep(UInt32(1_000_000_000 - now.nanoseconds) / 1_000 + 1)  // bounded: 0 to 999,999,999
    }

    public static func < (one: FileTime, other: FileTime) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }

    /// Parses a time in the form that ``iso`` writes: a year of at least four digits, perhaps with a minus sign, and up
    /// to nine digits of fraction, UTC. Nil for any other text, and for a time beyond 64 bits of seconds.
    public init?(iso: String) {
        var text = iso
        guard let time = text.withUTF8({ FileTime(iso: $0) }) else { return nil }
        self = time
    }

    /// Parses a time from UTF-8.
    package init?(iso text: UnsafeBufferPointer<UInt8>) {
        var text = DatePieces(rest: text[...])
        let sign = text.take("-") ? -1 : 1
        guard let year = text.number(4...12), text.take("-"), let month = text.number(2...2), text.take("-"),
            let day = text.number(2...2), text.take("T"),
            let hour = text.number(2...2), text.take(":"), let minute = text.number(2...2), text.take(":"),
            let second = text.number(2...2), hour < 24, minute < 60, second < 60,
            let date = CivilDate(year: sign * year, month: month, day: day)
        else { return nil }
        var nanoseconds = 0
        if text.take(".") {
            let length = text.rest.count
            guard let fraction = text.number(1...9) else { return nil }
            let digits = length - text.rest.count
            nanoseconds = (digits..<9).reduce(fraction) { number, _ in number * 10 }
        }
        guard text.take("Z"), text.rest.isEmpty else { return nil }
        // 128 bits: midnight of the first day is before the first representable second.
        let seconds = Int128(date.daysSince1970) * 86_400 + Int128(hour * 3_600 + minute * 60 + second)
        guard let seconds = Int64(exactly: seconds) else { return nil }
        self.init(seconds: seconds, nanoseconds: Int32(clamping: nanoseconds))
    }
}

/// Reads a date from its beginning on.
private struct DatePieces {
    var rest: Slice<UnsafeBufferPointer<UInt8>>

    /// Advances past this sign if it comes next; returns false otherwise.
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Reads the next decimal digits, whose number must be in `lengths`, at most 18.
    mutating func number(_ lengths: ClosedRange<Int>) -> Int? {
        var number = 0
        var count = 0
        while let digit = rest.first, (48...57).contains(digit) {
            count += 1
            guard count <= lengths.upperBound else { return nil }
            number = number * 10 + Int(digit - 48)
            rest = rest.dropFirst()
        }
        return count < lengths.lowerBound ? nil : number
    }
}

/// Writes dates as text, digit by digit, into memory of the caller.
public struct CalendarText {
    /// The maximum length of a text in bytes, for any year.
    public static let longest = 48

    private let bytes: UnsafeMutablePointer<UInt8>
    /// The number of bytes written so far.
    public private(set) var count = 0

    /// A text that begins at `bytes`, which must have space for ``longest`` bytes.
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
