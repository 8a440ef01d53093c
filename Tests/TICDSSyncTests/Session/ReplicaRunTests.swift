import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSSync

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
        // There is no echo: applying records nothing.
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
        #expect(try FileStatus.ifPresent(one.folder.unsynchronized) != nil)
        try one.run()
        for path in [one.folder.unsynchronized, one.folder.beingSynchronized, one.folder.unapplied] {
            #expect(try FileStatus.ifPresent(path) == nil, "\(path)")
        }
        #expect(try FileStatus.ifPresent(one.folder.recentSync(of: "Client-One")) != nil)
        let recent = remote.root.appending("Documents/Document-1/RecentSyncs/Client-One.recentsync")
        #expect(try FileStatus.ifPresent(recent) != nil)
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

    /// Relationships, values of insertions, and deletions of objects that another client has inserted again cause no
    /// question: local edits are sent later, and have the same effect here as elsewhere.
    @Test func editsThatAreSentLaterCountHere() throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try one.insertNote("N1", title: "first")
        try one.insertNote("N2", title: "second")
        for name in ["F1", "F2", "F3"] {
            try one.edit("INSERT INTO ZFOLDER (Z_ENT, ZNAME, ZTICDSSYNCID) VALUES (1, 'f', '\(name)')")
        }
        try one.edit("INSERT INTO ZPICTURE (Z_ENT, ZTICDSSYNCID) VALUES (3, 'P1')")
        try one.run()
        try two.run()
        try one.edit(
            "UPDATE ZNOTE SET ZFOLDER = (SELECT Z_PK FROM ZFOLDER WHERE ZTICDSSYNCID = 'F1')",
            "UPDATE ZNOTE SET ZCOVER = 1 WHERE ZTICDSSYNCID = 'N1'")
        try one.insertNote("N3", title: "of one")
        try one.run()
        try two.edit(
            "UPDATE ZNOTE SET ZFOLDER = (SELECT Z_PK FROM ZFOLDER WHERE ZTICDSSYNCID = 'F2')",
            "UPDATE ZNOTE SET ZCOVER = 1 WHERE ZTICDSSYNCID = 'N2'")
        try two.insertNote("N3", title: "of two")
        #expect(try two.run().conflicts == 0)
        try one.run()
        let objects = try one.objects()
        #expect(try two.objects() == objects)
        #expect(objects.filter { $0.hasPrefix("Note") && $0.contains("F2") }.count == 2)
        #expect(objects.contains { $0.contains("N2") && $0.contains("cover→P1") })
        #expect(objects.contains { $0.contains("N3") && $0.contains("of two") })
    }

    /// An identifier is not used again before the deletion of its object was sent: in the same set the new object would
    /// be deleted.
    @Test func deletedAndInsertedAgain() throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try one.edit(
            "INSERT INTO ZNOTE (Z_ENT, ZTITLE, ZTEXT, ZTICDSSYNCID) VALUES (2, 'first', 'text', 'N1')")
        try one.run()
        try two.run()
        try one.edit("DELETE FROM ZNOTE")
        _ = try ReplicaSession(one.folder).commit()
        try one.insertNote("N1", title: "again")
        #expect(try ReplicaSession(one.folder).commit().tidied.contains { $0.contains("N1") })
        try one.run()
        try two.run()
        #expect(try two.objects() == one.objects())
        #expect(try two.objects().map { $0.contains("again") && !$0.contains("text=") } == [true])
        // Once the deletion has been sent, the identifier is free.
        try one.edit("DELETE FROM ZNOTE")
        try one.run()
        try one.insertNote("N1", title: "third")
        try one.run()
        try two.run()
        #expect(try two.objects() == one.objects())
        #expect(try two.objects().first?.contains("N1") == true)
    }

    /// A late set with an old modification time, whose author had seen a different one: by time of sending it comes
    /// last for all clients, whatever the order of arrival and the times of the files.
    @Test(arguments: [true, false], [true, false])
    func aDecisionThatIsSentLate(inOrder: Bool, hasTimes: Bool) throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        let three = try remote.replica("Client-Three")
        try one.insertNote("N1", title: "first")
        try one.run()
        for replica in [two, three] { try replica.run() }
        try one.edit("UPDATE ZNOTE SET ZTITLE = 'early'")
        _ = try ReplicaSession(one.folder).commit()
        try two.edit("UPDATE ZNOTE SET ZTITLE = 'late'")
        let overridden = try #require(try two.run().sent?.identifier)
        let kept = try one.run(ConflictPolicy(otherwise: .local))
        let decision = try #require(kept.sent?.identifier)
        let sets = remote.root.appending("Documents/Document-1/SyncChanges")
        let files = [("One", decision), ("Two", overridden)].map { client, set in
            sets.pushing(FilePath("Client-\(client)/\(set).syncchg"))
        }
        let time = FileTime(seconds: FileTime.now.seconds - 3600)
        try TestFiles.setTime(files[0], hasTimes ? time : FileTime(seconds: time.seconds + 7200))
        if !hasTimes { try TestFiles.setTime(files[1], FileTime(seconds: time.seconds + 9000)) }
        let away = remote.scratch.path.appending("away")
        let first = inOrder ? files[0] : files[1]
        try FileManager.default.moveItem(atPath: first.string, toPath: away.string)
        try three.run()
        try FileManager.default.moveItem(atPath: away.string, toPath: first.string)
        let newcomer = try remote.replica("Client-Four")
        for replica in [three, two, one, newcomer] {
            try replica.run()
            #expect(try replica.objects().first?.contains("early") == true, "\(replica.client)")
        }
    }

    /// The decision about a set whose author's clock is ahead must also be kept.
    @Test func clocksThatAreAhead() throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try one.insertNote("N1", title: "first")
        try one.run()
        try two.run()
        try one.edit("UPDATE ZNOTE SET ZTITLE = 'theirs'")
        try one.run(now: FileTime(seconds: FileTime.now.seconds + 3600))
        try two.edit("UPDATE ZNOTE SET ZTITLE = 'mine'")
        _ = try two.run(ConflictPolicy(otherwise: .local))
        let newcomer = try remote.replica("Client-Three")
        for replica in [one, newcomer, two] {
            try replica.run()
            #expect(try replica.objects().first?.contains("mine") == true, "\(replica.client)")
        }
    }

    /// A set that gives an object a different sync ID is not applied at all; a sync ID that an object gets late is its
    /// own.
    @Test func setsThatRewriteASyncID() throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try one.insertNote("N1", title: "first")
        try one.run()
        try two.run()
        let attributes = [ArchivedPair(key: .string(SyncID.attribute), value: .string("OTHER"))]
        let twin = SyncChange(
            type: .insert, entity: "Note", objectSyncID: "N7",
            changedAttributes: .dictionary([
                ArchivedPair(key: .string(SyncID.attribute), value: .string("N1"))
            ]), timestamp: 0)
        let bad: [(String, SyncChange)] = [
            ("0000000000", twin),
            ("0000000001", change(.attribute, key: SyncID.attribute, .string("OTHER"))),
            ("0000000002", change(.attribute, key: SyncID.attribute, .null)),
            ("0000000003", change(.insert, key: nil, .dictionary(attributes))),
        ]
        let good = change(.attribute, key: SyncID.attribute, .string("N1"))
        let folder = remote.root.appending("Documents/Document-1/SyncChanges/Client-One")
        for (name, change) in bad + [("0000000004", good)] {
            let title = self.change(.attribute, key: "title", .string(name))
            try NewFile.write(
                ChangeSetWriter.bytes(of: [change, title]), to: folder.appending("\(name)-set.syncchg"),
                modified: .now)
        }
        var options = RunOptions()
        options.onBadSet = .skip
        let report = try two.run(options)
        #expect(report.badSets.map(\.identifier) == bad.map { "\($0.0)-set" })
        #expect(report.badSets.allSatisfy { $0.problem.found?.contains("the sync ID") == true })
        #expect(try two.objects().map { $0.contains("0000000004") && $0.contains("N1") } == [true])
        // A replay omits the changes, and reports it.
        let history = ChangeHistory(
            of: try #require(RemoteSnapshot.take(remote.builder.storage).documents.first), order: .sending)
        let path = remote.scratch.path.appending("replayed.sqlite")
        try SQLiteStoreWriter(creating: path, model: SyncModel.model()).finish()
        let store = try WritableStore(path, model: SyncModel.model(), identifier: SyncID.attribute)
        let record = try Replay().run(history, in: remote.builder.storage, RemoteKeyring(.plain), into: store)
        try store.finish()
        let notices = record.notices[.refused]
        #expect(notices?.count == 4 && record.isPartial)
        #expect(notices?.first.first?.notice.reason?.contains("sync ID") == true)
        let replayed = try Portrait.of(SQLiteStore(path, model: SyncModel.model()))
        #expect(replayed.count == 1 && replayed.first?.contains("N1") == true)
    }

    private func change(_ type: ChangeType, key: String?, _ value: ArchivedValue) -> SyncChange {
        SyncChange(
            type: type, entity: "Note", objectSyncID: "N1", key: key, changedAttributes: value, timestamp: 0)
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
