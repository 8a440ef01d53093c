import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

/// Writes meaningful change sets, and checks them.
extension CleanRemote {
    /// A time after everything in the remote, in seconds since 2001.
    static let later = 405_400_000.0

    func deepFindings(
        _ document: RemoteName = "cookbook", damaged: Set<RemotePath> = [], keyring: RemoteKeyring? = nil
    ) throws -> [Finding] {
        let context = try context(keyring: keyring)
        let document = try #require(context.snapshot.document(document))
        return Checks.ofDocuments.filter { $0.level == .deep }
            .flatMap { $0.check.findings(of: document, context, damaged: damaged) }
    }

    /// Adds a change set of one of the clients, named after its time, and returns its path.
    @discardableResult
    func add(
        _ changes: [SyncChange], of client: Int, at time: Double = later, name: String? = nil,
        in document: String = "cookbook"
    ) throws -> String {
        let identifier = name ?? "0\(Int(time)).000000-ADDED-\(client)"
        let path = "Documents/\(document)/SyncChanges/\(clients[client])/\(identifier).syncchg"
        let modified = try #require(FileTime(secondsSince2001: time))
        try write(path, try ChangeSetWriter.bytes(of: changes), time: modified)
        return path
    }

    /// All changes of a document, in order.
    func history(_ document: RemoteName = "cookbook") throws -> [(
        entry: ChangeHistory.Entry, changes: [SyncChange]
    )] {
        let history = ChangeHistory(of: try #require(try context().snapshot.document(document)))
        return try (0..<history.count).map { number in
            let entry = history[number]
            let bytes = try keyring.read(storage, entry.path)
            var changes: [SyncChange] = []
            try ChangeSetReader(bytes, path: entry.path.filePath(under: root)).forEachChange {
                changes.append($0)
            }
            return (entry, changes)
        }
    }

    /// The sync ID of an object that was inserted and not deleted.
    func object(_ entity: String, in document: RemoteName = "cookbook") throws -> String {
        let changes = try history(document).flatMap(\.changes).filter { $0.entity == entity }
        let deleted = Set(changes.filter { $0.type == .delete }.compactMap(\.objectSyncID))
        return try #require(
            changes.first { $0.type == .insert && !deleted.contains($0.objectSyncID ?? "") }?.objectSyncID)
    }

    /// Runs SQL on the whole store of a client; its time stays.
    func change(storeOf client: Int, _ sql: String, in document: String = "cookbook") throws {
        let path = "Documents/\(document)/WholeStore/\(clients[client])/WholeStore.ticdsync"
        let folder = try TemporaryFolder(prefix: "ticds-sql")
        let file = folder.path.appending("store")
        try TestFiles.write(file, try plain(path))
        let output = Python.run(
            "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\nc.executescript(sys.argv[2])\nc.commit()",
            [file.string, sql])
        #expect(output != nil)
        try write(path, try FileBytes.read(file).array)
    }
}

extension SyncChange {
    static func insert(_ entity: String, _ syncID: String, at time: Double = 1) -> SyncChange {
        SyncChange(
            type: .insert, entity: entity, objectSyncID: syncID,
            changedAttributes: .dictionary([
                ArchivedPair(key: .string("ticdsSyncID"), value: .string(syncID))
            ]), timestamp: time)
    }

    static func edit(_ entity: String, _ syncID: String, key: String? = nil, at time: Double = 1)
        -> SyncChange
    {
        SyncChange(
            type: .attribute, entity: entity, objectSyncID: syncID,
            key: key ?? (entity == "Recipe" ? "title" : "name"),
            changedAttributes: .string("new"), timestamp: time)
    }

    static func delete(_ entity: String, _ syncID: String, at time: Double = 1) -> SyncChange {
        SyncChange(type: .delete, entity: entity, objectSyncID: syncID, timestamp: time)
    }

    /// Moves an ingredient to a recipe.
    static func move(_ ingredient: String, to target: String, at time: Double = 1) -> SyncChange {
        SyncChange(
            type: .toOne, entity: "Ingredient", objectSyncID: ingredient, key: "recipe",
            relatedEntity: "Recipe", changedRelationships: .string(target), timestamp: time)
    }
}
