import Foundation
import SystemCalls
import TestSupport
import Testing
import TICDSArchive
import TICDSCore

/// What stays is what a calendar of other people's making says.
@Suite struct SnapshotRetentionTests {
    private static func snapshots(_ count: Int, _ random: inout RandomNumbers) -> [SnapshotName] {
        (0..<count).map { _ in
            let seconds = 1_700_000_000 + Int64(random.next() % 40_000_000)
            return SnapshotName("app", "0123456789abcdef", FileTime(seconds: seconds), .zstd)
        }
    }

    /// The newest of each of the last `count` periods, told by Foundation's calendar.
    private static func expected(
        _ snapshots: [SnapshotName], _ count: Int?, _ units: Set<Calendar.Component>
    ) -> Set<SnapshotName> {
        guard let count else { return [] }
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .gmt
        let groups = Dictionary(grouping: snapshots) { snapshot in
            calendar.dateComponents(
                units, from: Date(timeIntervalSince1970: Double(snapshot.time.seconds)))
        }
        return Set(groups.values.compactMap { $0.max() }.sorted(by: >).prefix(count))
    }

    @Test func agreesWithTheCalendar() {
        var random = RandomNumbers()
        for trial in 0..<200 {
            let snapshots = Set(Self.snapshots(1 + trial, &random))
            func number() -> Int? { random.next() % 4 == 0 ? nil : 1 + Int(random.next() % 20) }
            let retention = SnapshotRetention(daily: number(), weekly: number(), monthly: number())
            let kept = retention.kept(Array(snapshots))
            if retention.keepsAll {
                #expect(Set(kept.keys) == snapshots)
                continue
            }
            let all = Array(snapshots)
            let wanted = Self.expected(all, retention.daily, [.year, .month, .day])
                .union(Self.expected(all, retention.weekly, [.yearForWeekOfYear, .weekOfYear]))
                .union(Self.expected(all, retention.monthly, [.year, .month]))
                .union(all.max().map { [$0] } ?? [])
            #expect(Set(kept.keys) == wanted, "\(retention)")
        }
    }

    @Test func tellsWhy() {
        let times: [Int64] = [1_767_225_600, 1_767_225_599, 1_767_139_200, 1_764_547_200]
        let snapshots = times.map { SnapshotName("app", "0123456789abcdef", FileTime(seconds: $0), .zip) }
        let kept = SnapshotRetention(daily: 1, weekly: 1, monthly: 2).kept(snapshots)
        // 2026-01-01 00:00:00 (a Thursday) and the second before it are of one week.
        #expect(kept == [snapshots[0]: [.newest, .daily, .weekly, .monthly], snapshots[1]: [.monthly]])
        #expect(SnapshotRetention().kept(snapshots).count == 4)
        #expect(SnapshotRetention(daily: 5).kept([]).isEmpty)
    }
}
