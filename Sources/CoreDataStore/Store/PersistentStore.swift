public import SystemCalls
public import SystemPackage

/// A Core Data store of either kind, open for reading.
public protocol PersistentStore: Sendable {
    /// The file, as it was named when it was opened.
    var path: FilePath { get }
    /// What Core Data and the app noted about the store.
    var metadata: StoreMetadata { get }
    /// The model that names the properties; nil where only the file itself tells.
    var model: ManagedObjectModel? { get }
    /// Where the model comes from.
    var modelOrigin: ModelOrigin { get }
    /// What a reader of the data must know.
    var notes: [StoreNote] { get }

    /// The number of objects of each entity that has any, by name of the entity.
    func objectCounts() throws(FileProblem) -> [EntityCount]

    /// Hands out every object, of one entity or of all, one at a time: entities in the store's order, then by
    /// primary key. An object that cannot be read goes to `onDamage`, and the others follow if that returns.
    func forEachObject(
        entity: String?, onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem)
}

extension PersistentStore {
    /// Hands out every object; the first that cannot be read ends the pass.
    public func forEachObject(
        entity: String? = nil, _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        try forEachObject(entity: entity, onDamage: { problem throws(FileProblem) in throw problem }, body)
    }
}

/// How many objects of an entity a store has; sub-entities count for themselves.
public struct EntityCount: Sendable, Hashable {
    /// Name of the entity.
    public var entity: String
    /// How many objects there are.
    public var count: Int

    /// So many objects of one entity.
    public init(entity: String, count: Int) {
        self.entity = entity
        self.count = count
    }
}

/// Where the names and types of properties come from.
public enum ModelOrigin: Sendable, Hashable {
    /// A model file.
    case file(FilePath)
    /// The model that the store carries in itself.
    case storeCache
    /// No model: names and types are what the file alone shows.
    case none
}

/// Something about a store that a reader of its data must know.
public struct StoreNote: Sendable, Hashable {
    /// Stable, for scripts: "walMissing", "modelMismatch" and so on.
    public var code: String
    /// The same for people: one sentence without a full stop.
    public var text: String

    /// A note under a code that does not change.
    public init(code: String, text: String) {
        self.code = code
        self.text = text
    }
}
