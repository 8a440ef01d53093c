import Foundation
import SystemCalls
import TestSupport
import Testing
import TICDSArchive
import TICDSCore

/// The kept archives agree with a calendar of a different library.
@Suite struct RetentionPolicyTests {
    private static func archives(_ count: Int, _ random: inout RandomNumbers) -> [DatedArchiveName] {
        (0..<count).map { _ in
            let seconds = 1_700_000_000 + Int64(random.next() % 40_000_000)
            return DatedArchiveName("app", "0123456789abcdef", FileTime(seconds: seconds), .zstd)
        }
    }

    /// The newest of each of the last `count` periods, according to Foundation's calendar.
    private static func expected(
        _ archives: [DatedArchiveName], _ count: Int?, _ units: Set<Calendar.Component>
    ) -> Set<DatedArchiveName> {
        guard let count else { return [] }
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .gmt
        let groups = Dictionary(grouping: archives) { archive in
            calendar.dateComponents(
                units, from: Date(timeIntervalSince1970: Double(archive.time.seconds)))
        }
        return Set(groups.values.compactMap { $0.max() }.sorted(by: >).prefix(count))
    }

    @Test func agreesWithTheCalendar() {
        var random = RandomNumbers()
        for trial in 0..<200 {
            let archives = Set(Self.archives(1 + trial, &random))
            func number() -> Int? { random.next() % 4 == 0 ? nil : 1 + Int(random.next() % 20) }
            var retention = RetentionPolicy()
            retention.last = number()
            retention.hourly = number()
            retention.daily = number()
            retention.weekly = number()
            retention.monthly = number()
            retention.yearly = number()
            let kept = retention.kept(Array(archives))
            if retention.keepsAll {
                #expect(Set(kept.keys) == archives)
                continue
            }
            let all = Array(archives)
            let wanted = Self.expected(all, retention.daily, [.year, .month, .day])
                .union(Self.expected(all, retention.weekly, [.yearForWeekOfYear, .weekOfYear]))
                .union(Self.expected(all, retention.monthly, [.year, .month]))
                .union(Self.expected(all, retention.yearly, [.year]))
                .union(Self.expected(all, retention.hourly, [.year, .month, .day, .hour]))
                .union(Self.expected(all, retention.last, [.year, .month, .day, .hour, .minute, .second]))
                .union(all.max().map { [$0] } ?? [])
            #expect(Set(kept.keys) == wanted, "\(retention)")
        }
    }

    @Test func tellsWhy() {
        let times: [Int64] = [1_767_225_600, 1_767_225_599, 1_767_139_200, 1_764_547_200]
        let archives = times.map { DatedArchiveName("app", "0123456789abcdef", FileTime(seconds: $0), .zip) }
        var policy = RetentionPolicy()
        (policy.daily, policy.weekly, policy.monthly) = (1, 1, 2)
        let kept = policy.kept(archives)
        // 2026-01-01 00:00:00 (a Thursday) and the second before it are in the same week.
        #expect(kept == [archives[0]: [.newest, .daily, .weekly, .monthly], archives[1]: [.monthly]])
        #expect(RetentionPolicy().kept(archives).count == 4)
        #expect(policy.kept([]).isEmpty)
        var near = RetentionPolicy()
        near.within = 86_400
        #expect(
            near.kept(archives) == [
                archives[0]: [.newest, .within], archives[1]: [.within], archives[2]: [.within],
            ])
        near.within = .max
        #expect(near.kept(archives).count == 4)
    }
}
