public import CoreDataStore
public import KeyedArchive
public import SystemCalls

/// A document that sync changes are applied to: a Core Data store, or any other collection of objects with attributes and
/// relationships.
///
/// A method throws `.refused` if the document cannot change the object as asked, and `.unknownName` if it has no such
/// entity or property; the document is then unchanged. Any other error ends the application of changes.
public protocol SyncDocument {
    /// Identifies an object inside the document, like an NSManagedObjectID.
    associatedtype Object: Hashable & Sendable

    /// Whether the model has an entity of that name.
    func hasEntity(_ name: String) -> Bool

    /// The object of an entity, or of a subentity, with this sync ID; the latest one if several have it.
    mutating func object(_ entity: String, syncID: String) throws(FileProblem) -> Object?

    /// Inserts an object with the defaults of the model and these attributes; `onRefusal` gets each attribute that the
    /// object cannot have, with the reason.
    mutating func insert(
        _ entity: String, attributes: [ArchivedPair], onRefusal: (String, FileProblem) -> Void
    ) throws(FileProblem) -> Object

    /// Sets an attribute; `.none` and `.null` clear it.
    mutating func set(_ attribute: String, of object: Object, to value: ArchivedValue) throws(FileProblem)

    /// Sets a to-one relationship and its inverse; nil clears it.
    mutating func setToOne(_ name: String, of object: Object, to target: Object?) throws(FileProblem)

    /// Adds an object to a to-many relationship, and sets the inverse.
    mutating func add(_ target: Object, to name: String, of object: Object) throws(FileProblem)

    /// Removes an object from a to-many relationship, and clears the inverse.
    mutating func remove(_ target: Object, from name: String, of object: Object) throws(FileProblem)

    /// Deletes objects together, and the objects that the delete rules of the model reach from them, and clears all
    /// references to them.
    /// - Returns: the objects that the delete rule Deny keeps.
    mutating func delete(_ objects: [Object]) throws(FileProblem) -> [Object]
}

/// An SQLite store of the app. It must have been opened with `SyncID.attribute` as the attribute that identifies objects.
extension WritableStore: SyncDocument {
    /// The object of the entity, or of a subentity, with that sync ID.
    public func object(_ entity: String, syncID: String) throws(FileProblem) -> StoreObjectID? {
        try object(entity, syncID)
    }
}
