/// A day of the proleptic Gregorian calendar.
///
/// The conversion counts years from 1 March, so that the leap day comes last, in cycles of 400 years.
public struct CivilDate: Hashable, Sendable {
    /// The year; 0 is the year before 1 (1 BC).
    public let year: Int64
    /// The month, 1 to 12.
    public let month: Int64
    /// The day, 1 to 31.
    public let day: Int64

    /// The day `days` days after 1970-01-01.
    public init(daysSince1970 days: Int64) {
        let daysSinceMarchOfYear0 = days +| Self.daysFromMarchOfYear0To1970
        let cycle = daysSinceMarchOfYear0.floorDivided(by: 146_097)
        let dayOfCycle = daysSinceMarchOfYear0 - cycle * 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
    }

    /// The permitted years: any time in 64 bits of seconds has a year of at most twelve digits.
    private static let years = -999_999_999_999...999_999_999_999

    /// A day; nil if the calendar has no such day, or the year has more than twelve digits.
    public init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        self.year = Int64(year)
        self.month = Int64(month)
        self.day = Int64(day)
        guard self == CivilDate(daysSince1970: daysSince1970) else { return nil }
    }

    /// The number of days from 1970-01-01 to this day.
    public var daysSince1970: Int64 {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let monthFromMarch = month <= 2 ? month + 9 : month - 3
        let cycle = yearFromMarch.floorDivided(by: 400)
        let yearOfCycle = yearFromMarch - cycle * 400
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        return cycle * 146_097 + dayOfCycle - Self.daysFromMarchOfYear0To1970
    }

    package static let daysFrom1970To2001: Int64 = 11_323
    private static let daysFromMarchOfYear0To1970: Int64 = 719_468
}

extension Int64 {
    /// The quotient rounded towards negative infinity.
    @inlinable
    public func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
