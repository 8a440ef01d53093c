/// A value out of a property list, a keyed archive or a Core Data store.
///
/// One type for all three keeps what each can hold: property-list scalars, Foundation's value classes, and objects
/// of unknown classes as class name plus fields.
public enum ArchivedValue: Sendable, Hashable {
    /// No object at all: UID 0 of a keyed archive, NULL of a database.
    case none
    /// The object NSNull, which a binary store writes for a nil attribute (core-data-binary-store.md, 2).
    case null
    case boolean(Bool)
    case integer(Int128)
    case real(Double)
    case string(String)
    case data([UInt8])
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    indirect case decimal(ArchivedDecimal)
    case uuid(ArchivedUUID)
    /// The absolute text of an NSURL; a relative one has its base in front, separated by " -- ".
    case url(String)
    case array([ArchivedValue])
    case set([ArchivedValue])
    case orderedSet([ArchivedValue])
    /// Pairs in the order of the file. Keys need not be strings, nor unique in a hostile file.
    case dictionary([ArchivedPair])
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
    public var key: ArchivedValue
    public var value: ArchivedValue

    public init(key: ArchivedValue, value: ArchivedValue) {
        self.key = key
        self.value = value
    }
}

/// An object of any class: its name, its superclasses, its fields.
public struct ArchivedObject: Sendable, Hashable {
    public var className: String
    /// Superclasses, nearest first, as far as the archive names them.
    public var ancestors: [String]
    public var fields: [ArchivedField]

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
    public var name: String
    public var value: ArchivedValue
    /// True where the archive holds the value in the object itself and not behind a UID.
    public var isInline: Bool

    public init(_ name: String, _ value: ArchivedValue, isInline: Bool = false) {
        self.name = name
        self.value = value
        self.isInline = isInline
    }
}

/// A string and the attributes of its runs.
public struct ArchivedAttributedString: Sendable, Hashable {
    public struct Run: Sendable, Hashable {
        /// Length in UTF-16 code units.
        public var length: Int
        /// Position in `attributes`.
        public var attributes: Int

        public init(length: Int, attributes: Int) {
            self.length = length
            self.attributes = attributes
        }
    }

    public var string: String
    /// The distinct attribute dictionaries.
    public var attributes: [ArchivedValue]
    public var runs: [Run]

    public init(string: String, attributes: [ArchivedValue], runs: [Run]) {
        self.string = string
        self.attributes = attributes
        self.runs = runs
    }
}
