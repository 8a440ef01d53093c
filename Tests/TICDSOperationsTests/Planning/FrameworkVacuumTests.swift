import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// The framework's own rule (ticds-protocol(7), 1.9).
@Suite struct FrameworkVacuumTests {
    private static func framework(_ settings: inout VacuumSettings) { settings.rule = .framework }

    private func remote() throws -> VacuumRemote {
        let remote = try VacuumRemote("anna", "berta")
        for days in [100, 60, 50, 49, 40, 10] {
            try remote.set("d\(days)", of: "anna", daysAgo: Double(days))
        }
        try remote.storeWithoutRegister(of: "anna", daysAgo: 45)
        try remote.synchronised("berta", daysAgo: 50)
        return remote
    }

    @Test func limitIsTheEarlierOfStoresAndRecentSyncs() throws {
        let remote = try remote()
        #expect(try remote.removed(Self.framework) == ["d100", "d60"])
        let vacuum = try remote.analyse(Self.framework)
        #expect(vacuum.horizon == FileTime(seconds: VacuumRemote.time(daysAgo: 50)))
        #expect(vacuum.clients.map(\.hold.alone.count) == [0, 2])
        try remote.synchronised("berta", daysAgo: 20)
        #expect(try remote.removed(Self.framework) == ["d100", "d49", "d50", "d60"])
        try remote.storeWithoutRegister(of: "berta", daysAgo: 80)
        #expect(try remote.removed(Self.framework) == ["d100"])
    }

    @Test func namesOfSetsCountForNothing() throws {
        let remote = try remote()
        try remote.set("late", of: "berta", daysAgo: 90, named: 1)
        try remote.set("early", of: "berta", daysAgo: 1, named: 90)
        #expect(try remote.removed(Self.framework) == ["d100", "d60", "late"])
    }

    @Test("It warns of sets that go unseen") func unseen() throws {
        let remote = try remote()
        try remote.set("late", of: "anna", daysAgo: 90, named: 1)
        #expect(try remote.analyse(Self.framework).unfetched.count == 1)
        #expect(try remote.plan(Self.framework).notes.contains { $0.kind == .warning })
    }

    @Test func oneClientOnly() throws {
        let remote = try remote()
        try remote.set("b", of: "berta", daysAgo: 90)
        let removed = try remote.removed {
            $0.rule = .framework
            $0.clients = ["berta"]
        }
        #expect(removed == ["b"])
    }

    @Test("Every entry of the own folder goes, folders and strays, too") func everyEntry() throws {
        let remote = try remote()
        let folder = "Documents/notes/SyncChanges/anna/"
        try remote.builder.write(folder + ".DS_Store", "stray", time: 1_000_000_000)
        try remote.builder.write(folder + "sub/file", "stray", time: 1_000_000_000)
        let place = remote.builder.root.pushing(FilePath(folder + "sub"))
        try TestFiles.setTime(place, FileTime(seconds: 1_000_000_000))
        #expect(try remote.removed(Self.framework) == [".DS_Store", "d100", "d60", "sub"])
    }

    @Test("Every entry of RecentSyncs holds back, dot files, too") func strayRecentSync() throws {
        let remote = try remote()
        try remote.builder.write(
            "Documents/notes/RecentSyncs/.DS_Store", "stray", time: VacuumRemote.time(daysAgo: 70))
        #expect(try remote.removed(Self.framework) == ["d100"])
        let stray = try remote.analyse(Self.framework).clients.first { $0.identifier == ".DS_Store" }
        #expect(stray?.hold.alone.count == 1)
    }

    @Test func ignoredClientDoesNotCount() throws {
        let remote = try remote()
        let removed = try remote.removed {
            $0.rule = .framework
            $0.ignored = ["berta"]
        }
        #expect(removed == ["d100", "d49", "d50", "d60"])
    }

    @Test("Without stores and recent syncs the present is the limit, as the framework has it")
    func allowed() throws {
        let remote = try VacuumRemote("anna")
        try remote.set("old", of: "anna", daysAgo: 10)
        try remote.set("new", of: "anna", daysAgo: -1)
        try remote.remove("RecentSyncs/anna.recentsync")
        let removed = try remote.removed {
            $0.rule = .framework
            $0.allowed = ["WholeStore", "anna.recentsync"]
        }
        #expect(removed == ["old"])
    }

    @Test func sampleOfTheFrameworkItself() throws {
        let sample = try SampleRemote("op-vacuum")
        let before = sample.parent("before").appending("com.example.notes")
        let after = sample.parent("after").appending("com.example.notes")
        let snapshot = try RemoteSnapshot.take(LocalStorage(root: before))
        var settings = VacuumSettings(rule: .framework, now: .now)
        settings.clients = ["B2C0D0A4-0001-4A11-8E1D-0000000000AA"]
        let vacuums = VacuumPlanner.analyse(snapshot, settings, VacuumSources(LocalStorage(root: before)))
        let plan = try VacuumPlanner.plan(vacuums, of: ListedRemote(root: before, snapshot), settings)
        var paths = Self.files(snapshot)
        for action in plan.actions { #expect(paths.remove(action.kind.path) != nil) }
        #expect(plan.actions.count == 2)
        #expect(paths == Self.files(try RemoteSnapshot.take(LocalStorage(root: after))))
    }

    private static func files(_ snapshot: RemoteSnapshot) -> Set<RemotePath> {
        var paths: Set<RemotePath> = []
        snapshot.tree.forEachFile(below: .root) { paths.insert($0.path) }
        return paths
    }
}
