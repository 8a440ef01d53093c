import CoreDataStore
import CoreDataTools
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSSync

/// Replays of random histories, compared with an interpreter without knowledge of stores. The variable TICDS_HISTORIES
/// sets their number, TICDS_SEED chooses others.
@Suite struct RandomHistoryTests {
    private static let count = Int(ProcessInfo.processInfo.environment["TICDS_HISTORIES"] ?? "") ?? 200

    @Test func replayIsWhatTheInterpreterSays() throws {
        var notices: Set<SyncNotice.Kind> = []
        var objects = 0
        for number in 0..<UInt64(Self.count) {
            let seed = RandomNumbers.seed &* 1_000_000 &+ number
            let outcome = try Outcome(seed)
            #expect(outcome.found == outcome.expected, "seed \(seed)")
            #expect(outcome.findings == [], "seed \(seed)")
            #expect(outcome.warnings == outcome.expectedWarnings, "seed \(seed)")
            if outcome.found != outcome.expected { break }
            notices.formUnion(outcome.notices)
            objects += outcome.found.count
            guard number % 25 == 0 else { continue }
            let complaints = try outcome.complaints()
            #expect(complaints == "", "seed \(seed)")
        }
        let kinds: [SyncNotice.Kind] = [
            .objectMissingForAttribute, .objectMissingForRelationship, .objectMissingForDeletion,
            .targetMissing, .deletionDenied, .removedWithOwner,
        ]
        #expect(notices.isSuperset(of: kinds))
        #expect(objects > 3 * Self.count)
    }

    @Test func replayInStepsIsThatOfAllSets() throws {
        for number in 0..<UInt64(min(Self.count, 60)) {
            let seed = RandomNumbers.seed &* 1_000_000 &+ number
            let history = RandomHistory(seed: seed)
            let folder = try TemporaryFolder(prefix: "ticds-history")
            let root = folder.path.appending("remote")
            try history.write(to: root)
            let storage = LocalStorage(root: root)
            let sets = ChangeHistory(of: try RemoteSnapshot.take(storage).documents[0], order: .sending)
            let (whole, parts) = (folder.path.appending("whole"), folder.path.appending("parts"))
            for path in [whole, parts] {
                try SQLiteStoreWriter(creating: path, model: RandomHistory.model).finish()
            }
            func write<Result>(_ path: FilePath, _ body: (WritableStore) throws -> Result) throws -> Result {
                let store = try WritableStore(
                    path, model: RandomHistory.model, identifier: SyncID.attribute)
                let result = try body(store)
                try store.finish()
                return result
            }
            let expected = try write(whole) {
                try Replay().run(sets, in: storage, RemoteKeyring(.plain), into: $0)
            }
            var state = ReplayState()
            let step = Int(seed % 3) + 1
            for start in stride(from: 0, to: sets.count, by: step) {
                var replay = Replay()
                replay.registered = Set(
                    (start..<sets.count).dropFirst(step).map { sets[$0].file.identifier.text })
                try write(parts) {
                    try replay.advance(
                        &state, along: sets, from: start, in: storage, RemoteKeyring(.plain), into: $0)
                }
            }
            let found = try write(parts) { try Replay().finish(state, in: $0) }
            #expect(found.changesApplied == expected.changesApplied, "seed \(seed)")
            #expect(found.notices.mapValues(\.first) == expected.notices.mapValues(\.first), "seed \(seed)")
            let stores = try [whole, parts].map { try SQLiteStore($0, model: RandomHistory.model) }
            #expect(try Portrait.of(stores[1]) == Portrait.of(stores[0]), "seed \(seed)")
        }
    }
}

/// One history, replayed in two halves: into a new store, and into the resulting store.
private struct Outcome {
    let expected: [String]
    let expectedWarnings: [Int: Int]
    private(set) var found: [String] = []
    private(set) var warnings: [Int: Int] = [:]
    private(set) var findings: [StoreFinding] = []
    private(set) var notices: Set<SyncNotice.Kind> = []
    private let folder: TemporaryFolder
    private let path: FilePath

    init(_ seed: UInt64) throws {
        let history = RandomHistory(seed: seed)
        let model = RandomHistory.model
        let without: Set<RemoteName> = seed % 4 == 0 ? ["client-1"] : []
        let until = seed % 5 == 0 ? FileTime(secondsSince2001: 400_000_003) : nil
        var interpreter = PlainInterpreter(model)
        let middle = Int(seed % UInt64(history.sets.count + 1))
        for (number, set) in history.sets.enumerated() {
            // The second replay begins here.
            if number == middle { try interpreter.finish() }
            if !without.contains(RemoteName(set.client)), until == nil || set.modified < 400_000_003 {
                try interpreter.apply(set.changes)
            }
        }
        try interpreter.finish()
        expected = Portrait.of(interpreter.document)
        expectedWarnings = Dictionary(interpreter.warnings.map { ($0, 1) }, uniquingKeysWith: +)

        folder = try TemporaryFolder(prefix: "ticds-history")
        let root = folder.path.appending("remote")
        try history.write(to: root)
        path = folder.path.appending("store.sqlite")
        try SQLiteStoreWriter(creating: path, model: model).finish()
        let storage = LocalStorage(root: root)
        let document = try RemoteSnapshot.take(storage).documents[0]
        let identifiers = history.sets.map(\.identifier)
        for half in [identifiers[middle...], identifiers[..<middle]] {
            var replay = Replay()
            replay.registered = Set(half)
            replay.until = until
            replay.without = without
            let store = try WritableStore(path, model: model, identifier: SyncID.attribute)
            let record = try replay.run(
                ChangeHistory(of: document), in: storage, RemoteKeyring(.plain), into: store)
            try store.finish()
            for (kind, some) in record.notices {
                notices.insert(kind)
                if let number = kind.warningNumber, number < 8 { warnings[number, default: 0] += some.count }
            }
        }
        let store = try SQLiteStore(path, model: model)
        found = try Portrait.of(store)
        findings = try StoreChecker.check(store).findings
    }

    /// The faults that the sqlite3 program finds in the file.
    func complaints() throws -> String {
        let queries = [
            "SELECT 'integrity ' || integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
            "SELECT 'highest key of ' || Z_NAME FROM Z_PRIMARYKEY WHERE Z_NAME = 'Thing' AND Z_MAX < "
                + "(SELECT coalesce(max(Z_PK), 0) FROM ZTHING)",
            "SELECT 'version of ' || Z_PK FROM ZTHING WHERE Z_OPT IS NULL OR Z_OPT < 1 OR Z_OPT > 2",
            "SELECT 'entity beside author of ' || t.Z_PK FROM ZTHING t LEFT JOIN ZTHING a ON a.Z_PK = t.ZAUTHOR "
                + "WHERE t.ZAUTHOR IS NOT NULL AND t.Z_ENT IN (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME IN "
                + "('Note', 'Memo')) AND (a.Z_PK IS NULL OR a.Z_ENT IS NOT t.Z4_AUTHOR)",
            "SELECT 'place of ' || Z_PK FROM ZTHING WHERE (ZFOLDER IS NULL) <> (Z_FOK_FOLDER IS NULL)",
            "SELECT 'one-to-one of ' || p.Z_PK FROM ZPICTURE p LEFT JOIN ZTHING t ON t.Z_PK = p.ZNOTE "
                + "WHERE p.ZNOTE IS NOT NULL AND t.ZCOVER IS NOT p.Z_PK",
            "SELECT 'index ' || name FROM sqlite_master WHERE name LIKE 'ticds%'",
        ]
        return try queries.map { try Shell.sqlite($0, path) }.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

enum Shell {
    /// The output of the sqlite3 program.
    static func sqlite(_ sql: String, _ path: FilePath) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [path.string, sql]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
