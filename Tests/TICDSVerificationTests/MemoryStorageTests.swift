import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations
import TICDSVerification

/// Code that reads a remote uses only its storage: a remote in memory, with a root that does not exist, has the same
/// report and the same findings as the folder from which it was read, and the same plan is made for it.
@Suite struct MemoryStorageTests {
    private static let nowhere = FilePath("/nowhere/com.example.cookbook")

    private static func report(_ storage: any RemoteStorage, _ keyring: RemoteKeyring) throws -> String {
        let report = RemoteReport(
            try RemoteSnapshot.take(storage), sources: ReportSources(storage, keyring: keyring))
        #expect(report.problems.isEmpty)
        return String(describing: report)
    }

    private static func findings(
        _ storage: any RemoteStorage, _ keyring: RemoteKeyring
    ) throws -> [Finding] {
        var settings = Verifier.Settings()
        settings.level = .deep
        let context = VerificationContext(
            storage: storage, snapshot: try RemoteSnapshot.take(storage), keyring: keyring,
            now: FileTime(seconds: 1_400_000_000))
        return Verifier(context, settings).verify().report.findings
    }

    @Test(arguments: CleanRemote.Kind.allCases)
    func hasTheReportAndTheFindingsOfItsFolder(kind: CleanRemote.Kind) throws {
        let clean = try CleanRemote(kind)
        let sound = try MemoryStorage(copying: clean.storage, root: Self.nowhere)
        #expect(try Self.report(sound, clean.keyring) == Self.report(clean.storage, clean.keyring))
        #expect(try Self.findings(sound, clean.keyring) == Self.findings(clean.storage, clean.keyring))

        for file in ["WholeStore.ticdsync", "AppliedSyncChangeSets.ticdsync"] {
            try clean.damage("Documents/cookbook/WholeStore/\(clean.clients[0])/\(file)") {
                $0.removeLast(600)
            }
        }
        let set = try #require(try clean.changeSets(of: clean.clients[0]).first)
        try clean.damage("Documents/cookbook/SyncChanges/\(clean.clients[0])/\(set)") { $0.removeLast(40) }
        let damaged = try MemoryStorage(copying: clean.storage, root: Self.nowhere)
        let expected = try Self.findings(clean.storage, clean.keyring)
        #expect(expected.count >= 3)
        #expect(try Self.findings(damaged, clean.keyring) == expected)
    }

    /// Commands carry a plan out in a folder, wherever it was made.
    @Test func hasThePlanOfItsFolder() throws {
        let clean = try CleanRemote()
        let root = try #require(try clean.root.resolved())
        let client = RemoteName(clean.clients[1])
        func plan(_ storage: any RemoteStorage) throws -> Plan {
            let snapshot = try RemoteSnapshot.take(storage)
            let remote = try PlannedRemote(
                root: root, storage, snapshot, keyring: clean.keyring, now: FileTime(seconds: 1_400_000_000))
            return try ClientDeletionPlanner(remote).plan(client, from: .document("cookbook"))
        }
        var memory = try MemoryStorage(copying: clean.storage)
        let made = try plan(memory)
        #expect(made == (try plan(clean.storage)))

        let home = try TemporaryFolder()
        _ = try Executor(RemoteState(root: root, stateHome: home.path)).run(made)
        let tombstone: RemotePath = [
            "Documents", "cookbook", "DeletedClients", RemoteName("\(client).plist"),
        ]
        #expect(try clean.storage.kind(of: tombstone) == .file)
        memory = try MemoryStorage(copying: clean.storage)
        let document = try #require(try RemoteSnapshot.take(memory).document("cookbook"))
        #expect(!document.clients.contains { $0.identifier == client })
    }

    /// A remote of a few lines.
    @Test func servesADictionary() throws {
        let time = FileTime(seconds: 1_300_000_000)
        let set: RemotePath = ["Documents", "notes", "SyncChanges", "A", "SET.syncchg"]
        var storage = MemoryStorage(root: Self.nowhere, [set: .init([1, 2, 3], modified: time)])
        for count in 1..<set.names.count {
            storage.entries[RemotePath(Array(set.names[..<count]))] = .init(kind: .folder, modified: time)
        }
        let document = try #require(try RemoteSnapshot.take(storage).document("notes"))
        #expect(document.clients.map { $0.changeSets.map(\.modified) } == [[time]])
        #expect(try storage.read(set, range: 1..<9).array == [2, 3])
        #expect(try storage.statusIfPresent(of: ["Documents", "other"]) == nil)
        #expect(throws: FileProblem.self) { try storage.read(["Documents"], limit: .note) }
        #expect(throws: FileProblem.self) { try storage.read(set, limit: ReadLimit(2, "small file")) }
    }
}
