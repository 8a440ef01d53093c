/// A value out of a property list, a keyed archive or a Core Data store.
///
/// One type for all three keeps what each can hold: property-list scalars, Foundation's value classes, and objects
/// of unknown classes as class name plus fields.
public enum ArchivedValue: Sendable, Hashable {
    /// No object at all: UID 0 of a keyed archive, NULL of a database.
    case none
    /// The object NSNull, which a binary store writes for a nil attribute (core-data-binary-store(5), 2).
    case null
    /// A boolean; Core Data archives the values of Boolean attributes as integers (core-data-binary-store(5),
    /// 2).
    case boolean(Bool)
    /// A whole number.
    case integer(Int128)
    /// A floating-point number.
    case real(Double)
    /// A text.
    case string(String)
    /// Bytes.
    case data([UInt8])
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    /// An NSDecimalNumber.
    indirect case decimal(ArchivedDecimal)
    /// An NSUUID.
    case uuid(ArchivedUUID)
    /// The absolute text of an NSURL; a relative one has its base in front, separated by " -- ".
    case url(String)
    /// An NSArray.
    case array([ArchivedValue])
    /// An NSSet, its members in the order of the file.
    case set([ArchivedValue])
    /// An NSOrderedSet.
    case orderedSet([ArchivedValue])
    /// Pairs in the order of the file. Keys need not be strings, nor unique in a hostile file.
    case dictionary([ArchivedPair])
    /// An NSAttributedString.
    indirect case attributedString(ArchivedAttributedString)
    /// An object of a class that this suite does not know.
    indirect case object(ArchivedObject)
    /// A reference back to an object that is being read: the graph has a cycle here.
    case cycle
    /// A reference of a plain property list that is no keyed archive.
    case uid(UInt64)
}

/// A key and its value in a dictionary.
public struct ArchivedPair: Sendable, Hashable {
    /// The key; a string in every file that Core Data or the framework writes.
    public var key: ArchivedValue
    /// The value.
    public var value: ArchivedValue

    /// A pair of a key and its value.
    public init(key: ArchivedValue, value: ArchivedValue) {
        self.key = key
        self.value = value
    }
}

/// An object of any class: its name, its superclasses, its fields.
public struct ArchivedObject: Sendable, Hashable {
    /// Name of the class, as the archive has it.
    public var className: String
    /// Superclasses, nearest first, as far as the archive names them.
    public var ancestors: [String]
    /// The fields in the order of the file.
    public var fields: [ArchivedField]

    /// An object of the class `className` with these fields.
    public init(className: String, ancestors: [String] = ["NSObject"], fields: [ArchivedField]) {
        self.className = className
        self.ancestors = ancestors
        self.fields = fields
    }

    /// The value of the field `name`.
    public subscript(name: String) -> ArchivedValue? {
        fields.first { $0.name == name }?.value
    }
}

/// A named field of an object.
public struct ArchivedField: Sendable, Hashable {
    /// Name of the key under which the class stored the value.
    public var name: String
    /// The value, decoded.
    public var value: ArchivedValue
    /// True where the archive holds the value in the object itself and not behind a UID.
    public var isInline: Bool

    /// A field; `isInline` for one whose value the archive holds in the object itself.
    public init(_ name: String, _ value: ArchivedValue, isInline: Bool = false) {
        self.name = name
        self.value = value
        self.isInline = isInline
    }
}

/// A string and the attributes of its runs.
public struct ArchivedAttributedString: Sendable, Hashable {
    /// A part of the string whose characters have the same attributes.
    public struct Run: Sendable, Hashable {
        /// Length in UTF-16 code units.
        public var length: Int
        /// Position in `attributes`.
        public var attributes: Int

        /// A run of so many UTF-16 code units.
        public init(length: Int, attributes: Int) {
            self.length = length
            self.attributes = attributes
        }
    }

    /// The text without attributes.
    public var string: String
    /// The distinct attribute dictionaries.
    public var attributes: [ArchivedValue]
    /// The runs, end to end from the start of the text.
    public var runs: [Run]

    /// A text, its attribute dictionaries, and which of them hold where.
    public init(string: String, attributes: [ArchivedValue], runs: [Run]) {
        self.string = string
        self.attributes = attributes
        self.runs = runs
    }
}
