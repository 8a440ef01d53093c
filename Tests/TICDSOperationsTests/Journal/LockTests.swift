import Glibc
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSOperations

@Suite struct LockTests {
    @Test func refusesASecondProcessAndSaysWhoHasTheLock() throws {
        let remote = try ChangedRemote()
        try remote.state.make()
        let lock = try StateLock(remote.state, command: "ticds-vacuum", until: Deadline(seconds: 0))
        let error = #expect(throws: FileProblem.self) { try Executor(remote.state).run(try remote.plan()) }
        #expect(error?.kind == .refused)
        #expect(error?.found?.contains("ticds-vacuum") == true)
        #expect(
            error?.found?.contains("process \(HostIdentity.process) on \(HostIdentity.host), since 2") == true
        )
        _ = consume lock
        _ = try Executor(remote.state).run(try remote.plan())
    }

    @Test func fifoIsNoLock() throws {
        let folder = try TemporaryFolder(prefix: "ticds-lock")
        let path = folder.path.appending("lock")
        try TestFiles.makeFifo(path)
        let error = #expect(throws: FileProblem.self) {
            _ = try FileLock(path, wait: 0) { .locked(path, by: $0) }
        }
        #expect(error?.problem == "not a plain file")
    }

    @Test func waitsForTheLock() throws {
        let remote = try ChangedRemote()
        try remote.state.make()
        let error = try {
            let lock = try StateLock(remote.state, command: "ticds-vacuum", until: Deadline(seconds: 0))
            let error = #expect(throws: FileProblem.self) {
                try Executor(remote.state, lockWait: 1).run(try remote.plan())
            }
            _ = consume lock
            return error
        }()
        #expect(error?.kind == .refused)
    }

    /// The lock file beside the remote.
    private func lockFile(_ remote: ChangedRemote) -> FilePath {
        remote.canonicalRoot.removingLastComponent().appending(".ticds-com.example.notes.lock")
    }

    private func write(_ note: LockNote, _ remote: ChangedRemote) throws {
        try TestFiles.write(lockFile(remote), note.bytes)
    }

    @Test func commandsOfOtherStateHomesSeeTheLock() throws {
        let remote = try ChangedRemote()
        let journal = try Journal.open(remote.state)
        let lock = try RemoteLock(journal, command: "ticds-vacuum", until: Deadline(seconds: 0))
        let note = try LockNote(lockFile(remote))
        #expect(note.command == "ticds-vacuum" && note.stateFolder == remote.state.folder)
        let home = try TemporaryFolder(prefix: "ticds-state")
        let other = RemoteState(root: remote.canonicalRoot, stateHome: home.path)
        let error = #expect(throws: FileProblem.self) { try Executor(other).run(try remote.plan()) }
        #expect(error?.kind == .refused && error?.isBusy == true)
        #expect(error?.found?.contains("ticds-vacuum") == true)
        // Also if the file cannot be seen: the folder itself is locked.
        try TestFiles.remove(lockFile(remote))
        #expect(throws: FileProblem.self) { try Executor(other).run(try remote.plan()) }
        #expect(throws: FileProblem.self) { try lock.begin(1, "", staging: "x") }
        withExtendedLifetime(lock) {}
    }

    @Test func aLockOfAnotherMachineIsBelieved() throws {
        let remote = try ChangedRemote()
        var note = LockNote(remote.state, command: "ticds-vacuum")
        note.host = "elsewhere"
        note.boot = "another"
        note.machine = "another"
        try write(note, remote)
        let before = try remote.image
        let error = #expect(throws: FileProblem.self) { try Executor(remote.state).run(try remote.plan()) }
        #expect(error?.kind == .refused)
        #expect(
            error?.found?.contains("on elsewhere") == true
                && error?.found?.contains("last active") == true)
        #expect(error?.advice?.contains("remove this file") == true)
        #expect(try LockNote(lockFile(remote)) == note)
        #expect(try remote.image == before)
        try TestFiles.remove(lockFile(remote))
        _ = try Executor(remote.state).run(try remote.plan())
    }

    @Test func aLockThatARestartHasEndedIsTakenOver() throws {
        let remote = try ChangedRemote()
        var note = LockNote(remote.state, command: "ticds-vacuum")
        note.boot = "another"
        try write(note, remote)
        _ = try Executor(remote.state).run(try remote.plan())
        #expect(try FileStatus.ifPresent(lockFile(remote)) == nil)
    }

    @Test func whatIsNoLockStopsEverything() throws {
        for make: (FilePath) throws -> Void in [
            { try TestFiles.write($0, Array("{}".utf8)) }, { try TestFiles.write($0, []) },
            { try TestFiles.link($0, to: "elsewhere") }, { try TestFiles.makeFolder($0) },
            { try TestFiles.makeFifo($0) },
        ] {
            let remote = try ChangedRemote()
            try make(lockFile(remote))
            let error = #expect(throws: FileProblem.self) {
                try Executor(remote.state).run(try remote.plan())
            }
            #expect(error?.kind == .refused && error?.path == lockFile(remote) && error?.advice != nil)
        }
    }

    /// Drafts of lock files are removed if their makers no longer run, and no others.
    @Test func draftsOfTheDeadGo() throws {
        let remote = try ChangedRemote()
        let folder = remote.canonicalRoot.removingLastComponent()
        let note = LockNote(remote.state, command: "ticds-vacuum")
        var foreign = note
        foreign.boot = "another"
        foreign.machine = "another"
        let old = FileTime.now.adding(seconds: -100_000)
        func draft(_ of: String, _ digit: String) -> FilePath {
            folder.appending(".ticds-\(of).lock-" + String(repeating: digit, count: 32))
        }
        let name = "com.example.notes"
        let drafts: [(path: FilePath, bytes: [UInt8], time: FileTime?, stays: Bool)] = [
            (draft(name, "0"), note.bytes, nil, false),
            (draft("com.example.former", "1"), note.bytes, nil, false),
            (draft(name, "2"), [], nil, true), (draft(name, "3"), [], old, false),
            (draft(name, "4"), Array(note.bytes.prefix(20)), nil, true),
            (draft(name, "5"), Array(note.bytes.prefix(20)), old, false),
            (draft(name, "6"), foreign.bytes, nil, true), (draft(name, "7"), foreign.bytes, old, false),
            (draft(name, "8"), note.bytes, old, true),
            (draft(name, "g"), note.bytes, old, true),
        ]
        for draft in drafts { try NewFile.write(draft.bytes, to: draft.path, modified: draft.time) }
        // Its maker runs.
        let lock = try AdvisoryLock.take(draft(name, "8"))
        try TestFiles.link(draft(name, "9"), to: "elsewhere")
        _ = try Executor(remote.state).run(try remote.plan())
        for draft in drafts {
            #expect((try FileStatus.ifPresent(draft.path) != nil) == draft.stays, "\(draft.path)")
        }
        #expect(try FileStatus.of(draft(name, "9")).kind == .symbolicLink)
        withExtendedLifetime(lock) {}
    }

    @Test func theJournalNeverLiesInTheRemote() throws {
        let remote = try ChangedRemote()
        try TestFiles.link(remote.home.path.appending("link"), to: remote.canonicalRoot.string)
        let before = try remote.image
        for home in [
            remote.canonicalRoot, remote.canonicalRoot.appending("Documents"),
            remote.home.path.appending("link"),
        ] {
            let state = RemoteState(root: remote.canonicalRoot, stateHome: home.appending("ticds"))
            let error = #expect(throws: FileProblem.self) { try Executor(state).run(try remote.plan()) }
            #expect(error?.kind == .refused && error?.problem.contains("in the remote") == true)
        }
        #expect(try remote.image == before)
    }

    /// Numbers of operations never equal those of an earlier trash, even if an old copy of the journal was restored.
    @Test func numbersBeginAboveTheTrash() throws {
        let remote = try ChangedRemote()
        try remote.state.make()
        let strange = remote.state.trash(of: 7).appending("1")
        try TestFiles.makeFolders(strange)
        #expect(try Executor(remote.state).run(try remote.plan()) == 8)
        #expect(try FileStatus.of(strange).kind == .folder)
    }

    /// A staging folder that is a link, or that other users can write to, is never used.
    @Test(arguments: OtherVolume.folder.map { [nil, $0] } ?? [nil])
    func foldersOfOthersAreRefused(home: FilePath?) throws {
        let remote = try ChangedRemote(home: home)
        let journal = try Journal.open(remote.state)
        let location = try StagingLocation(remote.state)
        let staging = try location.make()
        let plan = try remote.plan()
        let number = try journal.begin(
            plan, staging: staging, trashIsNear: location.trashIsNear, keepsTrash: true, undoing: nil)
        let places = try journal.places(of: number)
        try places.make()
        try places.check()
        #expect(throws: FileProblem.self) { try places.make() }
        #expect(chmod(places.stagingFolder.string, 0o777) == 0)
        #expect(throws: FileProblem.self) { try OperationRecovery.recover(remote.state) }
        #expect(chmod(places.stagingFolder.string, 0o700) == 0)
        let aside = staging.removingLastComponent().appending("aside")
        #expect(rename(staging.string, aside.string) == 0)
        try TestFiles.link(staging, to: aside.string)
        let error = #expect(throws: FileProblem.self) { try OperationRecovery.recover(remote.state) }
        #expect(error?.kind == .refused)
        #expect(try FileStatus.of(aside.appending("\(number)")).kind == .folder)
        try TestFiles.remove(staging)
        #expect(rename(aside.string, staging.string) == 0)
        #expect(try OperationRecovery.recover(remote.state).map(\.state) == [.rolledBack])
    }
}
