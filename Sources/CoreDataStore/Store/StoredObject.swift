public import KeyedArchive

/// An object of a Core Data store.
public struct StoredObject: Sendable, Hashable {
    /// The name of its entity.
    public var entity: String
    /// The primary key, unique in the root entity (SQLite) or in the store (binary).
    public var primaryKey: Int64
    /// The attributes, in the order of the store.
    public var attributes: [StoredAttribute]
    /// The relationships, in the order of the store.
    public var relationships: [StoredRelationship]

    /// An object with its values.
    public init(
        entity: String, primaryKey: Int64, attributes: [StoredAttribute], relationships: [StoredRelationship]
    ) {
        self.entity = entity
        self.primaryKey = primaryKey
        self.attributes = attributes
        self.relationships = relationships
    }
}

/// An attribute of an object with its value.
public struct StoredAttribute: Sendable, Hashable {
    /// The name of the attribute.
    public var name: String
    /// The value in its type; `.none` or `.null` for nil.
    public var value: ArchivedValue

    /// An attribute with its value.
    public init(name: String, value: ArchivedValue) {
        self.name = name
        self.value = value
    }
}

/// A relationship of an object with its destination objects.
public struct StoredRelationship: Sendable, Hashable {
    /// The destination objects.
    public enum Target: Sendable, Hashable {
        /// The primary key of the object; nil if there is none.
        case toOne(Int64?)
        /// The primary keys, in order if the relationship is ordered.
        case toMany([Int64])
    }

    /// The name of the relationship.
    public var name: String
    /// The destination objects.
    public var target: Target

    /// A relationship with its destination objects.
    public init(name: String, target: Target) {
        self.name = name
        self.target = target
    }
}
