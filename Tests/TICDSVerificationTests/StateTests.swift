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
