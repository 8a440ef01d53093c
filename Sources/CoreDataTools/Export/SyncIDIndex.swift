public import CoreDataStore
import KeyedArchive
public import SystemCalls
import SystemPackage

/// The identifiers of all objects of a store by primary key, in a scratch file, so that memory does not grow with the
/// store.
public final class SyncIDIndex {
    private let folder: TemporaryFolder
    private let entities: ExportedEntities
    /// Whether all entities share one sequence of primary keys, as in a binary store.
    let hasOneKeySequence: Bool
    private let path: FilePath
    private let numbers: [String: Int64]
    private let connection: SQLiteConnection
    private var lookup: SQLiteStatement
    /// The number of objects with an identifier.
    public let count: Int

    /// - Parameters:
    ///   - roots: the root entities of the objects to name; nil for all. All objects are counted.
    ///   - attribute: the name of the identifying attribute; without a model its case does not matter.
    public init(
        _ store: any PersistentStore, _ entities: ExportedEntities, roots: Set<String>? = nil,
        attribute: String
    ) throws(FileProblem) {
        folder = try TemporaryFolder(prefix: "ticds-index")
        path = folder.path.appending("ids")
        self.entities = entities
        hasOneKeySequence = !(store is SQLiteStore)
        let connection = try ScratchDatabase.open(
            path,
            ["CREATE TABLE ids (root INTEGER, key INTEGER, id TEXT, PRIMARY KEY (root, key)) WITHOUT ROWID"])
        (numbers, count) = try Self.fill(connection, path, store, entities, roots, attribute)
        lookup = try ScratchDatabase.prepare(
            "SELECT id FROM ids WHERE root = ?1 AND key = ?2", connection, path)
        self.connection = connection
    }

    private static func fill(
        _ connection: borrowing SQLiteConnection, _ path: FilePath, _ store: any PersistentStore,
        _ entities: ExportedEntities, _ roots: Set<String>?, _ attribute: String
    ) throws(FileProblem) -> ([String: Int64], Int) {
        var count = 0
        var numbers: [String: Int64] = [:]
        var insert = try ScratchDatabase.prepare(
            "INSERT OR IGNORE INTO ids VALUES (?1, ?2, ?3)", connection, path)
        func add(_ root: String, _ key: Int64, _ id: String?) throws(FileProblem) {
            guard let id, !id.isEmpty else { return }
            count += 1
            guard root.isEmpty || roots?.contains(root) ?? true else { return }
            let number = numbers[root] ?? Int64(numbers.count)
            numbers[root] = number
            insert.bind(number, at: 1)
            insert.bind(key, at: 2)
            try ScratchDatabase.run(path) { () throws(SQLiteError) in
                defer { insert.rewind() }
                try insert.bind(id, at: 3)
                _ = try insert.step()
            }
        }
        if let store = store as? SQLiteStore {
            try store.forEachText(of: attribute) { (entity, key, text) throws(FileProblem) in
                try add(entities.root(of: entity), key, text)
            }
            return (numbers, count)
        }
        for entity in entities.all {
            let named = entity.attributes.first { isNamed($0.name, attribute, store) }
            guard let named else { continue }
            try store.forEachObject(entity: entity.name, onDamage: { _ in }) { (object) throws(FileProblem) in
                try add(
                    "", object.primaryKey,
                    object.attributes.first { $0.name == named.name }?.value.stringValue)
            }
        }
        return (numbers, count)
    }

    /// Whether an attribute has the name `wanted`. Without a model, names are in upper case.
    public static func isNamed(_ name: String, _ wanted: String, _ store: any PersistentStore) -> Bool {
        name == wanted || (store.model == nil && name.uppercased() == wanted.uppercased())
    }

    /// The identifier of the object with a key in `entity`; nil if it has none, or the entity is unknown.
    public func id(_ key: Int64, of entity: String?) throws(FileProblem) -> String? {
        let root = hasOneKeySequence ? "" : entity.map { entities.root(of: $0) }
        guard let number = root.flatMap({ numbers[$0] }) else { return nil }
        defer { lookup.reset() }
        lookup.bind(number, at: 1)
        lookup.bind(key, at: 2)
        return try ScratchDatabase.run(path) { () throws(SQLiteError) in
            try lookup.step() ? lookup.text(0) : nil
        }
    }
}
