import SystemCalls
import SystemPackage
import TICDSRepair
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore
import TICDSOperations

/// Times are restored from names.
@Suite struct RepairTimesTests {
    private static func nominal(_ path: String) throws -> FileTime {
        let name = try #require(FilePath(path).lastComponent?.stem)
        return try #require(ChangeSetIdentifier.nominalTime(RemoteName(name)))
    }

    private static func check(_ remote: DamagedRemote, _ code: String, actions: Int) throws {
        let repaired = RepairedRemote(remote)
        #expect(try repaired.codes() == ["TICDS-" + code])
        let repair = try repaired.repair()
        #expect(repair.left.isEmpty)
        #expect(repair.plan.actions.count == actions)
        #expect(repair.plan.steps.allSatisfy { $0.hasPrefix("time ") })
        #expect(try repaired.codes() == [])
    }

    @Test func oneSetFromTheFuture() throws {
        let remote = try DamagedRemote()
        let set = try remote.changeSets(of: 0)[1]
        try remote.setTime(set, FileTime(seconds: 1_900_000_000))
        try Self.check(remote, "0401", actions: 1)
        #expect(try FileStatus.of(remote.path(set)).modified == Self.nominal(set))
    }

    @Test(arguments: [false, true]) func oneSetFarFromItsName(encrypted: Bool) throws {
        let remote = try DamagedRemote(encrypted: encrypted)
        let set = try remote.changeSets(of: 1)[1]
        try remote.setTime(set, FileTime(seconds: try Self.nominal(set).seconds + 40 * 86_400))
        try Self.check(remote, "0402", actions: 1)
        #expect(try FileStatus.of(remote.path(set)).modified == Self.nominal(set))
    }

    @Test func allTimesOfADocument() throws {
        let remote = try DamagedRemote()
        for (number, set) in try (0..<3).flatMap({ try remote.changeSets(of: $0) }).enumerated() {
            try remote.setTime(set, FileTime(seconds: 1_399_000_000 + Int64(number)))
        }
        try Self.check(remote, "0404", actions: 36)
        for set in try (0..<3).flatMap({ try remote.changeSets(of: $0) }) {
            #expect(try FileStatus.of(remote.path(set)).modified == Self.nominal(set))
        }
    }

    @Test func theTimesOfAClient() throws {
        let remote = try DamagedRemote()
        let sets = try remote.changeSets(of: 0)
        for set in sets { try remote.setTime(set, FileTime(seconds: 1_399_000_000)) }
        try Self.check(remote, "0404", actions: sets.count)
    }

    @Test func manySetsFromTheFuture() throws {
        let remote = try DamagedRemote()
        let sets = try remote.changeSets(of: 0)
        for set in sets { try remote.setTime(set, FileTime(seconds: 1_900_000_000)) }
        try Self.check(remote, "0407", actions: sets.count)
    }

    /// The finding names one set, although there are two.
    @Test func setsThatVacuumWouldTake() throws {
        let remote = try DamagedRemote()
        let sets = try remote.changeSets(of: 0).suffix(2)
        let first = try Self.nominal(try #require(sets.first))
        let last = try Self.nominal(try #require(sets.last))
        for client in 0..<2 {
            try remote.setTime(
                "Documents/cookbook/RecentSyncs/\(remote.clients[client]).recentsync",
                FileTime(seconds: last.seconds + 10))
        }
        try remote.setTime(
            "Documents/cookbook/RecentSyncs/\(remote.clients[2]).recentsync",
            FileTime(seconds: first.seconds - 3600))
        for store in try remote.storage.list(["Documents", "cookbook", "WholeStore"]).listing {
            try remote.setTime("Documents/cookbook/WholeStore/\(store.name)/WholeStore.ticdsync", last)
        }
        for set in sets { try remote.setTime(set, FileTime(seconds: first.seconds - 7200)) }
        try Self.check(remote, "0406", actions: 2)
    }
}
