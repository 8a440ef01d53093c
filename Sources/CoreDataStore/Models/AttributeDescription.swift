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
    /// The expression of a derived attribute as text; nil if it is unknown.
    public var derivationExpression: String?
    /// A text that changes the version hash.
    public var versionHashModifier: String?
    /// The name of the attribute in the former version of the model, by which a migration finds it.
    public var renamingIdentifier: String?
    /// The elements of a composite attribute, in the order of the model; empty for other types, and if the model does
    /// not contain them.
    public var elements: [AttributeDescription]

    /// An attribute with the defaults of Xcode: optional and stored.
    public init(
        name: String, type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
        isReadOnly: Bool = false, isIndexed: Bool = false, defaultValue: ArchivedValue? = nil,
        valueTransformerName: String? = nil, allowsExternalStorage: Bool = false,
        preservesValueInHistory: Bool = false, isDerived: Bool = false, derivationExpression: String? = nil,
        versionHashModifier: String? = nil, renamingIdentifier: String? = nil,
        elements: [AttributeDescription] = []
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
        self.derivationExpression = derivationExpression
        self.versionHashModifier = versionHashModifier
        self.renamingIdentifier = renamingIdentifier
        self.elements = elements
    }
}

/// An attribute with a column of its own: an attribute of an entity, or an element of a composite attribute.
public struct AttributePart: Sendable, Hashable {
    /// The names of the attribute and its element, such as `author.person`.
    public var name: String
    /// The attribute or element, whose own name names the column.
    public var attribute: AttributeDescription
}

extension AttributeDescription {
    /// The attribute itself, or the elements of a composite attribute, also nested ones. None for a composite attribute
    /// without known elements.
    public var parts: [AttributePart] {
        guard type == .composite else { return [AttributePart(name: name, attribute: self)] }
        if isTransient { return [] }
        return elements.flatMap { element in
            element.parts.map { AttributePart(name: "\(name).\($0.name)", attribute: $0.attribute) }
        }
    }
}

extension EntityDescription {
    /// The attributes that the entity declares, with the elements of composite attributes in their place.
    public var attributeParts: [AttributePart] { attributes.flatMap(\.parts) }
}

/// The type of an attribute (NSAttributeType), with the numbers in models and version hashes
/// (core-data-sqlite-store(5), 2.3).
public enum AttributeType: Int, Sendable, Hashable, CaseIterable {
    /// No type; for transient attributes only.
    case undefined = 0
    /// A 16-bit integer.
    case integer16 = 100
    /// A 32-bit integer.
    case integer32 = 200
    /// A 64-bit integer.
    case integer64 = 300
    /// An NSDecimalNumber.
    case decimal = 400
    /// A 64-bit floating-point number.
    case double = 500
    /// A 32-bit floating-point number.
    case float = 600
    /// A string.
    case string = 700
    /// A Boolean, stored as 1 or 0.
    case boolean = 800
    /// A date, stored as seconds since 2001-01-01 00:00:00 UTC.
    case date = 900
    /// Data, which an SQLite store may write to a separate file.
    case binary = 1000
    /// An NSUUID: sixteen bytes.
    case uuid = 1100
    /// An NSURL, stored as text.
    case uri = 1200
    /// Any object. An SQLite store contains the data of the value transformer, a binary store the object itself.
    case transformable = 1800
    /// A reference to an object, which is not stored.
    case objectID = 2000
    /// A composite attribute, of systems from 2023 on: its elements have the columns.
    case composite = 2100
}

extension AttributeType {
    /// Converts a default value of a model to this type.
    ///
    /// Models contain numbers as text, and Booleans as YES and NO (core-data-sqlite-store(5), 7.2). A text that cannot
    /// be converted, such as a date in words, stays as it is.
    func defaultValue(from value: ArchivedValue) -> ArchivedValue? {
        if value.isNil { return nil }
        guard case .string(let text) = value else { return number(from: value) ?? value }
        switch self {
        case .integer16, .integer32, .integer64:
            return (Int128(text) ?? Double(text).flatMap { Int128(exactly: $0) }).map(ArchivedValue.integer)
                ?? value
        case .boolean:
            return .boolean(["YES", "yes", "true", "1"].contains(text))
        case .double, .float:
            return Double(text).map(ArchivedValue.real) ?? value
        case .decimal:
            return ArchivedDecimal(text: text).map(ArchivedValue.decimal) ?? value
        case .uuid:
            return ArchivedUUID(text: text).map(ArchivedValue.uuid) ?? value
        case .uri:
            return .url(text)
        default:
            return value
        }
    }

    /// Converts a value of a keyed archive, which has Booleans as 0 or 1, and reals without fraction as integers.
    private func number(from value: ArchivedValue) -> ArchivedValue? {
        switch self {
        case .boolean: value.booleanValue.map(ArchivedValue.boolean)
        case .integer16, .integer32, .integer64: value.integerValue.map { .integer(Int128($0)) }
        case .double, .float: value.doubleValue.map(ArchivedValue.real)
        default: nil
        }
    }
}
