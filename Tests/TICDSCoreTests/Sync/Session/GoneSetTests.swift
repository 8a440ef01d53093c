import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSSync

/// Sets that vanish from the remote, and sets that nobody here sent.
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

    /// The files of a client, taken out of the remote.
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

    /// A vacuum removes only what every whole store contains.
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

    /// A placeholder of a sync service stands for the set.
    @Test func placeholderIsNoLoss() throws {
        try one.insertNote("N1", title: "first")
        try one.run()
        let file = try #require(try take("Client-One").first)
        try TestFiles.write(folder("Client-One").appending(".\(file.name).icloud"), [1, 2, 3])
        let report = try one.run()
        #expect(report.goneSets.isEmpty && report.unknownSets.isEmpty)
    }

    /// A late set would take back what the vanished one changed: it waits.
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

    /// An empty file is no copy of another empty file: neither counts as applied.
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
