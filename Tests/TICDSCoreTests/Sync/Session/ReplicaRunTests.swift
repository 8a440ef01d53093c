import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore
import TestSupport
import Testing

/// Runs of replicas of one document.
@Suite struct ReplicaRunTests {
    @Test func editsReachTheOthersOnce() throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try one.insertNote("N1", title: "first")
        let sent = try one.run()
        #expect(sent.editsRecorded > 0 && sent.sent != nil && sent.changesWaiting == 0)
        let received = try two.run()
        #expect(received.setsApplied == 1 && received.sent == nil && received.editsRecorded == 0)
        #expect(try two.objects() == one.objects())
        #expect(try two.objects().count == 1)
        // No echo: applying records nothing.
        #expect(try two.run().sent == nil)
        #expect(try one.run().setsFetched == 0)
        #expect(try remote.sets().count == 1)
        #expect(try one.registered() == two.registered())
    }

    @Test func helperFilesFollow() throws {
        let remote = try SyncedRemote()
        let one = try remote.replica("Client-One")
        try one.insertNote("N1", title: "first")
        let report = try ReplicaSession(one.folder).commit()
        #expect(report.editsRecorded > 0)
        #expect((try? FileStatus.of(one.folder.unsynchronized)) != nil)
        try one.run()
        for path in [one.folder.unsynchronized, one.folder.beingSynchronized, one.folder.unapplied] {
            #expect((try? FileStatus.of(path)) == nil, "\(path)")
        }
        #expect((try? FileStatus.of(one.folder.recentSync(of: "Client-One"))) != nil)
        let recent = remote.root.appending("Documents/Document-1/RecentSyncs/Client-One.recentsync")
        #expect((try? FileStatus.of(recent)) != nil)
    }

    @Test func conflictsGoByThePolicy() throws {
        for (policy, winner) in [
            (ConflictPolicy.Choice.remote, "theirs"), (.local, "mine"), (.newest, "mine"),
        ] {
            let remote = try SyncedRemote()
            let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
            try one.insertNote("N1", title: "first")
            try one.run()
            try two.run()
            try one.edit("UPDATE ZNOTE SET ZTITLE = 'theirs'")
            try one.run()
            try two.edit("UPDATE ZNOTE SET ZTITLE = 'mine'")
            let report = try two.run(ConflictPolicy(otherwise: policy))
            #expect(report.conflicts == 1)
            try one.run()
            #expect(try one.objects() == two.objects())
            #expect(try one.objects().first?.contains(winner) == true, "\(policy)")
        }
    }

    @Test func aPersonIsAsked() throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try one.insertNote("N1", title: "first")
        try one.run()
        try two.run()
        try one.edit("UPDATE ZNOTE SET ZTITLE = 'theirs'")
        try one.run()
        try two.edit("UPDATE ZNOTE SET ZTITLE = 'mine'")
        #expect(throws: FileProblem.self) { try two.run(ConflictPolicy(otherwise: .fail)) }
        #expect(try two.objects().first?.contains("mine") == true)
        var asked: [OpenConflict] = []
        var options = RunOptions()
        options.conflicts = ConflictPolicy(
            otherwise: .fail, rules: [.init(entity: "Note", attribute: "title", policy: .ask)])
        try two.run(options) { conflict in
            asked.append(conflict)
            return .local
        }
        #expect(asked.map(\.client) == ["Client-One"])
        #expect(asked.first?.conflict.remote == .string("theirs"))
        var kept: [SyncEvent] = []
        try ReplicaSession(two.folder).forEachEvent { kept.append($0) }
        #expect(kept.map(\.resolution) == ["local"])
        #expect(kept.first?.local == .string("mine"))
    }

    @Test func aLateSetEndsWhereItBelongs() throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        let three = try remote.replica("Client-Three")
        try one.insertNote("N1", title: "first")
        try one.run()
        try two.run()
        try one.edit("UPDATE ZNOTE SET ZTITLE = 'earlier'")
        try one.run()
        // The second set of one is on its way while two sends its own, later one.
        let folder = remote.root.appending("Documents/Document-1/SyncChanges/Client-One")
        let late = try #require(
            LocalStorage(root: folder).list(.root).listing.max { $0.modified < $1.modified })
        let away = remote.scratch.path.appending("away")
        try FileManager.default.moveItem(
            atPath: folder.appending(late.name.text).string, toPath: away.string)
        try two.edit("UPDATE ZNOTE SET ZTITLE = 'later'")
        try two.run()
        try three.run()
        try FileManager.default.moveItem(
            atPath: away.string, toPath: folder.appending(late.name.text).string)
        #expect(try two.run().setsAppliedAgain == 1)
        #expect(try three.run().setsAppliedAgain == 1)
        try one.run()
        for replica in [one, two, three] {
            #expect(try replica.objects().first?.contains("later") == true)
        }
    }

    @Test func aCopyIsAppliedOnce() throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try one.insertNote("N1", title: "first")
        try one.run()
        try two.run()
        let name = try #require(remote.sets().first)
        let folder = remote.root.appending("Documents/Document-1/SyncChanges")
        let copy = name.replacingOccurrences(of: ".syncchg", with: " (conflicted copy).syncchg")
        try FileManager.default.copyItem(
            atPath: folder.string + "/" + name, toPath: folder.string + "/" + copy)
        try two.edit("UPDATE ZNOTE SET ZTITLE = 'newer'")
        let report = try two.run()
        #expect(report.duplicates.count == 1 && report.setsApplied == 0)
        #expect(try two.objects().first?.contains("newer") == true)
        #expect(try two.run().duplicates.isEmpty)
    }

    @Test(arguments: [ReplicaConfiguration.BadSetChoice.stop, .skip])
    func badSetsAreNeverTakenForApplied(_ choice: ReplicaConfiguration.BadSetChoice) throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try one.insertNote("N1", title: "first")
        try one.run(now: FileTime.now)
        let bad = [
            SyncChange(type: .insert, entity: "Nothing", objectSyncID: "X", timestamp: 0)
        ]
        let folder = remote.root.appending("Documents/Document-1/SyncChanges/Client-One")
        try NewFile.write(
            ChangeSetWriter.bytes(of: bad), to: folder.appending("bad-set.syncchg"),
            modified: FileTime(seconds: FileTime.now.seconds - 1000))
        var options = RunOptions()
        options.onBadSet = choice
        let report = try two.run(options)
        #expect(report.badSets.map(\.identifier) == ["bad-set"])
        #expect(report.setsApplied == (choice == .skip ? 1 : 0))
        #expect(!report.wroteRecentSync)
        #expect(try !two.registered().contains("bad-set"))
        try TestFiles.remove(folder.appending("bad-set.syncchg"))
        let later = try two.run()
        #expect(later.badSets.isEmpty && later.wroteRecentSync)
        #expect(try two.objects() == one.objects())
    }

    @Test func anotherKeyStopsTheRun() throws {
        let remote = try SyncedRemote()
        let one = try remote.replica("Client-One")
        try one.insertNote("N1", title: "first")
        let folder = remote.root.appending("Documents/Document-1/IntegrityKey")
        try FileManager.default.moveItem(
            atPath: folder.appending("0F1E2D3C-KEY").string, toPath: folder.appending("ANOTHER-KEY").string)
        #expect(throws: FileProblem.self) { try one.run() }
        #expect(try one.objects().count == 1)
        #expect(try remote.sets().isEmpty)
    }

    @Test func commandsStopTheRun() throws {
        let remote = try SyncedRemote()
        let one = try remote.replica("Client-One")
        try remote.builder.write("Documents/Document-1/SyncCommands/Client-One/x.synccmd", "?")
        #expect(throws: FileProblem.self) { try one.run() }
    }

    @Test func aDryRunChangesNothing() throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try one.insertNote("N1", title: "first")
        try one.run()
        var options = RunOptions()
        options.isDryRun = true
        #expect(try two.run(options).setsApplied == 1)
        #expect(try two.objects().isEmpty)
        #expect(try two.run().setsApplied == 1)
    }
}
