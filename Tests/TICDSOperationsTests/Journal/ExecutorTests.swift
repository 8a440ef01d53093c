import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

@Suite struct ExecutorTests {
    static let homes: [FilePath?] = OtherVolume.folder.map { [nil, $0] } ?? [nil]

    @Test(arguments: homes) func doesWhatThePlanSays(home: FilePath?) throws {
        let remote = try ChangedRemote(home: home)
        let before = try remote.image
        let number = try Executor(remote.state).run(try remote.plan())
        #expect(number == 1)
        let after = try remote.image
        let changed = [
            "Documents/new", "Documents/new/SyncChanges", "Documents/new/SyncChanges/client-A",
            "Documents/new/documentInfo.plist", "Documents/notes/DeletedClients/client-B.plist",
            "Documents/notes/RecentSyncs/client-A.recentsync", "Documents/notes/SyncChanges/client-B",
            "Documents/notes/documentInfo.plist", "ReadMe.txt",
        ]
        let sets = before.entries.keys.map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.hasPrefix("Documents/notes/SyncChanges/client-B/") }
        #expect(sets.count == 6)
        #expect(after.differences(from: before) == (changed + sets).sorted())
        let tombstone = after.entries[Array("Documents/notes/DeletedClients/client-B.plist".utf8)]
        let source = before.entries[Array("ClientDevices/client-B/deviceInfo.plist".utf8)]
        #expect(tombstone?.content == source?.content)
        #expect(tombstone?.status.modified == source?.status.modified)
        let info = after.entries[Array("Documents/notes/documentInfo.plist".utf8)]
        #expect(info?.status.modified == FileTime(seconds: 1_200_000_000, nanoseconds: 123_456_789))
        #expect(info?.content == Array("<plist/>".utf8))
    }

    @Test(arguments: homes) func givesEveryByteAndTimeBack(home: FilePath?) throws {
        let remote = try ChangedRemote(home: home)
        let before = try remote.image
        let executor = Executor(remote.state)
        let number = try executor.run(try remote.plan())
        let after = try remote.image
        let undo = try UndoPlanner.plan(undoing: number, in: remote.journal())
        let second = try executor.run(undo, undoing: number)
        #expect(try remote.image.differences(from: before) == [])
        let redo = try UndoPlanner.plan(undoing: second, in: remote.journal())
        let third = try executor.run(redo, undoing: second)
        #expect(try remote.image.differences(from: after) == [])
        let last = try UndoPlanner.plan(undoing: third, in: remote.journal())
        _ = try executor.run(last, undoing: third)
        #expect(try remote.image.differences(from: before) == [])
    }

    @Test(arguments: homes) func leavesNothingBehindButItsState(home: FilePath?) throws {
        let remote = try ChangedRemote(home: home)
        _ = try Executor(remote.state).run(try remote.plan())
        let beside = try LocalStorage(root: remote.builder.folder.path).list(.root).listing.map(\.name.text)
        #expect(beside == ["com.example.notes"])
        let own = try LocalStorage(root: remote.state.folder).list(.root).listing.map(\.name.text)
        #expect(
            own == ["inode", "journal.sqlite", "journal.sqlite-journal", "keys", "lock", "remote", "trash"])
    }

    @Test(arguments: homes) func takesEverythingBackWhenInterrupted(home: FilePath?) throws {
        let remote = try ChangedRemote(home: home)
        let before = try remote.image
        var steps = 0
        for stop in 0..<40 {
            let asked = Mutex(0)
            let watch = ExecutionWatch(isInterrupted: {
                asked.withLock { asked in
                    asked += 1
                    return asked > stop
                }
            })
            let plan = try remote.plan()
            do throws(FileProblem) {
                _ = try Executor(remote.state).run(plan, watch: watch)
            } catch {
                #expect(error.kind == .interrupted)
                #expect(try remote.image.differences(from: before) == [])
                #expect(try OperationRecovery.unfinished(remote.state) == [])
                steps += 1
                continue
            }
            break
        }
        #expect(steps == 14)
    }

    @Test func stopsBeforeHarmWhereTheRemoteHasChanged() throws {
        let changes: [(RemoteBuilder) throws -> Void] = [
            {
                try $0.changeSet("0000388599999.000001-NEW", of: "client-B", in: "notes", time: 1_400_000_000)
            },
            { try $0.write("Documents/notes/documentInfo.plist", "other") },
            { try $0.write("Documents/notes/DeletedClients/client-B.plist", "other") },
            { try $0.recentSync(of: "client-A", in: "notes", time: 1_300_000_001) },
            { try $0.write("ClientDevices/client-B/deviceInfo.plist", "other") },
            { try $0.makeFolder("Documents/new") },
            { try TestFiles.remove($0.root.appending("ReadMe.txt")) },
        ]
        for change in changes {
            let remote = try ChangedRemote()
            let plan = try remote.plan()
            try change(remote.builder)
            let before = try remote.image
            let error = #expect(throws: FileProblem.self) { try Executor(remote.state).run(plan) }
            #expect(error?.kind == .refused)
            #expect(try remote.image.differences(from: before) == [])
            #expect(try OperationRecovery.unfinished(remote.state) == [])
        }
    }

    @Test func neverFollowsALinkOutOfTheRemote() throws {
        let remote = try ChangedRemote()
        let outside = remote.builder.folder.path.appending("outside")
        try TestFiles.makeFolder(outside)
        try TestFiles.write(outside.appending("client-B.plist"), [1])
        try TestFiles.removeTree(remote.root.pushing("Documents/notes/DeletedClients"))
        try remote.builder.link("Documents/notes/DeletedClients", to: "../../../outside")
        var plan = Plan(root: remote.canonicalRoot, command: "test", summary: "Write through a link")
        let path: RemotePath = ["Documents", "notes", "DeletedClients", "new.plist"]
        plan.add(.writeFile(path: path, content: .bytes(PlannedBytes([1])), modified: nil))
        #expect(throws: FileProblem.self) { try Executor(remote.state).run(plan) }
        plan.actions = []
        let seen = EntryState(kind: .file, size: 1, modified: nil)
        plan.add(.moveToTrash(path: ["Documents", "notes", "DeletedClients", "client-B.plist"], seen: seen))
        #expect(throws: FileProblem.self) { try Executor(remote.state).run(plan) }
        for names: RemotePath in [["..", "outside", "x"], ["a/../../outside"], [""], ["."]] {
            plan.actions = []
            plan.add(.writeFile(path: names, content: .bytes(PlannedBytes([1])), modified: nil))
            let error = #expect(throws: FileProblem.self) { try Executor(remote.state).run(plan) }
            #expect(error?.kind == .refused)
        }
        #expect(try LocalStorage(root: outside).list(.root).listing.map(\.name.text) == ["client-B.plist"])
    }

    @Test(arguments: homes) func makesAndRemovesWholeRemotes(home: FilePath?) throws {
        let remote = try ChangedRemote(home: home)
        let before = try remote.image
        var plan = Plan(root: remote.canonicalRoot, command: "test", summary: "Remove the remote")
        plan.add(
            .moveToTrash(
                path: .root, seen: try RemoteSnapshot.take(remote.builder.storage).tree.state(of: .root)))
        let number = try Executor(remote.state).run(plan)
        #expect(try FileStatus.ifPresent(remote.root) == nil)
        let undo = try UndoPlanner.plan(undoing: number, in: remote.journal())
        _ = try Executor(remote.state).run(undo, undoing: number)
        #expect(try remote.image.differences(from: before) == [])

        let other = remote.builder.folder.path.appending("com.example.other")
        var making = Plan(root: other, command: "test", summary: "Make a remote")
        making.add(.writeTree(path: .root, entries: [TreeEntry(path: ["Documents"])]))
        let state = RemoteState(root: other, stateHome: remote.home.path.appending("ticds"))
        _ = try Executor(state).run(making)
        #expect(try FileStatus.of(other.appending("Documents")).kind == .folder)
        #expect(
            try RemoteState.all(in: remote.home.path.appending("ticds")).map(\.root.bytes)
                == [remote.canonicalRoot.bytes, other.bytes])
    }

    @Test func keepsNoTrashWhereNoneIsWanted() throws {
        let remote = try ChangedRemote()
        let number = try Executor(remote.state, keepsTrash: false).run(try remote.plan())
        let journal = try remote.journal()
        #expect(try journal.operation(number).trash == FileTotals())
        let error = #expect(throws: FileProblem.self) { try UndoPlanner.plan(undoing: number, in: journal) }
        #expect(error?.kind == .refused)
        #expect(try FileStatus.ifPresent(remote.state.folder.pushing("trash/1")) == nil)
    }

    @Test func prunesTheTrashOfOldOperations() throws {
        let remote = try ChangedRemote()
        let number = try Executor(remote.state).run(try remote.plan())
        let record = try remote.journal().operation(number)
        #expect(record.trash.count == 8)
        #expect(try Pruning.prune(remote.state, olderThan: 3_600, largerThan: nil, isDryRun: false) == [])
        #expect(
            try Pruning.prune(remote.state, olderThan: nil, largerThan: 0, isDryRun: true).map(\.number) == [
                1
            ])
        #expect(try Pruning.prune(remote.state, olderThan: nil, largerThan: 0, isDryRun: false) == [record])
        let journal = try remote.journal()
        #expect(try journal.operation(number).trash == FileTotals())
        #expect(throws: FileProblem.self) { try UndoPlanner.plan(undoing: number, in: journal) }
        #expect(try FileStatus.ifPresent(remote.state.folder.pushing("trash/1")) == nil)
    }

    @Test func savesAndReadsPlans() throws {
        let remote = try ChangedRemote()
        var plan = try remote.plan()
        plan.note(.warning, "Beware")
        let odd = RemotePath([RemoteName([0xFF, 0x0A, 0x41]), "\u{301}e"])
        plan.add(.moveToTrash(path: odd, seen: EntryState(kind: .symbolicLink, size: 3, modified: .now)))
        let file = remote.home.path.appending("plan.json")
        try TestFiles.write(file, try PlanFile.bytes(of: plan))
        #expect(try PlanFile.read(file) == plan)
    }

    @Test(arguments: ["../x", "/x", "a//b", "a/./b", "a/", "a\0b", ".."])
    func refusesSavedPlansThatLeadOutOfTheRemote(path: String) throws {
        let folder = try TemporaryFolder(prefix: "ticds-plan")
        var plan = Plan(root: "/remote", command: "test", summary: "Leave")
        plan.add(.makeFolder(path: ["PLACE"]))
        let text = String(decoding: try PlanFile.bytes(of: plan), as: UTF8.self)
            .split(separator: "PLACE").joined(separator: path == "a\0b" ? "a\\u0000b" : path)
        let file = folder.path.appending("plan.json")
        try TestFiles.write(file, Array(text.utf8))
        let error = #expect(throws: FileProblem.self) { try PlanFile.read(file) }
        #expect(error?.kind == .damaged)
    }
}
