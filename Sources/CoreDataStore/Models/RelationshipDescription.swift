/// A relationship of an entity (NSRelationshipDescription).
public struct RelationshipDescription: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The name of the destination entity.
    public var destination: String
    /// The name of the inverse relationship, which the destination entity or one of its superentities declares.
    public var inverse: String?
    /// The minimum number of destination objects.
    public var minCount: Int
    /// 1 for a to-one relationship; 0 or -1 (no limit) or more than 1 for a to-many one.
    public var maxCount: Int
    /// Whether the destination objects are ordered.
    public var isOrdered: Bool
    /// The effect of deleting an object.
    public var deleteRule: DeleteRule
    /// Whether it may be empty; part of the version hash.
    public var isOptional: Bool
    /// Whether it is not stored.
    public var isTransient: Bool
    /// Whether it is read-only; part of the version hash.
    public var isReadOnly: Bool
    /// A text that changes the version hash.
    public var versionHashModifier: String?
    /// The name of the relationship in the former version of the model, by which a migration finds it.
    public var renamingIdentifier: String?

    /// A relationship; by default optional, to-one, without inverse, with the delete rule Nullify.
    public init(
        name: String, destination: String, inverse: String? = nil, minCount: Int = 0, maxCount: Int = 1,
        isOrdered: Bool = false, deleteRule: DeleteRule = .nullify, isOptional: Bool = true,
        isTransient: Bool = false, isReadOnly: Bool = false, versionHashModifier: String? = nil,
        renamingIdentifier: String? = nil
    ) {
        self.name = name
        self.destination = destination
        self.inverse = inverse
        self.minCount = minCount
        self.maxCount = maxCount
        self.isOrdered = isOrdered
        self.deleteRule = deleteRule
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.isReadOnly = isReadOnly
        self.versionHashModifier = versionHashModifier
        self.renamingIdentifier = renamingIdentifier
    }

    /// Whether it can have several destination objects.
    public var isToMany: Bool { maxCount != 1 }
}

/// The effect of a deletion on the destination of a relationship (NSDeleteRule), with the numbers of Core Data
/// (core-data-sqlite-store(5), 4.2).
public enum DeleteRule: Int, Sendable, Hashable, CaseIterable {
    /// No effect: the destination keeps a key without an object.
    case noAction = 0
    /// The inverse relationship is cleared.
    case nullify = 1
    /// The destination objects are also deleted.
    case cascade = 2
    /// The deletion fails if there is a destination object.
    case deny = 3
}
