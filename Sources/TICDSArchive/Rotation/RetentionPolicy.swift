import KeyedArchive
import SystemCalls

/// Which dated archives stay: the newest of each of the last days, weeks and months that have any. Days begin at midnight,
/// UTC, and weeks on Monday (ISO 8601).
public struct RetentionPolicy: Sendable, Hashable {
    /// Why a dated archive stays.
    public enum Reason: String, Sendable, CaseIterable {
        /// It is the newest of all, or of its day, week or month.
        case newest, daily, weekly, monthly
    }

    /// How many days; nil where days are of no account. The same for weeks and months.
    public var daily: Int?
    /// How many weeks; nil where they are of no account.
    public var weekly: Int?
    /// How many months; nil where they are of no account.
    public var monthly: Int?

    /// Keeps so many of each; everything, unless told otherwise.
    public init(daily: Int? = nil, weekly: Int? = nil, monthly: Int? = nil) {
        self.daily = daily
        self.weekly = weekly
        self.monthly = monthly
    }

    /// True where everything stays.
    public var keepsAll: Bool { daily == nil && weekly == nil && monthly == nil }

    /// The dated archives that stay, each with its reasons; those that are not in it may go. The newest of all always
    /// stays.
    public func kept(_ archives: [DatedArchiveName]) -> [DatedArchiveName: [Reason]] {
        let newestFirst = archives.sorted(by: >)
        var kept: [DatedArchiveName: [Reason]] = [:]
        if let newest = newestFirst.first { kept[newest] = [.newest] }
        if keepsAll {
            for archive in newestFirst.dropFirst() { kept[archive] = [] }
            return kept
        }
        for (reason, count, period) in [
            (Reason.daily, daily, Self.day), (.weekly, weekly, Self.week), (.monthly, monthly, Self.month),
        ] {
            guard let count else { continue }
            var periods: Set<Int64> = []
            for archive in newestFirst where periods.count < count {
                if periods.insert(period(archive.time)).inserted {
                    kept[archive, default: []].append(reason)
                }
            }
        }
        return kept
    }

    private static func day(_ time: FileTime) -> Int64 { time.seconds.dividedDown(by: 86_400) }

    /// 1970-01-01 was a Thursday.
    private static func week(_ time: FileTime) -> Int64 { (day(time) + 3).dividedDown(by: 7) }

    private static func month(_ time: FileTime) -> Int64 {
        let date = CivilDate(daysSince1970: day(time))
        return date.year * 12 + date.month
    }
}
