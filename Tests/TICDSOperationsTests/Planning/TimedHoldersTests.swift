import SystemCalls
import TICDSCore
import TestSupport
import Testing

@testable import TICDSOperations

/// A rule whose holders have caught up with a time, and of which some have applied single sets, too.
private struct RandomRule: VacuumRule {
    var holders: [VacuumHolder] = []
    var times: [FileTime?] = []
    var applied: [Set<Int>?] = []
    var youngest: FileTime
    /// Whether `need` says what it can.
    var saysNeeds = true

    func role(of index: Int, _ entry: VacuumEntry, number: Int, author: RemoteName) -> NeededBy {
        if let applied = applied[index] { return applied.contains(number) ? [] : [.client, .store] }
        let isLater = times[index].map { $0 < entry.latest } ?? true
        return isLater && holders[index].client != author ? .client : []
    }

    func isYoung(_ entry: VacuumEntry) -> Bool { entry.latest > youngest }

    func need(of index: Int) -> VacuumNeed {
        saysNeeds && applied[index] == nil ? .everythingAfter(times[index]) : .asRoles
    }
}

@Suite("Holders that are counted together")
struct TimedHoldersTests {
    @Test(
        "What a vacuum counts does not depend on whether holders are counted together",
        arguments: 0..<300 as Range<UInt64>)
    func likeRoles(seed: UInt64) {
        var random = RandomNumbers(seed)
        func time(_ random: inout RandomNumbers) -> FileTime {
            FileTime(seconds: Int64.random(in: 0..<12, using: &random))
        }
        let count = Int.random(in: 0..<9, using: &random)
        var rule = RandomRule(youngest: time(&random))
        for number in 0..<count {
            let client = RemoteName("client \(number / Int.random(in: 1...2, using: &random))")
            rule.holders.append(
                VacuumHolder(client: client, isIgnored: Int.random(in: 0..<6, using: &random) == 0))
            rule.times.append(Bool.random(using: &random) ? time(&random) : nil)
            let numbers = Set((0..<4).map { _ in Int.random(in: 0..<30, using: &random) })
            rule.applied.append(Int.random(in: 0..<4, using: &random) == 0 ? numbers : nil)
        }
        var folders: [VacuumFolder] = []
        var start = 0
        for number in 0..<Int.random(in: 0..<8, using: &random) {
            let entries = (0..<Int.random(in: 0..<6, using: &random)).map { position in
                let modified = time(&random)
                let size: Int64 = Int.random(in: 0..<5, using: &random) == 0 ? .max : Int64(position)
                return VacuumEntry(
                    position: UInt32(position), size: size, modified: modified,
                    latest: max(modified, time(&random)))
            }
            folders.append(
                VacuumFolder(client: RemoteName("client \(number)"), start: start, entries: entries))
            start += entries.count
        }
        let settings = VacuumSettings(now: FileTime(seconds: 20))
        let together = VacuumCounts(rule, folders, settings)
        rule.saysNeeds = false
        let single = VacuumCounts(rule, folders, settings)
        #expect(together.holds == single.holds)
        #expect(together.young == single.young)
        #expect(together.oldestKept == single.oldestKept)
        #expect(together.folders.map(\.removable) == single.folders.map(\.removable))
        #expect(together.folders.map(\.kept) == single.folders.map(\.kept))
        #expect(together.folders.map(\.positions) == single.folders.map(\.positions))
    }
}
