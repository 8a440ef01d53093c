/// A relationship of an entity in a managed object model.
public struct RelationshipDescription: Sendable, Hashable {
    /// Name of the relationship.
    public var name: String
    /// Name of the entity at the other end, as the model declares it.
    public var destination: String
    /// Name of the relationship back, on the destination or one of its superentities.
    public var inverse: String?
    /// How many objects it must lead to at least.
    public var minCount: Int
    /// 1 for a to-one relationship; 0 (no limit) or more than 1 for a to-many one.
    public var maxCount: Int
    /// Whether the objects it leads to have an order.
    public var isOrdered: Bool
    /// What becomes of the other end when an object is deleted.
    public var deleteRule: DeleteRule
    /// Whether it may lead to nothing; part of the version hash.
    public var isOptional: Bool
    /// Whether it is never stored.
    public var isTransient: Bool
    /// Whether it is read-only; part of the version hash.
    public var isReadOnly: Bool
    /// Text the developer added so that the version hash changes.
    public var versionHashModifier: String?

    /// A relationship; what is left out makes it an optional to-one without inverse that nullifies.
    public init(
        name: String, destination: String, inverse: String? = nil, minCount: Int = 0, maxCount: Int = 1,
        isOrdered: Bool = false, deleteRule: DeleteRule = .nullify, isOptional: Bool = true,
        isTransient: Bool = false, isReadOnly: Bool = false, versionHashModifier: String? = nil
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
    }

    /// Whether an object can have several at the other end.
    public var isToMany: Bool { maxCount != 1 }
}
