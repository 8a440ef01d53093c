import SystemCalls
import Testing
import TICDSCore

@Suite struct TimelineScaleTests {
    private func time(_ iso: String) throws -> FileTime { try #require(FileTime(iso: iso + "Z")) }

    private func scale(_ first: String, _ last: String, _ columns: Int) throws -> TimelineScale {
        TimelineScale(from: try time(first), through: try time(last), columns: columns)
    }

    /// The finest fitting unit is used, and the columns begin and end with the calendar.
    @Test(arguments: [
        (
            "2013-03-04T22:10:00", "2013-03-05T01:00:00", 4, "hour", 4, "2013-03-04T22:00:00",
            "2013-03-05T02:00:00"
        ),
        (
            "2013-03-04T22:10:00", "2013-03-05T02:00:00", 4, "day", 2, "2013-03-04T00:00:00",
            "2013-03-06T00:00:00"
        ),
        (
            "2012-02-27T12:00:00", "2012-03-01T00:00:00", 4, "day", 4, "2012-02-27T00:00:00",
            "2012-03-02T00:00:00"
        ),
        (
            "2013-03-10T23:59:59", "2013-03-18T00:00:00", 5, "week", 3, "2013-03-04T00:00:00",
            "2013-03-25T00:00:00"
        ),
        (
            "2012-12-31T00:00:00", "2013-03-31T00:00:00", 4, "month", 4, "2012-12-01T00:00:00",
            "2013-04-01T00:00:00"
        ),
        (
            "2010-05-05T00:00:00", "2013-01-01T00:00:00", 4, "year", 4, "2010-01-01T00:00:00",
            "2014-01-01T00:00:00"
        ),
        (
            "2009-05-05T00:00:00", "2013-01-01T00:00:00", 4, "year", 2, "2000-01-01T00:00:00",
            "2020-01-01T00:00:00"
        ),
    ])
    func takesTheFinestUnit(
        first: String, last: String, columns: Int, unit: String, count: Int, start: String, end: String
    ) throws {
        let scale = try scale(first, last, columns)
        #expect(scale.unit.rawValue == unit && scale.starts.count == count)
        #expect(try scale.starts.first == time(start) && scale.end == time(end))
        #expect(try scale.column(of: time(first)) == 0)
        #expect(try scale.column(of: time(last)) == count - 1)
    }

    @Test func columnsOfTimes() throws {
        let scale = try scale("2013-03-04T00:00:00", "2013-03-20T00:00:00", 3)
        #expect(scale.unit == .week && scale.starts.count == 3)
        #expect(try scale.column(of: time("2013-03-03T23:59:59")) == nil)
        #expect(try scale.column(of: time("2013-03-10T23:59:59")) == 0)
        #expect(try scale.column(of: time("2013-03-11T00:00:00")) == 1)
        #expect(try scale.column(of: time("2013-03-25T00:00:00")) == nil)
    }

    @Test func ticksWhereTheLargerUnitBegins() throws {
        let days = try scale("2012-12-30T00:00:00", "2013-02-01T00:00:00", 40)
        #expect(days.ticks.map(\.label) == ["Dec", "2013", "Feb"])
        #expect(days.ticks.map(\.column) == [0, 2, 33])
        let hours = try scale("2012-12-31T23:00:00", "2013-01-01T00:00:00", 40)
        #expect(hours.ticks.map(\.label) == ["31 Dec", "1 Jan"])
        let years = try scale("1995-01-01T00:00:00", "2031-01-01T00:00:00", 4)
        #expect(years.step == 100 && years.columnName == "100 years")
        #expect(years.ticks.map(\.label) == ["1900", "2000"])
    }

    /// For any distance of the times, there are few columns, and the first time is not after the last.
    @Test func timesOfAnySize() throws {
        for (first, last) in [(Int64.min, Int64.max), (Int64.max, Int64.max), (0, Int64.min), (Int64.min, 0)]
        {
            let scale = TimelineScale(
                from: FileTime(seconds: first), through: FileTime(seconds: last), columns: 1)
            #expect((1...4).contains(scale.starts.count))
            #expect(
                scale.starts == scale.starts.sorted() && (scale.starts.last.map { $0 < scale.end } ?? false))
        }
    }
}
