import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import Testing
import TICDSCore

/// Registers of change sets, and change sets kept as SQLite stores.
struct RegisterTests {
    private let folder: FilePath

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ticds-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = FilePath(url.path)
    }

    private func cleanUp() { try? FileManager.default.removeItem(atPath: folder.string) }

    private func lines(_ path: FilePath) throws -> [RegisteredChangeSet] {
        var lines: [RegisteredChangeSet] = []
        try ChangeSetRegister(path).forEachChangeSet { lines.append($0) }
        return lines
    }

    private static let some = [
        RegisteredChangeSet(
            identifier: "B", fileName: "B.syncchg", clientIdentifier: "C1", creationDate: 300_000_000,
            localDateOfApplication: 300_000_000.25),
        RegisteredChangeSet(identifier: nil), RegisteredChangeSet(identifier: "A", creationDate: -1.5),
    ]

    @Test func registersReadAsTheyWereWritten() throws {
        defer { cleanUp() }
        let path = folder.appending("AppliedSyncChangeSets.ticdsync")
        try ChangeSetRegisterWriter.write(Self.some, to: path)
        #expect(try lines(path) == Self.some)
        let register = try ChangeSetRegister(path)
        #expect(register.notes.isEmpty)
        let hash = try #require(register.metadata.versionHashes["TICDSSyncChangeSet"])
        #expect(
            hash.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
                == "4148f46c5d747348162e8f9cee9785e54bec8843d35a141bf1219de3d08d1e1b")
        #expect(register.metadata.frameworkVersion == 419)
        #expect(register.metadata.versionIdentifiers == [""])
        #expect(throws: FileProblem.self) { try ChangeSetRegisterWriter.write(Self.some, to: path) }
    }

    /// The statements of real frameworks of that time (core-data-sqlite-store(5), 8).
    @Test func statementsAreExact() throws {
        defer { cleanUp() }
        let path = folder.appending("r.ticdsync")
        try ChangeSetRegisterWriter.write(Self.some, to: path)
        let connection = try SQLiteConnection(uri: SQLiteURI.uri(of: path, immutable: true), mode: .readOnly)
        func column(_ sql: String) throws -> [String] {
            var rows = try connection.prepare(sql)
            var found: [String] = []
            while try rows.step() {
                found.append(rows.text(0) ?? rows.integer(0).map { String($0) } ?? "NULL")
            }
            return found
        }
        #expect(
            try column("SELECT sql FROM sqlite_master ORDER BY rowid") == [
                "CREATE TABLE ZTICDSSYNCCHANGESET ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                    + "ZCREATIONDATE TIMESTAMP, ZLOCALDATEOFAPPLICATION TIMESTAMP, ZCLIENTIDENTIFIER VARCHAR, "
                    + "ZFILENAME VARCHAR, ZSYNCCHANGESETIDENTIFIER VARCHAR )",
                "CREATE INDEX ZTICDSSYNCCHANGESET_ZSYNCCHANGESETIDENTIFIER_INDEX ON ZTICDSSYNCCHANGESET "
                    + "(ZSYNCCHANGESETIDENTIFIER)",
                "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
                "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
            ])
        #expect(try column("PRAGMA page_size") == ["4096"])
        #expect(try column("PRAGMA auto_vacuum") == ["2"])
        #expect(try column("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["3"])
        #expect(try column("SELECT Z_OPT FROM ZTICDSSYNCCHANGESET") == ["1", "1", "1"])
    }

    /// The app's models were merged: different entities, numbers and hashes.
    @Test func mergedModelsAreRead() throws {
        defer { cleanUp() }
        let path = folder.appending("UnappliedSyncChangeSets.ticdsync")
        let merged = ManagedObjectModel(
            entities: FrameworkModels.syncChangeSet.entities + [
                EntityDescription(
                    name: "Animal", attributes: [AttributeDescription(name: "name", type: .string)]),
                EntityDescription(name: "Dog", superentity: "Animal"),
            ])
        var writer = try SQLiteStoreWriter(creating: path, model: merged)
        try writer.insert(StoredObject(entity: "Dog", primaryKey: 1, attributes: [], relationships: []))
        try writer.insert(
            StoredObject(
                entity: "TICDSSyncChangeSet", primaryKey: 5,
                attributes: [StoredAttribute(name: "syncChangeSetIdentifier", value: .string("X"))],
                relationships: []))
        try writer.finish()
        #expect(try lines(path).map(\.identifier) == ["X"])
        #expect(try ChangeSetRegister(path).notes.isEmpty)
    }

    @Test func otherStoresAreNoRegisters() throws {
        defer { cleanUp() }
        let path = folder.appending("x.ticdsync")
        try SQLiteStoreWriter(creating: path, model: FrameworkModels.syncChange).finish()
        let problem = #expect(throws: FileProblem.self) { try ChangeSetRegister(path) }
        #expect(problem?.kind == .unsupported)
    }

    private static func change(
        _ key: Int64, _ type: Int, _ time: Double, _ value: ArchivedValue,
        entity: ArchivedValue = .string("Note")
    ) -> StoredObject {
        StoredObject(
            entity: "TICDSSyncChange", primaryKey: key,
            attributes: [
                StoredAttribute(name: "changeType", value: .integer(Int128(type))),
                StoredAttribute(name: "localTimeStamp", value: .date(time)),
                StoredAttribute(name: "objectEntityName", value: entity),
                StoredAttribute(name: "objectSyncID", value: .string("S\(key)")),
                StoredAttribute(name: "changedAttributes", value: value),
            ], relationships: [])
    }

    @Test func changeSetsMayBeDatabases() throws {
        defer { cleanUp() }
        let path = folder.appending("x.syncchg")
        var writer = try SQLiteStoreWriter(creating: path, model: FrameworkModels.syncChange)
        let inserted = ArchivedValue.dictionary([
            ArchivedPair(key: .string("title"), value: .string("Tea")),
            ArchivedPair(key: .string("rank"), value: .integer(3)),
        ])
        try writer.insert(Self.change(1, 10, 1, .none))
        try writer.insert(Self.change(2, 2, 9, .string("new")))
        try writer.insert(Self.change(3, 2, 4.5, .none))
        try writer.insert(Self.change(4, 1, 20, inserted))
        try writer.insert(Self.change(5, 1, 21, inserted, entity: .none))
        try writer.finish()
        let rows = try SQLiteChangeRows(path)
        #expect(try rows.count() == 5)
        var changes: [SyncChange] = []
        var problems: [FileProblem] = []
        try rows.forEachChange(onDamage: { problems.append($0) }) { changes.append($0) }
        // A change without an entity ends every client that applies it.
        #expect(changes.map(\.primaryKey) == [4, 5, 3, 2, 1])
        #expect(changes.map(\.type) == [.insert, .insert, .attribute, .attribute, .delete])
        #expect(changes[0].changedAttributes["title"] == .string("Tea"))
        #expect(changes[3].changedAttributes == .string("new"))
        #expect(changes[2].timestamp == 4.5)
        #expect(problems.isEmpty)
        let hash = try #require(rows.metadata.versionHashes["TICDSSyncChange"])
        #expect(hash.prefix(4) == [0xDD, 0x98, 0x53, 0xBB])
    }
}
