public import CoreDataStore
public import KeyedArchive
public import SystemCalls

/// A Core Data SQLite store as a document that changes are applied to.
public struct StoreDocument: SyncDocument {
    public typealias Object = StoreObjectID
    public let store: WritableStore

    /// The store must have been opened with `SyncID.attribute` as the attribute that identifies objects.
    public init(_ store: WritableStore) { self.store = store }

    public func hasEntity(_ name: String) -> Bool { store.hasEntity(name) }

    public func object(_ entity: String, syncID: String) throws(FileProblem) -> StoreObjectID? {
        try store.object(entity, syncID)
    }

    public func insert(
        _ entity: String, attributes: [ArchivedPair], onRefusal: (String, FileProblem) -> Void
    ) throws(FileProblem) -> StoreObjectID {
        try store.insert(entity, attributes: attributes, onRefusal: onRefusal)
    }

    public func set(_ attribute: String, of object: StoreObjectID, to value: ArchivedValue)
        throws(FileProblem)
    {
        try store.set(attribute, of: object, to: value)
    }

    public func setToOne(_ name: String, of object: StoreObjectID, to target: StoreObjectID?)
        throws(FileProblem)
    {
        try store.setToOne(name, of: object, to: target)
    }

    public func add(_ target: StoreObjectID, to name: String, of object: StoreObjectID) throws(FileProblem) {
        try store.add(target, to: name, of: object)
    }

    public func remove(_ target: StoreObjectID, from name: String, of object: StoreObjectID)
        throws(FileProblem)
    {
        try store.remove(target, from: name, of: object)
    }

    public func delete(_ objects: [StoreObjectID]) throws(FileProblem) -> [StoreObjectID] {
        try store.delete(objects)
    }
}
