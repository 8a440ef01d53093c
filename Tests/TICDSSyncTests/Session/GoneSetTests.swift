import Base
import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore
@testable import TICDSOperations
@testable import TICDSSync

/// Sets that vanish from the remote, and sets that this replica did not send.
@Suite struct GoneSetTests {
    private let remote: SyncedRemote
    private let one: TestReplica
    private let two: TestReplica

    init() throws {
        remote = try SyncedRemote()
        one = try remote.replica("Client-One")
        two = try remote.replica("Client-Two")
    }

    private func folder(_ client: String) -> FilePath {
        remote.root.appending("Documents/Document-1/SyncChanges/\(client)")
    }

    /// Takes the files of a client out of the remote.
    private func take(_ client: String) throws -> [(name: String, bytes: [UInt8], modified: FileTime)] {
        let storage = LocalStorage(root: folder(client))
        return try storage.list(.root).listing.map { entry in
            let path = folder(client).appending(entry.name.text)
            let bytes = try FileBytes.read(path, limit: .changeSet).array
            try TestFiles.remove(path)
            return (entry.name.text, bytes, entry.modified)
        }
    }

    private func put(_ files: [(name: String, bytes: [UInt8], modified: FileTime)], _ client: String) throws {
        for file in files {
            try NewFile.write(file.bytes, to: folder(client).appending(file.name), modified: file.modified)
        }
    }

    @Test func ownSetThatVanishedIsNamedInEveryRun() throws {
        try one.insertNote("N1", title: "first")
        let sent = try #require(try one.run().sent?.identifier)
        #expect(try one.run().goneSets.isEmpty)
        let files = try take("Client-One")
        for _ in 1...2 {
            let report = try one.run()
            #expect(report.goneSets.map(\.identifier) == [sent])
            #expect(report.sent == nil && report.unknownSets.isEmpty)
            let status = try ReplicaSession(one.folder).status(LocalStorage(root: remote.root))
            #expect(status.remote?.goneSets.map(\.identifier) == [sent])
        }
        #expect(try one.objects().count == 1 && remote.sets().isEmpty)
        try put(files, "Client-One")
        #expect(try one.run().goneSets.isEmpty)
    }

    /// A remote storage is listed once. Sets that an interrupted run had sent are not gone because the listing is
    /// older, and are applied again after an earlier set.
    @Test func finishedUploadIsNotGone() throws {
        try two.insertNote("N2", title: "second")
        try two.run()
        let late = try take("Client-Two")
        try one.insertNote("N1", title: "first")
        let live = MemoryRemote(try MemoryStorage(copying: LocalStorage(root: remote.root)))
        let state = RemoteState(root: remote.root, stateHome: one.stateHome)
        let journal = try Journal.open(state)
        var lock: (any StorageLock)? = try live.lock(
            journal, command: "test", until: Deadline(seconds: 0), warn: { _ in })
        #expect(throws: FileProblem.self) { try run(one, live) }
        #expect(lock != nil)
        lock = nil
        // A copy of the replica sends the same edit; its set gets the name of the interrupted one.
        let copy = remote.scratch.path.appending("copy")
        try FileManager.default.copyItem(atPath: one.folder.path.string, toPath: copy.string)
        let noted = try #require(
            try ReplicaState(one.folder.state).read { connection throws(SQLiteError) in
                try ReplicaDatabase.alone.note(.sending, connection)
            })
        let other = MemoryRemote(live.storage)
        let sent = try #require(
            try ReplicaSession(ReplicaFolder(copy)).run(RunOptions(), opened(other)) { _ in .undecided }.sent)
        var storage = other.storage
        let sets: RemotePath = ["Documents", RemoteName(SyncedRemote.document), "SyncChanges"]
        let place = sets.appending("Client-One")
        storage.entries[place.appending(RemoteName(String(decoding: noted, as: UTF8.self) + ".syncchg"))] =
            storage.entries.removeValue(forKey: place.appending(RemoteName(sent.identifier + ".syncchg")))
        for file in late {
            storage.entries[sets.appending("Client-Two").appending(RemoteName(file.name))] =
                MemoryStorage.Entry(file.bytes, modified: file.modified)
        }
        let report = try run(one, MemoryRemote(storage))
        #expect(report.goneSets.isEmpty && report.unknownSets.isEmpty && report.problems.isEmpty)
        #expect(report.setsApplied == 1 && report.setsHeldBack == 0)
        #expect(report.sent == nil && report.changesWaiting == 0)
        #expect(try one.objects().count == 2)
    }

    /// A one-to-one relationship moves to a note that is deleted later; then a set arrives that comes before both. In
    /// the order of the sets its note loses the picture before the other note is deleted.
    @Test func moveToDeletedHolderCountsForLateSet() throws {
        for (name, title) in [("N1", "first"), ("N2", "second")] { try one.insertNote(name, title: title) }
        try one.edit("INSERT INTO ZPICTURE (Z_ENT, ZTICDSSYNCID) VALUES (3, 'P1')")
        try one.run()
        try two.run()
        try two.edit("UPDATE ZNOTE SET ZCOVER = 1 WHERE ZTICDSSYNCID = 'N1'")
        try two.run()
        let late = try take("Client-Two")
        try one.edit("UPDATE ZNOTE SET ZCOVER = 1 WHERE ZTICDSSYNCID = 'N2'")
        try one.run()
        try one.edit("UPDATE ZNOTE SET ZCOVER = NULL WHERE ZTICDSSYNCID = 'N2'")
        try one.run()
        try one.edit("DELETE FROM ZNOTE WHERE ZTICDSSYNCID = 'N2'")
        try one.run()
        try put(late, "Client-Two")
        #expect(try one.run().setsAppliedAgain > 0)
        try two.run()
        #expect(try one.objects() == two.objects())
        #expect(try !one.objects().contains { $0.contains("cover") })
    }

    private func opened(_ live: MemoryRemote) -> ReplicaRemote {
        ReplicaRemote(
            storage: ListedOnce(live), keyring: RemoteKeyring(.plain),
            state: RemoteState(root: remote.root, stateHome: one.stateHome), writing: .success(live))
    }

    private func run(_ replica: TestReplica, _ live: MemoryRemote) throws -> RunReport {
        try ReplicaSession(replica.folder).run(RunOptions(), opened(live)) { _ in .undecided }
    }

    /// A vacuum removes only sets that every whole store contains.
    @Test(arguments: [true, false]) func setInWholeStoresWasRemovedByAVacuum(_ isInAll: Bool) throws {
        try one.insertNote("N1", title: "first")
        let sent = try #require(try one.run().sent?.identifier)
        for (client, names) in [("Client-One", true), ("Client-Two", isInAll)] {
            let store = remote.root.appending("Documents/Document-1/WholeStore/\(client)")
            try TestFiles.makeFolder(store)
            try TestFiles.write(store.appending("WholeStore.ticdsync"), [1])
            try ChangeSetRegisterWriter.write(
                names ? [RegisteredChangeSet(identifier: sent)] : [],
                to: store.appending("AppliedSyncChangeSets.ticdsync"))
        }
        _ = try take("Client-One")
        #expect(try one.run().goneSets.map(\.identifier) == (isInAll ? [] : [sent]))
        #expect(try one.run().goneSets.map(\.identifier) == (isInAll ? [] : [sent]))
    }

    @Test func unknownSetInOwnFolderIsNamed() throws {
        try one.insertNote("N1", title: "first")
        try one.run()
        let files = try take("Client-One")
        let copy = try #require(files.first)
        try put(files, "Client-One")
        try put(
            [(name: "0500000000.000000-AAAA.syncchg", bytes: copy.bytes, modified: copy.modified)],
            "Client-One")
        let report = try one.run()
        #expect(report.unknownSets == ["0500000000.000000-AAAA"] && report.goneSets.isEmpty)
        #expect(!report.isComplete && !report.wroteRecentSync)
        let status = try ReplicaSession(one.folder).status(LocalStorage(root: remote.root))
        #expect(status.remote?.unknownSets == ["0500000000.000000-AAAA"])
    }

    /// A placeholder of a sync service represents the set.
    @Test func placeholderIsNoLoss() throws {
        try one.insertNote("N1", title: "first")
        try one.run()
        let file = try #require(try take("Client-One").first)
        try TestFiles.write(folder("Client-One").appending(".\(file.name).icloud"), [1, 2, 3])
        let report = try one.run()
        #expect(report.goneSets.isEmpty && report.unknownSets.isEmpty)
    }

    /// A late set would undo the changes of the vanished one: it waits.
    @Test(arguments: ["gone", "empty", "truncated"]) func lateSetWaitsForTheSetAfterIt(_ fate: String) throws
    {
        try one.insertNote("N1", title: "first")
        try one.run()
        try two.run()
        try two.edit("UPDATE ZNOTE SET ZTITLE = 'late'")
        try two.run()
        let late = try take("Client-Two")
        try one.edit("UPDATE ZNOTE SET ZTITLE = 'mine'")
        let sent = try #require(try one.run().sent?.identifier)
        let mine = try take("Client-One")
        let own = try #require(mine.first { $0.name.hasPrefix(sent) })
        try put(mine.filter { $0.name != own.name }, "Client-One")
        if fate != "gone" {
            let bytes = fate == "empty" ? [] : Array(own.bytes.prefix(own.bytes.count / 2))
            try put([(name: own.name, bytes: bytes, modified: own.modified)], "Client-One")
        }
        try put(late, "Client-Two")
        let before = try one.objects()
        let report = try one.run()
        #expect(report.goneSets.map(\.identifier) == [sent])
        #expect((report.goneSets.first?.problem == nil) == (fate == "gone"))
        #expect(report.setsHeldBack == 1 && report.setsApplied == 0 && !report.wroteRecentSync)
        #expect(try one.objects() == before)
        if fate != "gone" { _ = try TestFiles.remove(folder("Client-One").appending(own.name)) }
        try put([own], "Client-One")
        let healed = try one.run()
        #expect(healed.goneSets.isEmpty && healed.setsApplied == 1 && healed.setsAppliedAgain == 1)
        #expect(try one.objects() == before)
    }

    /// An empty file is not a copy of another empty file: neither counts as applied.
    @Test func emptySetsAreNoCopies() throws {
        try one.insertNote("N1", title: "first")
        try one.run()
        try two.run()
        let file = try #require(try take("Client-One").first)
        try put([(name: file.name, bytes: [], modified: file.modified)], "Client-One")
        let later = "0900000000.000000-BBBB"
        try put([(name: "\(later).syncchg", bytes: [], modified: file.modified)], "Client-One")
        let three = try remote.replica("Client-Three")
        #expect(try three.run().setsApplied == 0)
        let report = try two.run()
        #expect(report.duplicates.isEmpty && report.badSets.map(\.identifier) == [later])
        #expect(try !two.registered().contains(later) && three.registered().isEmpty)
    }
}

/// A remote in its state when it was listed.
private struct ListedOnce: RemoteStorage {
    private let live: MemoryRemote
    private let listed: MemoryStorage
    var root: FilePath { listed.root }

    init(_ live: MemoryRemote) {
        self.live = live
        listed = live.storage
    }

    func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents { try listed.list(folder) }
    func status(of path: RemotePath) throws(FileProblem) -> FileStatus { try listed.status(of: path) }
    func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes {
        try listed.read(file, limit: limit)
    }
    func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes {
        try listed.read(file, range: range)
    }
    func listedAgain() throws(FileProblem) -> any RemoteStorage { ListedOnce(live) }
}
