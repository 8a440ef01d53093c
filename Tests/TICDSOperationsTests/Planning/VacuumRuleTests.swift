import SystemCalls
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// Each reason for keeping or removing a change set.
@Suite struct VacuumRuleTests {
    /// Anna has a whole store that names her old set; Berta has synchronised since.
    private func remote(daysAgo: Double = 100, named: Double? = nil) throws -> VacuumRemote {
        var remote = try VacuumRemote("anna", "berta")
        let set = try remote.set("a", of: "anna", daysAgo: daysAgo, named: named)
        try remote.store(of: "anna", daysAgo: 1, naming: [set])
        return remote
    }

    @Test func goesWhenAllHaveIt() throws {
        let remote = try remote()
        #expect(try remote.removed() == ["a"])
        let vacuum = try remote.analyse()
        #expect(vacuum.removable == FileTotals(count: 1, bytes: 3))
        #expect(vacuum.kept == FileTotals())
        #expect(vacuum.horizon == nil)
        #expect(vacuum.clients.map(\.hold.sets.count) == [0, 0])
    }

    @Test func actionsTellWhatWasSeen() throws {
        let remote = try remote()
        let plan = try remote.plan()
        let action = try #require(plan.actions.first)
        let name = VacuumRemote.identifier("a", daysAgo: 100) + ".syncchg"
        let path: RemotePath = ["Documents", "notes", "SyncChanges", "anna", RemoteName(name)]
        let time = FileTime(seconds: VacuumRemote.time(daysAgo: 100))
        #expect(
            action.kind
                == .moveToTrash(path: path, seen: EntryState(kind: .file, size: 3, modified: time)))
        #expect(action.reason?.isEmpty == false)
        #expect(plan.command == "ticds-vacuum")
        #expect(plan.summary == "Remove 1 change set, 3 B")
    }

    @Test func staysWithinTheMargin() throws {
        #expect(try remote(daysAgo: 29.9).removed() == [])
        #expect(try remote(daysAgo: 29.9).analyse().young.count == 1)
        #expect(try remote(daysAgo: 30).removed() == ["a"])
        #expect(try remote(daysAgo: 30).removed { $0.keepWithin = 31 * 86_400 } == [])
        #expect(try remote(daysAgo: 2).removed { $0.keepWithin = 86_400 } == ["a"])
        #expect(try remote(daysAgo: 2).removed { $0.keepWithin = .max } == [])
    }

    @Test("The later of the two times of a set counts") func offlineEdits() throws {
        #expect(try remote(daysAgo: 100, named: 10).removed() == [])
        #expect(try remote(daysAgo: 10, named: 100).removed() == [])
        let late = try remote(daysAgo: 100, named: 60)
        try late.synchronised("berta", daysAgo: 50)
        #expect(try late.removed() == [])
        try late.synchronised("berta", daysAgo: 30)
        #expect(try late.removed() == ["a"])
    }

    @Test func staysForWhoSynchronisedBeforeItOrSoonAfter() throws {
        let remote = try remote()
        for days in [200, 100, 99, 70.1] {
            try remote.synchronised("berta", daysAgo: days)
            #expect(try remote.removed() == [], "\(days)")
        }
        let vacuum = try remote.analyse()
        let berta = try #require(vacuum.clients.first { $0.identifier == "berta" })
        #expect(berta.hold.sets == FileTotals(count: 1, bytes: 3))
        #expect(berta.hold.alone.count == 1)
        #expect(berta.hold.notSynchronised == 1)
        #expect(berta.hold.notInStore == 0)
        let time = FileTime(seconds: VacuumRemote.time(daysAgo: 100))
        #expect(vacuum.horizon == time)
        #expect(berta.hold.oldest == time)
        try remote.synchronised("berta", daysAgo: 70)
        #expect(try remote.removed() == ["a"])
    }

    @Test("The author has it, however long ago it synchronised") func author() throws {
        let remote = try remote()
        try remote.synchronised("anna", daysAgo: 101)
        #expect(try remote.removed() == ["a"])
    }

    @Test func registerSpeaksForAClientThatHasBeenAway() throws {
        var remote = try remote()
        try remote.synchronised("berta", daysAgo: 200)
        let set = VacuumRemote.identifier("a", daysAgo: 100)
        try remote.store(of: "berta", daysAgo: 90, naming: [set])
        #expect(try remote.removed() == ["a"])
        try remote.remove("RecentSyncs/berta.recentsync")
        #expect(try remote.removed() == ["a"])
    }

    @Test func staysForEveryWholeStoreWithoutIt() throws {
        var remote = try remote()
        try remote.store(of: "berta", daysAgo: 50, naming: [])
        #expect(try remote.removed() == [])
        let berta = try #require(try remote.analyse().clients.last)
        #expect(berta.hold.notInStore == 1)
        #expect(berta.hold.notSynchronised == 0)
        #expect(berta.hold.alone.count == 1)
        #expect(berta.storeCounts)
        #expect(try remote.removed { $0.countsNewestStoreOnly = true } == ["a"])
    }

    @Test("A store's own time proves nothing") func storeWithoutRegister() throws {
        let remote = try remote()
        try remote.storeWithoutRegister(of: "berta", daysAgo: 2)
        #expect(try remote.removed() == [])
        #expect(try remote.removed { $0.countsNewestStoreOnly = true } == ["a"])
        try remote.storeWithoutRegister(of: "berta", daysAgo: 0.5)
        #expect(try remote.removed { $0.countsNewestStoreOnly = true } == [])
    }

    @Test func storeOfARemovedClientCounts() throws {
        let remote = try remote()
        try remote.storeWithoutRegister(of: "gone1", daysAgo: 50)
        #expect(try remote.removed() == [])
        #expect(try remote.removed { $0.ignored = ["gone1"] } == ["a"])
    }

    @Test("A conflicted copy of a store's folder may be downloaded, too") func copyOfAStore() throws {
        let remote = try remote()
        try remote.storeWithoutRegister(of: "anna (Bob's conflicted copy 2013-05-01)", daysAgo: 0)
        #expect(try remote.removed() == [])
    }

    @Test func ownSetMustBeInTheRegisterOfItsAuthor() throws {
        var remote = try VacuumRemote("anna", "berta")
        try remote.set("a", of: "anna", daysAgo: 100)
        try remote.store(of: "anna", daysAgo: 1, naming: [])
        #expect(try remote.removed() == [])
        #expect(try remote.analyse().clients[0].hold.notInStore == 1)
    }

    // MARK: Clients

    @Test func ignoredClientHoldsNothingBack() throws {
        let remote = try remote()
        try remote.synchronised("berta", daysAgo: 200)
        #expect(try remote.removed { $0.ignored = ["berta"] } == ["a"])
        let vacuum = try remote.analyse { $0.ignored = ["berta"] }
        #expect(vacuum.clients.last?.missed.notSynchronised == 1)
        #expect(vacuum.clients.last?.hold.sets.count == 0)
        let notes = try remote.plan { $0.ignored = ["berta"] }.notes
        #expect(notes.contains { $0.kind == .warning && $0.text.contains("berta") })
    }

    @Test("New clients take the newest store of themselves, whoever is ignored") func newestStore() throws {
        var remote = try remote()
        try remote.store(of: "berta", daysAgo: 2, naming: [])
        #expect(try remote.removed { $0.ignored = ["berta"] } == ["a"])
        let notes = try remote.plan { $0.ignored = ["berta"] }.notes
        #expect(notes.contains { $0.kind == .warning && $0.text.contains("whole store of berta") })
        try remote.store(of: "berta", daysAgo: 0.5, naming: [])
        #expect(try remote.removed { $0.ignored = ["berta"] } == [])
        #expect(try remote.analyse { $0.ignored = ["berta"] }.clients.last?.hold.notInStore == 1)
    }

    @Test("A client whose folder was lost goes on to receive; one with a tombstone starts again")
    func clientsWithoutFolder() throws {
        let remote = try remote()
        try remote.synchronised("clara", daysAgo: 200)
        #expect(try remote.removed() == [])
        try remote.builder.write("Documents/notes/DeletedClients/clara.plist", "tombstone")
        #expect(try remote.removed() == ["a"])
    }

    @Test func setsOfOneClientOnly() throws {
        var remote = try VacuumRemote("anna", "berta")
        let sets = [
            try remote.set("a", of: "anna", daysAgo: 100), try remote.set("b", of: "berta", daysAgo: 90),
        ]
        try remote.store(of: "anna", daysAgo: 1, naming: sets)
        #expect(try remote.removed() == ["a", "b"])
        #expect(try remote.removed { $0.clients = ["berta"] } == ["b"])
    }

    @Test("Two clients may have a set of the same identifier; clients tell them by nothing else")
    func sameIdentifierTwice() throws {
        var remote = try VacuumRemote("anna", "berta")
        let set = try remote.set("x", of: "anna", daysAgo: 100)
        try remote.set("x", of: "berta", daysAgo: 100)
        try remote.store(of: "anna", daysAgo: 1, naming: [set])
        #expect(try remote.removed() == ["x", "x"])
    }

    @Test func identifiersAreComparedByteForByte() throws {
        var remote = try VacuumRemote("anna", "berta")
        try remote.builder.changeSet("Counter-0001-a", of: "anna", in: "notes", time: 1_000_000_000)
        try remote.store(of: "anna", daysAgo: 1, naming: ["COUNTER-0001-A", "Counter-0001-a.syncchg"])
        #expect(try remote.plan().actions.isEmpty)
        try remote.store(of: "anna", daysAgo: 1, naming: ["Counter-0001-a"])
        #expect(try remote.plan().actions.count == 1)
    }

    @Test func strayFilesAreNotTaken() throws {
        let remote = try remote()
        let folder = "Documents/notes/SyncChanges/anna/"
        for name in [".DS_Store", "desktop.ini", "x.tmp", "notes.txt"] {
            try remote.builder.write(folder + name, "stray", time: 1_000_000_000)
        }
        #expect(try remote.removed() == ["a"])
    }

    @Test func holdersAreCountedEach() throws {
        var remote = try VacuumRemote("anna", "berta", "clara")
        let sets = try (0..<10).map { try remote.set("s\($0)", of: "anna", daysAgo: 200 - Double($0) * 10) }
        try remote.store(of: "anna", daysAgo: 1, naming: sets)
        try remote.synchronised("berta", daysAgo: 120)
        try remote.synchronised("clara", daysAgo: 100)
        let vacuum = try remote.analyse()
        #expect(vacuum.removable.count == 6)
        #expect(vacuum.clients.map(\.hold.sets.count) == [0, 4, 2])
        #expect(vacuum.clients.map(\.hold.alone.count) == [0, 2, 0])
        #expect(vacuum.clients[0].removable.count == 6)
        #expect(vacuum.clients[0].kept.count == 4)
    }
}
