public import KeyedArchive

/// An object of a Core Data store.
public struct StoredObject: Sendable, Hashable {
    /// Name of the object's own entity.
    public var entity: String
    /// Unique within the root entity (SQLite) or within the store (binary).
    public var primaryKey: Int64
    /// Its attributes, in the store's order.
    public var attributes: [StoredAttribute]
    /// Its relationships, in the store's order.
    public var relationships: [StoredRelationship]

    /// An object and all that the store has of it.
    public init(
        entity: String, primaryKey: Int64, attributes: [StoredAttribute], relationships: [StoredRelationship]
    ) {
        self.entity = entity
        self.primaryKey = primaryKey
        self.attributes = attributes
        self.relationships = relationships
    }
}

/// The value of an attribute; `.none` or `.null` where it is nil.
public struct StoredAttribute: Sendable, Hashable {
    /// Name of the attribute.
    public var name: String
    /// The value, in the form of its type.
    public var value: ArchivedValue

    /// The value of the attribute of that name.
    public init(name: String, value: ArchivedValue) {
        self.name = name
        self.value = value
    }
}

/// What a relationship leads to.
public struct StoredRelationship: Sendable, Hashable {
    /// The objects at the other end.
    public enum Target: Sendable, Hashable {
        /// The primary key of the one object, nil when there is none.
        case toOne(Int64?)
        /// Primary keys, in order where the relationship is ordered.
        case toMany([Int64])
    }

    /// Name of the relationship.
    public var name: String
    /// What it leads to.
    public var target: Target

    /// What the relationship of that name leads to.
    public init(name: String, target: Target) {
        self.name = name
        self.target = target
    }
}
