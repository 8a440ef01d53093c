import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// The entries in the trash of earlier operations.
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
        try PlannedRemote(
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

    /// The device, or its sync service, has made the folder again: its former content is restored beside its present
    /// one.
    @Test func contentsComeBackIntoAFolderThatWasMadeAgain() throws {
        let folder = FilePath("Documents/notes/SyncChanges/second")
        let storage = LocalStorage(root: root)
        let before = try storage.list(RemotePath(text: folder.string)).listing
        #expect(before.count == 3)
        _ = try delete()
        try TestFiles.makeFolder(root.pushing(folder))
        try TestFiles.write(root.pushing(folder).appending("new.syncchg"), [1])
        let trash = try TrashedEntries.find(places, state)
        let (plan, rest) = try ClientRestorePlanner(planned(), trash: trash).planAndRest(
            "second", in: "notes")
        #expect(rest == [])
        _ = try Executor(state).run(plan)
        let after = try storage.list(RemotePath(text: folder.string)).listing
        #expect(Set(after.map(\.name)) == Set(before.map(\.name) + ["new.syncchg"]))
        for entry in before {
            #expect(after[entry.name]?.modified == entry.modified && after[entry.name]?.size == entry.size)
        }
        // Nothing is left to do, and nothing is reported as left.
        let again = try ClientRestorePlanner(planned(), trash: try TrashedEntries.find(places, state))
            .planAndRest("second", in: "notes")
        #expect(again.plan.actions.isEmpty && again.rest == [])
    }

    @Test func takenNamesStayInTheTrashAndAreNamed() throws {
        let folder = FilePath("Documents/notes/SyncChanges/second")
        let name = try #require(
            try LocalStorage(root: root).list(RemotePath(text: folder.string)).listing.first
        ).name
        _ = try delete()
        try TestFiles.makeFolder(root.pushing(folder))
        try TestFiles.write(root.pushing(folder).appending(name.text), [1])
        try TestFiles.makeFolder(root.appending("Documents/notes/WholeStore/second"))
        try TestFiles.write(root.appending("Documents/notes/WholeStore/second/WholeStore.ticdsync"), [2])
        let trash = try TrashedEntries.find(places, state)
        let (plan, rest) = try ClientRestorePlanner(planned(), trash: trash).planAndRest(
            "second", in: "notes")
        #expect(rest.contains(RemotePath(text: "\(folder)/\(name)")))
        #expect(rest.contains(RemotePath(text: "Documents/notes/WholeStore/second/WholeStore.ticdsync")))
        #expect(plan.notes.contains { $0.kind == .warning && $0.text.contains("\(name)") })
        _ = try Executor(state).run(plan)
        #expect(try LocalStorage(root: root).list(RemotePath(text: folder.string)).listing.count == 3)
        #expect(try FileBytes.read(root.pushing(folder).appending(name.text), limit: .changeSet).array == [1])
    }

    /// The client was deleted, came back by itself, and was deleted again: the older sets are not forgotten.
    @Test func setsOfAnEarlierDeletionAreNamed() throws {
        let folder = FilePath("Documents/notes/SyncChanges/second")
        let first = try delete()
        try TestFiles.makeFolder(root.pushing(folder))
        try TestFiles.write(root.pushing(folder).appending("new.syncchg"), [1])
        _ = try delete()
        let trash = try TrashedEntries.find(places, state)
        #expect(trash.earlier.count == 1)
        let (plan, rest) = try ClientRestorePlanner(planned(), trash: trash).planAndRest(
            "second", in: "notes")
        #expect(rest.count == 3 && plan.notes.contains { $0.text.contains("operation \(first)") })
        _ = try Executor(state).run(plan)
        let again = try ClientRestorePlanner(planned(), trash: try TrashedEntries.find(places, state))
            .planAndRest("second", in: "notes")
        _ = try Executor(state).run(again.plan)
        #expect(again.rest == [])
        #expect(try LocalStorage(root: root).list(RemotePath(text: folder.string)).listing.count == 4)
    }

    /// The document's part comes from one operation, the app's from a different one.
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
