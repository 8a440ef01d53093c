#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A moment as a file system keeps it: whole seconds and nanoseconds, UTC.
public struct FileTime: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01 00:00:00 UTC; negative before.
    public var seconds: Int64
    /// 0 to 999,999,999, counted forward from `seconds`.
    public var nanoseconds: Int32

    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The moment that is `time` seconds after 2001-01-01 00:00:00 UTC, the zero of Core Data's dates; nil for what
    /// is no number or lies more than 30,000 years away.
    public init?(secondsSince2001 time: Double) {
        guard time.isFinite, abs(time) < 1e12 else { return nil }
        let whole = time.rounded(.down)
        let fraction = Int32(min(((time - whole) * 1e9).rounded(), 999_999_999))
        self.init(seconds: Int64(whole) + Self.secondsFrom1970To2001, nanoseconds: fraction)
    }

    /// Seconds since 2001-01-01 00:00:00 UTC, as Core Data counts; exact to about 0.1 microseconds.
    public var secondsSince2001: Double {
        Double(seconds - Self.secondsFrom1970To2001) + Double(nanoseconds) / 1e9
    }

    /// The time of the system's clock.
    public static var now: FileTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return FileTime(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
    }

    public static func < (one: FileTime, other: FileTime) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }

    /// 978,307,200: from the zero of Unix time to the zero of Core Data's.
    public static let secondsFrom1970To2001: Int64 = 978_307_200
}

extension FileTime: CustomStringConvertible {
    /// ISO 8601 in UTC with nine fractional digits: `2013-05-01T12:00:00.000000000Z`.
    public var description: String { iso8601() }

    /// ISO 8601 in UTC with `digits` (0 to 9) fractional digits, cut off and not rounded.
    public func iso8601(digits: Int = 9) -> String {
        let day = seconds.floorDivided(by: 86_400)
        let second = seconds - day * 86_400
        let date = CivilDay(daysSince1970: day)
        var text = date.year.padded(4) + "-" + date.month.padded(2) + "-" + date.day.padded(2)
        text +=
            "T" + (second / 3600).padded(2) + ":" + (second / 60 % 60).padded(2) + ":"
            + (second % 60).padded(2)
        if digits > 0 { text += "." + Int64(nanoseconds).padded(9).prefix(digits) }
        return text + "Z"
    }
}

/// A day of the Gregorian calendar, worked out from its number by counting 400-year cycles that begin in March.
struct CivilDay {
    var year: Int64
    var month: Int64
    var day: Int64

    init(daysSince1970: Int64) {
        let sinceMarchOfYear0 = daysSince1970 + 719_468
        let cycle = sinceMarchOfYear0.floorDivided(by: 146_097)
        let dayOfCycle = sinceMarchOfYear0 - cycle * 146_097
        let leapDays = dayOfCycle / 1460 - dayOfCycle / 36_524 + dayOfCycle / 146_096
        let yearOfCycle = (dayOfCycle - leapDays) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
    }
}

extension Int64 {
    func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    /// Decimal text of at least `width` digits.
    func padded(_ width: Int) -> String {
        let digits = String(magnitude)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.count))
            + digits
    }
}
