import Base
import Testing

@Suite struct NumberTests {
    @Test func overflowClamps() {
        #expect(Int64.max +| 1 == .max)
        #expect(Int64.min +| -1 == .min)
        #expect(Int64.min -| 1 == .min)
        #expect(0 -| Int64.min == .max)
        #expect(Int64.min *| -1 == .max)
        #expect(Int64.max *| -2 == .min)
        #expect(2 *| 3 +| 4 -| 1 == 9)
    }

    @Test(arguments: [
        (Double.nan, Int32(0)), (.infinity, .max), (-.infinity, .min), (3e9, .max), (-3e9, .min), (-1.9, -1),
        (1.9, 1),
    ])
    func realNumbersClamp(number: Double, expected: Int32) { #expect(Int32(saturating: number) == expected) }

    @Test(arguments: [
        (0, 1970, 1, 1), (11_323, 2001, 1, 1), (-1, 1969, 12, 31), (11_016, 2000, 2, 29), (-719_528, 0, 1, 1),
    ])
    func daysBecomeDates(days: Int64, year: Int, month: Int, day: Int) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(CivilDate(daysSince1970: days) == date)
        #expect(date.daysSince1970 == days)
    }

    @Test func impossibleDatesAreRefused() {
        #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
        #expect(CivilDate(year: 2001, month: 13, day: 1) == nil)
        #expect(CivilDate(year: 1_000_000_000_000, month: 1, day: 1) == nil)
    }
}
