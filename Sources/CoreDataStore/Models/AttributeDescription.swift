public import KeyedArchive

/// An attribute of an entity (NSAttributeDescription).
public struct AttributeDescription: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The type of its values.
    public var type: AttributeType
    /// Whether the value may be nil; part of the version hash.
    public var isOptional: Bool
    /// Whether the value is not stored; part of the version hash.
    public var isTransient: Bool
    /// Whether the attribute is read-only; part of the version hash.
    public var isReadOnly: Bool
    /// Whether the model requests an index.
    public var isIndexed: Bool
    /// The value in a new object, converted to the type; nil for none.
    public var defaultValue: ArchivedValue?
    /// The name of the NSValueTransformer class that converts the value to data; nil for a keyed archive.
    public var valueTransformerName: String?
    /// Whether an SQLite store may write large values to separate files.
    public var allowsExternalStorage: Bool
    /// Whether persistent history preserves the value of a deleted object.
    public var preservesValueInHistory: Bool
    /// Whether the store computes the value.
    public var isDerived: Bool
    /// A text that changes the version hash.
    public var versionHashModifier: String?

    /// An attribute with the defaults of Xcode: optional and stored.
    public init(
        name: String, type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
        isReadOnly: Bool = false, isIndexed: Bool = false, defaultValue: ArchivedValue? = nil,
        valueTransformerName: String? = nil, allowsExternalStorage: Bool = false,
        preservesValueInHistory: Bool = false, isDerived: Bool = false,
        versionHashModifier: String? = nil
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.isReadOnly = isReadOnly
        self.isIndexed = isIndexed
        self.defaultValue = defaultValue
        self.valueTransformerName = valueTransformerName
        self.allowsExternalStorage = allowsExternalStorage
        self.preservesValueInHistory = preservesValueInHistory
        self.isDerived = isDerived
        self.versionHashModifier = versionHashModifier
    }
}
