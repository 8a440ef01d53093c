import Base
import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSSync

/// The state that a run leaves for the next one, and for the other clients.
@Suite struct ReplicaTransactionTests {
    @Test func aTransactionThatCannotBeClosedIsTriedAgain() throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try one.insertNote("N1", title: "first")
        try one.run()
        let register = try FileBytes.read(two.folder.applied).array
        try TestFiles.write(two.folder.applied, Array("no register".utf8))
        let report = try two.run()
        #expect(report.setsApplied == 1)
        #expect(report.transactions.map(\.state) == [.unableToClose])
        #expect(report.transactions.first?.problem?.isEmpty == false)
        let status = try ReplicaSession(two.folder).status(nil)
        #expect(status.transactions.map(\.state) == [.unableToClose])
        #expect(try two.objects() == one.objects())
        // The set is applied, although the register does not yet contain it.
        #expect(try two.run().setsApplied == 0)
        try TestFiles.write(two.folder.applied, register)
        let later = try two.run()
        #expect(later.transactions.isEmpty && later.setsApplied == 0)
        #expect(try two.registered() == one.registered())
        let left = try LocalStorage(root: two.folder.unsavedApplied).list(.root).listing
        #expect(left.isEmpty)
    }

    /// An app whose models were merged opens only sets with the hashes of all of them.
    @Test func setsCarryTheHashesOfTheOthers() throws {
        let remote = try SyncedRemote()
        let one = try remote.replica("Client-One")
        try remote.builder.client("Client-App").join("Client-App", SyncedRemote.document)
        let own = StoreMetadata.binary(of: FrameworkModels.syncChange, uuid: .random())
        let foreign = ArchivedPair(
            key: .string("Merged"), value: .data([UInt8](repeating: 7, count: 32)))
        let merged = (own.all.pairs ?? []).map { pair in
            guard pair.key.stringValue == "NSStoreModelVersionHashes" else { return pair }
            return ArchivedPair(key: pair.key, value: .dictionary((pair.value.pairs ?? []) + [foreign]))
        }
        let insertion = SyncChange(
            type: .insert, entity: "Note", objectSyncID: "N1",
            changedAttributes: .dictionary([
                ArchivedPair(key: .string("ticdsSyncID"), value: .string("N1"))
            ]), timestamp: 0)
        let bytes = try ChangeSetWriter.bytes(of: [insertion], like: StoreMetadata(.dictionary(merged)))
        let folder = remote.root.appending("Documents/Document-1/SyncChanges")
        try NewFile.write(bytes, to: folder.appending("Client-App").appending("a-set.syncchg"))
        try one.run()
        try one.edit("UPDATE ZNOTE SET ZTITLE = 'edited'")
        let sent = try #require(try one.run().sent)
        let file = folder.appending("Client-One").appending(sent.identifier + ".syncchg")
        let reader = try ChangeSetReader(FileBytes.read(file), path: file)
        #expect(reader.metadata.versionHashes.keys.sorted() == ["Merged", "TICDSSyncChange"])
        #expect(reader.metadata.uuid != own.uuid)
    }

    @Test func oneDirectionOnly() throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try one.insertNote("N1", title: "first")
        try one.run()
        try two.insertNote("N2", title: "second")
        var options = RunOptions()
        options.direction = .push
        let pushed = try two.run(options)
        #expect(pushed.sent != nil && pushed.setsApplied == 0)
        // Other clients must not take it for up to date.
        #expect(!pushed.wroteRecentSync)
        try two.edit("UPDATE ZNOTE SET ZTITLE = 'changed' WHERE ZTICDSSYNCID = 'N2'")
        options.direction = .pull
        let pulled = try two.run(options)
        #expect(pulled.sent == nil && pulled.setsApplied == 1 && pulled.wroteRecentSync)
        #expect(pulled.changesWaiting == 1)
        #expect(try two.run().sent?.changes == 1)
        try one.run()
        #expect(try one.objects() == two.objects())
    }

    /// A copy of a set with unknown contents, since it was in the whole store.
    @Test func aCopyOfARegisteredSetIsRecognised() throws {
        let remote = try SyncedRemote()
        let one = try remote.replica("Client-One")
        try one.insertNote("N1", title: "first")
        try one.run()
        let name = try #require(remote.sets().first)
        let identifier = String(try #require(name.split(separator: "/").last).dropLast(8))
        try remote.builder.client("Client-Two").join("Client-Two", SyncedRemote.document)
        let two = try TestReplica(
            "Client-Two", remote.root, at: remote.scratch.path.appending("Client-Two"),
            register: [RegisteredChangeSet(identifier: identifier, clientIdentifier: "Client-One")])
        let folder = remote.root.appending("Documents/Document-1/SyncChanges/Client-One")
        try FileManager.default.copyItem(
            atPath: folder.appending(identifier + ".syncchg").string,
            toPath: folder.appending(identifier + " (1).syncchg").string)
        let report = try two.run()
        #expect(report.duplicates.map(\.original) == [identifier])
        #expect(try two.objects().isEmpty)
    }

    /// A replica folder may come from a different user. Its state must not make a command write elsewhere.
    @Test func aNotedFileOutsideTheReplicaIsRefused() throws {
        let remote = try SyncedRemote()
        let one = try remote.replica("Client-One")
        let connection = try SQLiteConnection(
            uri: SQLiteURI.uri(of: one.folder.state, immutable: false), mode: .readWrite)
        try connection.execute("INSERT INTO TICDS_OUTBOX VALUES ('../outside', X'00')")
        #expect(throws: FileProblem.self) { try one.run() }
        #expect(try FileStatus.ifPresent(remote.scratch.path.appending("outside")) == nil)
    }
}
