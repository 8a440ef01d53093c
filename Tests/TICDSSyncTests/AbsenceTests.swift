import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore
@testable import TICDSOperations
@testable import TICDSSync

/// Only an entry that does not exist is absent; every other error stops the code that depends on it.
@Suite struct AbsenceTests {
    /// A name that is longer than in any file system: the system cannot determine whether the file exists
    /// (ENAMETOOLONG).
    private static let untold = String(repeating: "n", count: 300)

    @Test func missingIsNil() throws {
        let folder = try TemporaryFolder()
        try TestFiles.write(folder.path.appending("file"), [1])
        #expect(try FileStatus.ifPresent(folder.path.appending("file"))?.size == 1)
        #expect(try FileStatus.ifPresent(folder.path.appending("none")) == nil)
        // Below a file (ENOTDIR).
        #expect(try FileStatus.ifPresent(folder.path.appending("file").appending("below")) == nil)
        #expect(Self.problem { _ = try FileStatus.ifPresent(folder.path.appending(Self.untold)) } != nil)
    }

    /// Recovery takes an action with an empty slot for done.
    @Test func aSlotThatCannotBeSeenIsNotEmpty() throws {
        let folder = try TemporaryFolder()
        #expect(try !EntryPlace(folder: folder.path.appending("none"), name: "0").isFull)
        let slot = EntryPlace(folder: folder.path.appending(Self.untold), name: "0")
        #expect(Self.problem { _ = try slot.isFull } != nil)
    }

    @Test func aPathThatCannotBeFollowedIsNoOther() throws {
        let folder = try TemporaryFolder()
        #expect(try folder.path.appending("none").resolved() == nil)
        #expect(Self.problem { _ = try folder.path.appending(Self.untold).resolved() } != nil)
        try TestFiles.link(folder.path.appending("loop"), to: "loop")
        #expect(try folder.path.appending("loop").resolved() == nil)
    }

    static let places: [RemotePath] = [
        ["Documents", "Document-1"], ["Documents", "Document-1", "IntegrityKey"],
        ["Documents", "Document-1", "SyncCommands"], ["Documents", "Document-1", "SyncChanges"],
        ["Documents", "Document-1", "SyncChanges", "Client-One"],
    ]

    /// The key, the commands and the membership are never absent because they cannot be read.
    @Test(arguments: places, [Errno.ioError, .permissionDenied, .staleNFSFileHandle])
    func aRunStopsAtWhatItCannotSee(place: RemotePath, error: Errno) throws {
        let remote = try SyncedRemote()
        let one = try remote.replica("Client-One")
        try one.insertNote("N1", title: "first")
        let before = try TreeImage(of: remote.root).withoutIdentity
        let blind = BlindStorage(inner: LocalStorage(root: one.remote), place: place, error: error)
        let opened = ReplicaRemote(
            storage: blind, keyring: RemoteKeyring(.plain),
            state: RemoteState(root: one.remote, stateHome: one.stateHome))
        let problem = Self.problem { _ = try Self.run(one, opened) }
        #expect(problem?.kind == .unreadable)
        #expect(problem?.path == place.filePath(under: one.remote))
        #expect(try TreeImage(of: remote.root).withoutIdentity.differences(from: before) == [])
        #expect(try one.run().sent != nil)
    }

    /// The sets of another client are unknown: nothing is lost, and nothing is reported as complete.
    @Test func aRunNamesASetsFolderThatItCannotList() throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try two.insertNote("N1", title: "theirs")
        try two.run()
        let place: RemotePath = ["Documents", "Document-1", "SyncChanges", "Client-Two"]
        let opened = ReplicaRemote(
            storage: BlindStorage(inner: LocalStorage(root: one.remote), place: place, error: .ioError),
            keyring: RemoteKeyring(.plain), state: RemoteState(root: one.remote, stateHome: one.stateHome))
        let report = try Self.run(one, opened)
        #expect(report.problems.map(\.path) == [place.filePath(under: one.remote)])
        #expect(!report.wroteRecentSync)
        #expect(try one.run().setsApplied == 1)
    }

    @Test func aTestFileThatCannotBeReadLeavesNoKeyUnchecked() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 1)
        let place: RemotePath = [RemoteLayout.encryption, RemoteLayout.encryptionTest]
        let blind = BlindStorage(inner: LocalStorage(root: remote.root), place: place, error: .ioError)
        let key = try #require(remote.key)
        #expect(Self.problem { _ = try PasswordCheck.check(key, blind) }?.kind == .unreadable)
        // If a different file proves the key, the test file is not needed.
        let other = RemoteLayout.deviceInfo(of: RemoteName(remote.clients[0]))
        guard case .checked = try PasswordCheck.check(key, blind, others: [other]).state else {
            Issue.record("not checked")
            return
        }
    }

    /// A plan from a listing with a gap would take unseen entries for absent.
    @Test func nothingIsPlannedFromAListingWithAGap() throws {
        let remote = try CleanRemote(changeSets: 2)
        let place: RemotePath = ["Documents", "pantry", "TemporaryFiles"]
        let blind = BlindStorage(
            inner: LocalStorage(root: remote.root), place: place, error: .staleNFSFileHandle)
        let snapshot = try RemoteSnapshot.take(blind)
        let problems = [
            // Planners get nothing else.
            Self.problem {
                _ = try PlannedRemote(
                    root: remote.root, LocalStorage(root: remote.root), snapshot,
                    keyring: RemoteKeyring(.plain))
            },
            Self.problem { _ = try ListedRemote(root: remote.root, snapshot) },
        ]
        let gap = place.filePath(under: remote.root)
        #expect(problems.map { $0?.path } == [gap, gap])
    }

    private static func run(_ replica: TestReplica, _ remote: ReplicaRemote) throws -> RunReport {
        func decide(_ conflict: OpenConflict) throws(FileProblem) -> SyncResolution { .undecided }
        return try ReplicaSession(replica.folder).run(RunOptions(), remote, resolve: decide)
    }

    private static func problem(_ body: () throws -> Void) -> FileProblem? {
        do { try body() } catch { return error as? FileProblem }
        return nil
    }
}

/// A storage with one place that can be neither listed, nor examined, nor read.
private struct BlindStorage: RemoteStorage {
    let inner: LocalStorage
    let place: RemotePath
    let error: Errno
    var root: FilePath { inner.root }

    private func check(_ path: RemotePath) throws(FileProblem) {
        if path == place { throw FileProblem(error, path: path.filePath(under: root)) }
    }

    func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents {
        try check(folder)
        return try inner.list(folder)
    }
    func status(of path: RemotePath) throws(FileProblem) -> FileStatus {
        try check(path)
        return try inner.status(of: path)
    }
    func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes {
        try check(file)
        return try inner.read(file, limit: limit)
    }
    func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes {
        try check(file)
        return try inner.read(file, range: range)
    }
}
