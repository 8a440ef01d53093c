public import KeyedArchive

/// An object of a Core Data store.
public struct StoredObject: Sendable, Hashable {
    public var entity: String
    /// Unique within the root entity (SQLite) or within the store (binary).
    public var primaryKey: Int64
    public var attributes: [StoredAttribute]
    public var relationships: [StoredRelationship]

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
    public var name: String
    public var value: ArchivedValue

    public init(name: String, value: ArchivedValue) {
        self.name = name
        self.value = value
    }
}

/// What a relationship leads to.
public struct StoredRelationship: Sendable, Hashable {
    public enum Target: Sendable, Hashable {
        /// The primary key of the one object, nil when there is none.
        case toOne(Int64?)
        /// Primary keys, in order where the relationship is ordered.
        case toMany([Int64])
    }

    public var name: String
    public var target: Target

    public init(name: String, target: Target) {
        self.name = name
        self.target = target
    }
}
