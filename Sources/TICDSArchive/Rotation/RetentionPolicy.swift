import KeyedArchive
import SystemCalls

/// Which dated archives are kept: the newest of each of the last days, weeks and months that have any. Days begin at
/// midnight UTC, and weeks on Monday (ISO 8601).
public struct RetentionPolicy: Sendable, Hashable {
    /// Why a dated archive is kept.
    public enum Reason: String, Sendable, CaseIterable {
        /// It is the newest of all, or of its day, week or month.
        case newest, daily, weekly, monthly
    }

    /// For how many days an archive is kept; nil for no rule.
    public var daily: Int?
    /// For how many weeks an archive is kept; nil for no rule.
    public var weekly: Int?
    /// For how many months an archive is kept; nil for no rule.
    public var monthly: Int?

    /// A policy with these rules; without any rule it keeps every archive.
    public init(daily: Int? = nil, weekly: Int? = nil, monthly: Int? = nil) {
        self.daily = daily
        self.weekly = weekly
        self.monthly = monthly
    }

    /// Whether the policy has no rule and keeps every archive.
    public var keepsAll: Bool { daily == nil && weekly == nil && monthly == nil }

    /// The dated archives to keep, each with its reasons; the others may be removed. The newest archive is always kept.
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

    private static func day(_ time: FileTime) -> Int64 { time.seconds.floorDivided(by: 86_400) }

    /// 1970-01-01 was a Thursday.
    private static func week(_ time: FileTime) -> Int64 { (day(time) + 3).floorDivided(by: 7) }

    private static func month(_ time: FileTime) -> Int64 {
        let date = CivilDate(daysSince1970: day(time))
        return date.year * 12 + date.month
    }
}
