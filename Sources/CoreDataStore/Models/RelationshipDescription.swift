/// A relationship of an entity in a managed object model.
public struct RelationshipDescription: Sendable, Hashable {
    public var name: String
    /// Name of the entity at the other end, as the model declares it.
    public var destination: String
    /// Name of the relationship back, on the destination or one of its superentities.
    public var inverse: String?
    public var minCount: Int
    /// 1 for a to-one relationship; 0 (no limit) or more than 1 for a to-many one.
    public var maxCount: Int
    public var isOrdered: Bool
    public var deleteRule: DeleteRule
    public var isOptional: Bool
    public var isTransient: Bool
    public var isReadOnly: Bool
    /// Text the developer added so that the version hash changes.
    public var versionHashModifier: String?

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
