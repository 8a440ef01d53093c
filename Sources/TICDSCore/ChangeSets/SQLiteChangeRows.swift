import Base
public import CoreDataStore
import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A change set in an SQLite store, as old and derived versions of the framework write them (core-data-sqlite-store(5),
/// 8).
public struct SQLiteChangeRows: Sendable {
    private let store: SQLiteStore

    /// The file, for messages.
    public var path: FilePath { store.path }
    /// The metadata of the store.
    public var metadata: StoreMetadata { store.metadata }

    /// Opens a change set without changing its folder.
    public init(_ path: FilePath) throws(FileProblem) {
        store = try SQLiteStore(path, model: FrameworkModels.syncChange, mismatch: .accept)
        if let problem = store.shortfalls.first { throw problem }
        guard store.hasEntity(FrameworkModels.syncChangeEntity) else {
            throw FileProblem(
                .unsupported, path: path, "not a change set", expected: "the entity TICDSSyncChange",
                found: store.entityNames.listed(),
                advice: "Name a .syncchg file of a client")
        }
    }

    /// The number of changes.
    public func count() throws(FileProblem) -> Int {
        try store.objectCounts().first { $0.entity == FrameworkModels.syncChangeEntity }?.count ?? 0
    }

    /// Calls `body` with every change in the order of application: by type, then by timestamp, then by primary key.
    /// The error of a change that cannot be read goes to `onDamage`; if that returns, the others follow.
    public func forEachChange(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (SyncChange) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        try store.forEachObject(
            entity: FrameworkModels.syncChangeEntity, sortedBy: ["changeType", "localTimeStamp"],
            onDamage: onDamage
        ) { (object) throws(FileProblem) in
            let change: SyncChange
            do throws(FileProblem) {
                change = try self.change(object)
            } catch {
                return try onDamage(error)
            }
            try body(change)
        }
    }

    private func change(_ object: StoredObject) throws(FileProblem) -> SyncChange {
        let values = Dictionary(object.attributes.map { ($0.name, $0.value) }) { first, _ in first }
        let type = values["changeType"] ?? .none
        // Clients find no type for type 0, and skip the change.
        guard let number = type.isNil ? 0 : type.integerValue else {
            throw incomplete(object, "changeType, a number of 16 bits")
        }
        return SyncChange(
            type: ChangeType(number: number), entity: values["objectEntityName"]?.stringValue ?? "",
            objectSyncID: values["objectSyncID"]?.stringValue,
            key: values["relevantKey"]?.stringValue,
            relatedEntity: values["relatedObjectEntityName"]?.stringValue,
            changedAttributes: values["changedAttributes"] ?? .none,
            changedRelationships: values["changedRelationships"] ?? .none,
            timestamp: values["localTimeStamp"]?.dateValue, primaryKey: object.primaryKey)
    }

    private func incomplete(_ object: StoredObject, _ expected: String) -> FileProblem {
        FileProblem(
            .damaged, path: path, "the change \(object.primaryKey) is incomplete", expected: expected,
            found: "none")
    }
}

/// An SQLite change set in a private copy, because SQLite opens files and not bytes. Errors name the original file.
struct PrivateChangeRows {
    let metadata: StoreMetadata
    let count: Int
    private let rows: SQLiteChangeRows
    private let file: UnnamedFile
    private let path: FilePath

    init(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) {
        self.path = path
        file = try UnnamedFile()
        try file.write(bytes)
        do throws(FileProblem) {
            rows = try SQLiteChangeRows(file.path)
            count = try rows.count()
            metadata = rows.metadata
        } catch {
            throw error.renamed(path)
        }
    }

    func forEachChange(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (SyncChange) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let copy = rows.path
        do throws(FileProblem) {
            try rows.forEachChange(
                onDamage: { problem throws(FileProblem) in try onDamage(problem.renamed(path)) }, body)
        } catch  where error.path == copy {
            throw error.renamed(path)
        }
    }
}

extension FileProblem {
    /// The problem with the file `path` in place of the private copy.
    func renamed(_ path: FilePath) -> FileProblem {
        var problem = self
        problem.path = path
        return problem
    }
}
