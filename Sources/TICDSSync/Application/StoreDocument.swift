public import CoreDataStore
public import KeyedArchive
public import SystemCalls

/// A Core Data SQLite store as a document that changes are applied to.
public struct StoreDocument: SyncDocument {
    /// Objects are known by entity and primary key.
    public typealias Object = StoreObjectID
    /// The store that is written.
    public let store: WritableStore

    /// The store must have been opened with `SyncID.attribute` as the attribute that identifies objects.
    public init(_ store: WritableStore) { self.store = store }

    /// Whether the model has an entity of that name.
    public func hasEntity(_ name: String) -> Bool { store.hasEntity(name) }

    /// The object with that sync ID, of the entity or one of its sub-entities.
    public func object(_ entity: String, syncID: String) throws(FileProblem) -> StoreObjectID? {
        try store.object(entity, syncID)
    }

    /// Inserts an object; an attribute that it cannot have goes to `onRefusal`.
    public func insert(
        _ entity: String, attributes: [ArchivedPair], onRefusal: (String, FileProblem) -> Void
    ) throws(FileProblem) -> StoreObjectID {
        try store.insert(entity, attributes: attributes, onRefusal: onRefusal)
    }

    /// Sets an attribute; `.none` and `.null` clear it.
    public func set(_ attribute: String, of object: StoreObjectID, to value: ArchivedValue)
        throws(FileProblem)
    {
        try store.set(attribute, of: object, to: value)
    }

    /// Sets a to-one relationship and its inverse; nil clears it.
    public func setToOne(_ name: String, of object: StoreObjectID, to target: StoreObjectID?)
        throws(FileProblem)
    {
        try store.setToOne(name, of: object, to: target)
    }

    /// Adds to a to-many relationship, and to its inverse.
    public func add(_ target: StoreObjectID, to name: String, of object: StoreObjectID) throws(FileProblem) {
        try store.add(target, to: name, of: object)
    }

    /// Removes from a to-many relationship, and from its inverse.
    public func remove(_ target: StoreObjectID, from name: String, of object: StoreObjectID)
        throws(FileProblem)
    {
        try store.remove(target, from: name, of: object)
    }

    /// Deletes objects by the delete rules of the model.
    public func delete(_ objects: [StoreObjectID]) throws(FileProblem) -> [StoreObjectID] {
        try store.delete(objects)
    }
}
