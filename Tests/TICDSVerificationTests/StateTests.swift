import Base
import KeyedArchive
import SystemCalls
import SystemPackage
@testable import TICDSVerification
import TestSupport
import Testing
import TICDSCore

@Suite struct StateTests {
    private let remote: CleanRemote
    private let folder: TemporaryFolder
    private var path: FilePath { folder.path.appending("state") }
    private let start = FileTime(seconds: 1_400_000_000)

    init() throws {
        remote = try CleanRemote(changeSets: 6)
        folder = try TemporaryFolder(prefix: "ticds-state")
    }

    @Test func theSecondRunOpensNothing() throws {
        let first = try run()
        let second = try run()
        #expect(second.examined.count == 0)
        #expect(second.known == first.examined)
    }

    @Test func whatIsNewOrChangedIsOpened() throws {
        let before = try run()
        let set = try changeSet()
        let bytes = try remote.plain(set)
        try remote.write(set, bytes)
        try TestFiles.setTime(remote.path(set), FileTime(seconds: 1_390_000_000))
        try remote.write(set.replacing("-", with: "-0"), bytes)
        let after = try run()
        #expect(after.examined.count == 2)
        #expect(after.known.count == before.examined.count - 1)
        #expect(try run().examined.count == 0)
    }

    @Test func whatIsNotSoundIsOpenedEachTime() throws {
        _ = try run()
        let set = try changeSet()
        try remote.damage(set) { $0.removeLast(40) }
        for _ in 0..<2 {
            let report = try run()
            #expect(report.examined.count == 1)
            #expect(report.findings.map(\.path.text) == [set])
        }
    }

    @Test func changedBytesOfTheSameSizeAndTimeAreFoundWhenTrustEnds() throws {
        _ = try run()
        let key = try #require(try remote.context().snapshot.documents.first?.integrityKeys.first)
        try remote.damage(key.path.text) { $0[$0.count - 1] ^= 1 }
        #expect(try run(at: 10, trust: 20).findings.isEmpty)
        let report = try run(at: 30, trust: 20)
        #expect(report.findings.map(\.kind.code) == ["TICDS-0722"])
        #expect(report.findings.first?.path == key.path)
    }

    @Test func theOldestComeFirst() throws {
        let all = try run().examined.count
        let set = try changeSet()
        let bytes = try remote.plain(set)
        try remote.write(set, bytes)
        try TestFiles.setTime(remote.path(set), FileTime(seconds: 1_390_000_000))
        _ = try run(at: 50)
        let report = try run(at: 100, trust: 20, files: all - 1)
        #expect(report.examined.count == all - 1)
        #expect(report.left.count == 1)
        let last = try run(at: 101, trust: 20)
        #expect(last.examined.count == 1)
    }

    @Test func anotherRemoteIsRefused() throws {
        _ = try run()
        #expect(throws: FileProblem.self) { try VerificationState.read(path, of: "/elsewhere") }
        let problem = problem { () throws(FileProblem) in
            _ = try VerificationState.read(path, of: "/elsewhere")
        }
        #expect(problem?.kind == .refused)
    }

    @Test func whatIsNoStateFileIsRefused() throws {
        for bytes in [[], [1, 2, 3], Array("bplist00".utf8)] {
            try TestFiles.write(path, bytes)
            let problem = problem { () throws(FileProblem) in
                _ = try VerificationState.read(path, of: remote.root)
            }
            #expect(problem?.kind == .damaged)
        }
        let other = ArchivedValue.dictionary(["schema": .string("another")])
        try TestFiles.write(path, try BinaryPropertyListWriter.bytes(of: other))
        let problem = problem { () throws(FileProblem) in
            _ = try VerificationState.read(path, of: remote.root)
        }
        #expect(problem?.kind == .unsupported)
    }

    /// A file of 100 kB must not take hours: the same line, or the same long name, a great many times.
    @Test(.timeLimit(.minutes(1)), arguments: [60_000, 16_000, 2]) func endlessListsAreDamaged(length: Int)
        throws
    {
        let known = ArchivedValue.array([
            .data(Array(repeating: 0, count: length)), .integer(1), .integer(2), .integer(3), .integer(4),
            .data([1]), .integer(5),
        ])
        let list = ArchivedValue.dictionary([
            "schema": .string("state of ticds-verify, 1"), "remote": .data(remote.root.bytes),
            "files": .array(Array(repeating: known, count: 20_000)),
        ])
        try TestFiles.write(path, try BinaryPropertyListWriter.bytes(of: list))
        let problem = problem { () throws(FileProblem) in
            _ = try VerificationState.read(path, of: remote.root)
        }
        #expect(problem?.kind == .damaged)
    }

    @Test func namesThatAreNotUTF8AreKept() throws {
        var known = KnownFiles(isInUse: true)
        let name: RemotePath = [RemoteName([0x66, 0xFF, 0x0A]), "b"]
        known[name] = KnownFile(
            size: -1, modified: FileTime(seconds: -5, nanoseconds: 999_999_999), inode: .max, digest: [1, 2],
            checked: start)
        try VerificationState.write(known, to: path, of: remote.root)
        #expect(try VerificationState.read(path, of: remote.root) == known)
    }

    /// The files of one folder need not be together, and names may be empty.
    @Test func filesInAnyOrderAreRead() throws {
        let paths: [[UInt8]] = ["d/b", "a", "d/c", "/x", "", "d/a", "d/e/f", "b", "/y"].map {
            (path: String) in
            path.utf8.map { $0 == UInt8(ascii: "/") ? 0 : $0 }
        }
        try writeState(of: paths)
        let known = try VerificationState.read(path, of: remote.root)
        #expect(known.count == paths.count)
        for (number, path) in paths.enumerated() {
            let names = path.split(separator: 0, omittingEmptySubsequences: false).map { RemoteName($0) }
            #expect(known[RemotePath(names)]?.size == Int64(number))
        }
    }

    @Test(arguments: [["d/b", "a", "d/b"], ["a", "a"], ["", ""], ["/", "/"]])
    func repeatedFilesAreDamaged(paths: [String]) throws {
        try writeState(of: paths.map { $0.utf8.map { $0 == UInt8(ascii: "/") ? 0 : $0 } })
        #expect(
            problem { () throws(FileProblem) in _ = try VerificationState.read(path, of: remote.root) }?.kind
                == .damaged)
    }

    @Test(arguments: [63, 64]) func pathsOfMoreThan64NamesAreDamaged(separators: Int) throws {
        try writeState(of: [Array(repeating: 0, count: separators)])
        let problem = problem { () throws(FileProblem) in
            _ = try VerificationState.read(path, of: remote.root)
        }
        #expect(problem?.kind == (separators < 64 ? nil : .damaged))
    }

    /// A local listing has inode numbers; without them, the status of each file is fetched.
    @Test func listingsWithInodesFindTheSameChanges() throws {
        _ = try run()
        let known = try VerificationState.read(path, of: remote.root)
        #expect(known.count > 0)
        let sets = try remote.changeSets(of: remote.clients[0]).map {
            "Documents/cookbook/SyncChanges/\(remote.clients[0])/\($0)"
        }
        // A file with the same size and time, but a different inode number.
        let time = try FileStatus.of(remote.path(sets[0])).modified
        try AtomicFile.write(try FileBytes.read(remote.path(sets[0])).array, to: remote.path(sets[0]))
        try TestFiles.setTime(remote.path(sets[0]), time)
        try TestFiles.setTime(remote.path(sets[1]), FileTime(seconds: 1_390_000_000))
        var outcomes: [(VerificationReport, KnownFiles)] = []
        for storage in [remote.storage, UnnumberedStorage(remote.storage)] as [any RemoteStorage] {
            let snapshot = try RemoteSnapshot.take(storage)
            var settings = Verifier.Settings()
            settings.known = known
            settings.workers = 1
            let context = VerificationContext(
                storage: storage, snapshot: snapshot, keyring: remote.keyring, now: start)
            let (report, known) = Verifier(context, settings).verify()
            outcomes.append((report, known))
        }
        #expect(outcomes[0].0.examined.count == 2)
        #expect(outcomes[0].0.examined == outcomes[1].0.examined)
        #expect(outcomes[0].0.known == outcomes[1].0.known)
        #expect(outcomes[0].1 == outcomes[1].1)
    }

    private func writeState(of paths: [[UInt8]]) throws {
        let files = paths.enumerated().map { number, path in
            ArchivedValue.array([
                .data(path), .integer(Int128(number)), .integer(2), .integer(3), .integer(4), .data([1, 2]),
                .integer(5),
            ])
        }
        let list = ArchivedValue.dictionary([
            "schema": .string("state of ticds-verify, 1"), "remote": .data(remote.root.bytes),
            "files": .array(files),
        ])
        try TestFiles.write(path, try BinaryPropertyListWriter.bytes(of: list))
    }

    private func problem(_ body: () throws(FileProblem) -> Void) -> FileProblem? {
        do throws(FileProblem) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private func changeSet() throws -> String {
        let name = try #require(try remote.changeSets(of: remote.clients[0]).first)
        return "Documents/cookbook/SyncChanges/\(remote.clients[0])/\(name)"
    }

    /// Verifies with the state file, some seconds after the start; ends after a number of files.
    private func run(
        at seconds: Int64 = 0, trust: Int64? = nil, files: Int = .max
    ) throws -> VerificationReport {
        var settings = Verifier.Settings()
        settings.known = try VerificationState.read(path, of: remote.root)
        settings.longestTrust = trust
        settings.workers = 1
        let budget = Budget(files)
        settings.mayContinue = { budget.take() }
        let context = try remote.context(now: FileTime(seconds: start.seconds + seconds))
        let (report, known) = Verifier(context, settings).verify()
        try VerificationState.write(known, to: path, of: remote.root)
        return report
    }
}

/// A local remote whose listings have no inode numbers.
private struct UnnumberedStorage: RemoteStorage {
    private let storage: LocalStorage
    var root: FilePath { storage.root }

    init(_ storage: LocalStorage) { self.storage = storage }

    func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents {
        var contents = try storage.list(folder)
        contents.listing = FolderListing(contents.listing.map(\.self))
        return contents
    }

    func status(of path: RemotePath) throws(FileProblem) -> FileStatus { try storage.status(of: path) }

    func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes {
        try storage.read(file, limit: limit)
    }

    func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes {
        try storage.read(file, range: range)
    }

    func onDisk(_ file: RemotePath) throws(FileProblem) -> FileOnDisk { try storage.onDisk(file) }
}
