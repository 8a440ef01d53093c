import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

@testable import TICDSSync

/// Edits that are larger than one change set may be, with a limit that is lowered for the tests; and large sets.
@Suite struct LargeEditTests {
    private static let limit = SetLimit(bytes: 20_000)

    private func session(_ replica: TestReplica) throws -> ReplicaSession {
        let session = try ReplicaSession(replica.folder)
        session.setLimit = Self.limit
        return session
    }

    private func run(_ replica: TestReplica, _ direction: RunOptions.Direction = .both) throws -> RunReport {
        var options = RunOptions()
        options.direction = direction
        let remote = ReplicaRemote(
            storage: LocalStorage(root: replica.remote), keyring: RemoteKeyring(.plain),
            state: RemoteState(root: replica.remote, stateHome: replica.stateHome))
        return try session(replica).run(options, remote) { _ in .undecided }
    }

    private func insert(_ range: Range<Int>, _ replica: TestReplica) throws {
        for number in range { try replica.insertNote("N\(number)", title: "a note with a title \(number)") }
    }

    /// What the replica remembers: the store as the others know it, and the files to send.
    private func state(_ replica: TestReplica) throws -> [[UInt8]?] {
        let base = try SQLiteShell.run(replica.folder.state, ".dump")
        return try [Array(base.utf8)]
            + [replica.folder.unsynchronized, replica.folder.beingSynchronized].map { path in
                try FileStatus.ifPresent(path).map { _ in try FileBytes.read(path, limit: .changeSet).array }
            }
    }

    enum Command: CaseIterable { case commit, commitWithoutChange, run, pull, push }

    private func perform(_ command: Command, _ replica: TestReplica) throws {
        switch command {
        case .commit: _ = try session(replica).commit()
        case .commitWithoutChange: _ = try session(replica).commit(isDryRun: true)
        case .run: _ = try run(replica)
        case .pull: _ = try run(replica, .pull)
        case .push: _ = try run(replica, .push)
        }
    }

    /// Nothing is recorded, and after a part of the edits was undone, the rest reaches the others.
    @Test(arguments: Command.allCases, [0, 2])
    func editsAboveTheLimitAreRefused(_ command: Command, recordedBefore: Int) throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        if recordedBefore > 0 {
            try insert(1000..<1000 + recordedBefore, one)
            _ = try session(one).commit()
        }
        try insert(0..<300, one)
        let before = try state(one)
        let problem = #expect(throws: FileProblem.self) { try perform(command, one) }
        #expect(problem?.kind == .refused)
        #expect(problem?.problem == "the edits are too large for one change set, and were not recorded")
        #expect(try state(one) == before)
        #expect(try remote.sets() == [])
        #expect(try one.objects().count == 300 + recordedBefore)
        // Small enough again.
        try one.edit("DELETE FROM ZNOTE WHERE ZTICDSSYNCID NOT LIKE 'N1_' AND ZTICDSSYNCID NOT LIKE 'N100_'")
        let count = try one.objects().count
        #expect(try run(one).sent != nil)
        try two.run()
        #expect(try two.objects() == one.objects())
        #expect(try two.objects().count == count && count == 10 + recordedBefore)
        try insert(400..<420, one)
        #expect(try run(one).sent != nil)
        try two.run()
        #expect(try two.objects() == one.objects())
    }

    /// The most edits that a commit records are sent by the next run, with the metadata of an app too.
    @Test(arguments: [false, true]) func whatACommitRecordsIsSent(hasExample: Bool) throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        if hasExample {
            try two.insertNote("T", title: "theirs")
            try two.run()
            try one.run()
        }
        var number = 0
        while true {
            try insert(number..<number + 1, one)
            do { _ = try session(one).commit() } catch {
                #expect((error as? FileProblem)?.kind == .refused)
                break
            }
            number += 1
        }
        #expect(number > 20)
        try one.edit("DELETE FROM ZNOTE WHERE ZTICDSSYNCID = 'N\(number)'")
        let report = try run(one)
        #expect(report.sent != nil && report.changesWaiting == 0)
        try two.run()
        #expect(try two.objects() == one.objects())
        #expect(try two.objects().count == number + (hasExample ? 1 : 0))
    }

    /// A set of more than the size up to which the plan contains it.
    @Test(arguments: [(1 << 20) - 5000, 1 << 20, 3 << 20]) func largeSetsAreSentAsFiles(_ size: Int) throws {
        let remote = try SyncedRemote()
        let (one, two) = (try remote.replica("Client-One"), try remote.replica("Client-Two"))
        try insert(1..<3, one)
        try one.edit(
            "UPDATE ZNOTE SET ZTITLE = replace(hex(zeroblob(\(size / 2))), '0', 'x') WHERE ZTICDSSYNCID = 'N1'",
            "UPDATE ZNOTE SET ZTITLE = replace(hex(zeroblob(\(size / 4))), '0', 'é') WHERE ZTICDSSYNCID = 'N2'"
        )
        let report = try one.run()
        #expect(report.sent != nil && report.changesWaiting == 0)
        try two.run()
        #expect(try two.objects() == one.objects())
        let left = try LocalStorage(root: one.folder.path).list(.root).listing.map { "\($0.name)" }
        #expect(!left.contains { $0.hasPrefix(ChangeSetUpload.scratch) }, "\(left)")
    }

    /// The folder of a set that a killed run left behind.
    @Test func leftFoldersAreRemoved() throws {
        let remote = try SyncedRemote()
        let one = try remote.replica("Client-One")
        let folder = one.folder.path.appending(ChangeSetUpload.scratch + ".0123456789abcdef")
        try TestFiles.makeFolder(folder)
        try TestFiles.write(folder.appending("plain"), [1, 2, 3])
        try one.run()
        #expect(try FileStatus.ifPresent(folder) == nil)
    }
}
