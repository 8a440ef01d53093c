public import KeyedArchive

/// An attribute of an entity in a managed object model.
public struct AttributeDescription: Sendable, Hashable {
    /// Name of the attribute.
    public var name: String
    /// Type of its values.
    public var type: AttributeType
    /// Whether an object may have no value; part of the version hash.
    public var isOptional: Bool
    /// Whether it is never stored; part of the version hash.
    public var isTransient: Bool
    /// Whether it is read-only; part of the version hash.
    public var isReadOnly: Bool
    /// Whether the developer asked for an index.
    public var isIndexed: Bool
    /// Value of a new object, in the form of its type; nil: none.
    public var defaultValue: ArchivedValue?
    /// Name of the class that turns the value into data and back; nil: a keyed archive.
    public var valueTransformerName: String?
    /// Whether large values may lie in files of their own beside an SQLite store.
    public var allowsExternalStorage: Bool
    /// Whether persistent history keeps the value of a deleted object.
    public var preservesValueInHistory: Bool
    /// Whether the value is computed by the store itself.
    public var isDerived: Bool
    /// Text the developer added so that the version hash changes.
    public var versionHashModifier: String?

    /// An attribute; what is left out is as Xcode leaves it, optional and stored.
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
