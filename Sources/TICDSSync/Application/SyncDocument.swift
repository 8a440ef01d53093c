public import KeyedArchive
public import SystemCalls

/// A document of objects that sync changes are applied to: a Core Data store, or anything that keeps objects with
/// attributes and relationships.
///
/// What cannot be done to one object is thrown as a problem of kind `.refused`, or `.unknownName` where there is no
/// such entity or property; the document is then as before. Any other problem ends the work.
public protocol SyncDocument {
    /// What the document knows an object by.
    associatedtype Object: Hashable & Sendable

    /// Whether objects of this entity can be here.
    func hasEntity(_ name: String) -> Bool

    /// The object of an entity, or of one that inherits from it, with this sync ID; of several the one that came last.
    mutating func object(_ entity: String, syncID: String) throws(FileProblem) -> Object?

    /// Makes an object with the model's defaults and these attributes; those it cannot have go to `onRefusal`.
    mutating func insert(
        _ entity: String, attributes: [ArchivedPair], onRefusal: (String, FileProblem) -> Void
    ) throws(FileProblem) -> Object

    /// Sets an attribute; both forms of nil clear it.
    mutating func set(_ attribute: String, of object: Object, to value: ArchivedValue) throws(FileProblem)

    /// Sets a to-one relationship and its inverse; nil clears it.
    mutating func setToOne(_ name: String, of object: Object, to target: Object?) throws(FileProblem)

    /// Adds an object to a to-many relationship, and sets the inverse.
    mutating func add(_ target: Object, to name: String, of object: Object) throws(FileProblem)

    /// Removes an object from a to-many relationship, and clears the inverse.
    mutating func remove(_ target: Object, from name: String, of object: Object) throws(FileProblem)

    /// Deletes objects together, with what the model's delete rules reach, and clears all references to them.
    /// - Returns: the objects that a rule keeps.
    mutating func delete(_ objects: [Object]) throws(FileProblem) -> [Object]
}
