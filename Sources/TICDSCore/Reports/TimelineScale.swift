import Base
public import SystemCalls

/// A division of time into columns that all begin with a unit of the calendar, in UTC.
public struct TimelineScale: Hashable, Sendable {
    /// The unit with which a column begins.
    public enum Unit: String, CaseIterable, Sendable {
        /// An hour, or a day from midnight to midnight.
        case hour, day
        /// A week from Monday to Sunday.
        case week
        /// A calendar month or year.
        case month, year
    }

    /// A column in which a larger unit begins, and the name of that unit: `May`, `2013`.
    public struct Tick: Hashable, Sendable {
        /// Position of the column, from 0.
        public var column: Int
        /// The text under the column.
        public var label: String
    }

    /// The unit with which columns begin.
    public let unit: Unit
    /// The number of units in a column: 1, or for years 1, 10, 100 and so on.
    public let step: Int
    /// The beginning of each column.
    public let starts: [FileTime]
    /// The end of the last column.
    public let end: FileTime

    /// The finest scale that shows both times in at most `columns` columns, of which there is always one. Times beyond
    /// a hundred thousand years are limited to the last that can be shown.
    public init(from first: FileTime, through last: FileTime, columns: Int) {
        let first = Self.tamed(first)
        let last = max(first, Self.tamed(last))
        for unit in Unit.allCases {
            if let scale = Self(unit, 1, first, last, limit: columns) {
                self = scale
                return
            }
        }
        var step = 10
        // ends: when a column is longer than all years of files
        while true {
            if let scale = Self(.year, step, first, last, limit: max(columns, 4)) {
                self = scale
                return
            }
            step *= 10
        }
    }

    private init?(_ unit: Unit, _ step: Int, _ first: FileTime, _ last: FileTime, limit: Int) {
        var starts: [FileTime] = []
        var next = Self.start(of: unit, step, around: first)
        // ends: at the limit of columns
        repeat {
            if starts.count == max(limit, 1) { return nil }
            starts.append(next)
            next = Self.start(of: unit, step, after: next)
        } while next <= last
        self.unit = unit
        self.step = step
        self.starts = starts
        end = next
    }

    /// The column that contains a time; nil for a time outside all of them.
    public func column(of time: FileTime) -> Int? {
        guard time < end, let first = starts.first, time >= first else { return nil }
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= time { low = middle } else { high = middle }
        }
        return low
    }

    /// `hour`, `week`, `10 years`
    public var columnName: String { step == 1 ? unit.rawValue : "\(step) years" }

    /// The columns in which the next larger unit begins, and the first column.
    public var ticks: [Tick] {
        starts.indices.compactMap { column in
            let date = Self.date(of: starts[column])
            let label = label(date)
            if column > 0, label == self.label(Self.date(of: starts[column - 1])) { return nil }
            return Tick(column: column, label: label)
        }
    }

    private func label(_ date: CivilDate) -> String {
        let month = Self.months[Int(date.month) - 1]
        switch unit {
        case .hour: return "\(date.day) \(month)"
        case .day, .week: return date.month == 1 ? "\(date.year)" : month
        case .month, .year: return "\(date.year)"
        }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let secondsPerDay: Int64 = 86_400
    /// About a hundred thousand years before and after 1970.
    private static let farthest: Int64 = 3_155_760_000_000

    private static func tamed(_ time: FileTime) -> FileTime {
        FileTime(seconds: min(max(time.seconds, -farthest), farthest), nanoseconds: time.nanoseconds)
    }

    private static func date(of time: FileTime) -> CivilDate {
        CivilDate(daysSince1970: time.seconds.floorDivided(by: secondsPerDay))
    }

    private static func start(of unit: Unit, _ step: Int, around time: FileTime) -> FileTime {
        let day = time.seconds.floorDivided(by: secondsPerDay)
        let date = date(of: time)
        switch unit {
        case .hour: return FileTime(seconds: time.seconds.floorDivided(by: 3_600) * 3_600)
        case .day: return start(ofDay: day)
        // The first of January 1970 was a Thursday.
        case .week: return start(ofDay: (day + 3).floorDivided(by: 7) * 7 - 3)
        case .month: return start(ofYear: date.year, month: date.month)
        case .year: return start(ofYear: date.year.floorDivided(by: Int64(step)) * Int64(step), month: 1)
        }
    }

    private static func start(of unit: Unit, _ step: Int, after start: FileTime) -> FileTime {
        let date = date(of: start)
        switch unit {
        case .hour: return FileTime(seconds: start.seconds + 3_600)  // bounded: tamed
        case .day: return FileTime(seconds: start.seconds + secondsPerDay)  // bounded: tamed
        case .week: return FileTime(seconds: start.seconds + 7 * secondsPerDay)  // bounded: tamed
        case .month:
            let isLast = date.month == 12
            return self.start(ofYear: date.year + (isLast ? 1 : 0), month: isLast ? 1 : date.month + 1)
        case .year: return self.start(ofYear: date.year + Int64(step), month: 1)
        }
    }

    private static func start(ofDay day: Int64) -> FileTime { FileTime(seconds: day * secondsPerDay) }

    private static func start(ofYear year: Int64, month: Int64) -> FileTime {
        // Every calendar year contains the first of each month.
        let date = CivilDate(year: Int(year), month: Int(month), day: 1)
        return start(ofDay: date?.daysSince1970 ?? 0)
    }
}
