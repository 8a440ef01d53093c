/// Calendar fields of a count of seconds, in the proleptic Gregorian calendar and without time zone.
struct CivilDate {
    let year: Int64
    let month: Int
    let day: Int
    let secondOfDay: Int

    /// Counts the years from the first of March, so that the leap day comes last, and in eras of 400 years.
    init(secondsSince1970 seconds: Int64) {
        let days = Self.floorDivide(seconds, 86_400)
        secondOfDay = Int(seconds - days * 86_400)
        let daysSinceMarchOfYear0 = days + 719_468
        let era = Self.floorDivide(daysSinceMarchOfYear0, 146_097)
        let dayOfEra = daysSinceMarchOfYear0 - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = Int(dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100))
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }
}
