import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// What is found in the trash of earlier operations.
@Suite struct TrashedEntriesTests {
    private let remote: RemoteBuilder
    private let home: TemporaryFolder
    private let places = ClientRestorePlanner.places(of: "second", in: "notes")

    init() throws {
        remote = try RemoteBuilder.two()
        home = try TemporaryFolder(prefix: "ticds-state")
    }

    private var root: FilePath { (try? remote.root.resolved()) ?? remote.root }
    private var state: RemoteState { RemoteState(root: root, stateHome: home.path) }

    private func planned() throws -> PlannedRemote {
        PlannedRemote(
            root: root, remote.storage, try RemoteSnapshot.take(remote.storage),
            keyring: RemoteKeyring(.plain))
    }

    private func delete(
        _ scope: ClientDeletionPlanner.Scope = .document("notes"), keepsTrash: Bool = true
    ) throws -> Int64 {
        let plan = try ClientDeletionPlanner(planned()).plan("second", from: scope)
        return try Executor(state, keepsTrash: keepsTrash).run(plan)
    }

    private func restore() throws {
        let trash = try TrashedEntries.find(places, state)
        _ = try Executor(state).run(ClientRestorePlanner(planned(), trash: trash).plan("second", in: "notes"))
    }

    @Test func nothingWithoutAJournal() throws {
        #expect(try TrashedEntries.find(places, state).isEmpty)
    }

    @Test func theNewestOperationCountsAsLongAsItsTrashIsThere() throws {
        let first = try delete()
        let found = try TrashedEntries.find(places, state)
        #expect(Set(found.entries.keys) == Set(places[0]))
        #expect(found.entries.values.allSatisfy { $0.slot.operation == first })
        #expect(found[places[0][0]]?.seen.files == 3)
        #expect(found.moved != nil)
        try restore()
        #expect(try TrashedEntries.find([places[0]], state).isEmpty)
        let second = try delete()
        let again = try TrashedEntries.find(places, state)
        #expect(again.entries.values.allSatisfy { $0.slot.operation == second })
        #expect(Set(again.entries.keys) == Set(places[0]))
    }

    @Test func nothingWhereTheTrashWasNotKept() throws {
        _ = try delete(keepsTrash: false)
        #expect(try TrashedEntries.find(places, state).isEmpty)
    }

    /// The document's part comes from one operation, the application's from another.
    @Test func groupsComeFromOperationsOfTheirOwn() throws {
        let one = try delete()
        let other = try delete(.application)
        let found = try TrashedEntries.find(places, state)
        #expect(found[places[0][0]]?.slot.operation == one)
        #expect(found[places[1][0]]?.slot.operation == other)
        try restore()
        let snapshot = try RemoteSnapshot.take(remote.storage)
        #expect(snapshot.document("notes")?.client("second")?.changeSets.count == 3)
        #expect(snapshot.clientDevices.map(\.identifier) == ["first", "second"])
        #expect(snapshot.document("notes")?.deletedClients == [])
    }
}
