/// A value of a property list, a keyed archive or a Core Data store.
///
/// One type for all three: property-list scalars, the value classes of Foundation, and objects of unknown classes as
/// class name and fields.
public enum ArchivedValue: Sendable, Hashable {
    /// No object: UID 0 of a keyed archive, NULL of a database.
    case none
    /// The object NSNull, which a binary store contains for a nil attribute (core-data-binary-store(5), 2).
    case null
    /// A boolean. Core Data archives Boolean attributes as integers (core-data-binary-store(5), 2).
    case boolean(Bool)
    /// A whole number.
    case integer(Int128)
    /// A floating-point number.
    case real(Double)
    /// A string.
    case string(String)
    /// Bytes.
    case data([UInt8])
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    /// An NSDecimalNumber.
    indirect case decimal(ArchivedDecimal)
    /// An NSUUID.
    case uuid(ArchivedUUID)
    /// An NSURL as text; a relative URL follows its base and " -- ".
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
    /// An object of a class without a case here.
    indirect case object(ArchivedObject)
    /// A reference to an object that contains it, so that the graph has a cycle here.
    case cycle
    /// A UID in a property list that is not a keyed archive.
    case uid(UInt64)
}

extension ArchivedValue {
    /// NSDate.distantPast, the first day of the year 1 in the Julian calendar: seconds since 2001-01-01 00:00:00 UTC.
    public static let distantPast = -63_114_076_800.0
    /// NSDate.distantFuture, the first day of the year 4001: seconds since 2001-01-01 00:00:00 UTC.
    public static let distantFuture = 63_113_904_000.0
}

/// A key and its value in a dictionary.
public struct ArchivedPair: Sendable, Hashable {
    /// The key; always a string in files of Core Data and the framework.
    public var key: ArchivedValue
    /// The value.
    public var value: ArchivedValue

    /// A pair of a key and its value.
    public init(key: ArchivedValue, value: ArchivedValue) {
        self.key = key
        self.value = value
    }
}

/// An object of any class: class name, superclasses and fields.
public struct ArchivedObject: Sendable, Hashable {
    /// The name of the class in the archive.
    public var className: String
    /// The superclasses that the archive names, nearest first.
    public var ancestors: [String]
    /// The fields in the order of the file.
    public var fields: [ArchivedField]

    /// An object of the class `className`.
    public init(className: String, ancestors: [String] = ["NSObject"], fields: [ArchivedField]) {
        self.className = className
        self.ancestors = ancestors
        self.fields = fields
    }

    /// The value of the field `name`; nil if there is none.
    public subscript(name: String) -> ArchivedValue? {
        fields.first { $0.name == name }?.value
    }
}

/// A field of an object.
public struct ArchivedField: Sendable, Hashable {
    /// The coding key.
    public var name: String
    /// The value, decoded.
    public var value: ArchivedValue
    /// Whether the object contains the value itself, rather than a UID.
    public var isInline: Bool

    /// A field; `isInline` if the object contains the value itself.
    public init(_ name: String, _ value: ArchivedValue, isInline: Bool = false) {
        self.name = name
        self.value = value
        self.isInline = isInline
    }
}

/// The value of an NSAttributedString.
public struct ArchivedAttributedString: Sendable, Hashable {
    /// A part of the string whose characters have the same attributes.
    public struct Run: Sendable, Hashable {
        /// Length in UTF-16 code units.
        public var length: Int
        /// The index in `attributes`.
        public var attributes: Int

        /// A run of `length` UTF-16 code units.
        public init(length: Int, attributes: Int) {
            self.length = length
            self.attributes = attributes
        }
    }

    /// The text without attributes.
    public var string: String
    /// The distinct attribute dictionaries.
    public var attributes: [ArchivedValue]
    /// The runs, contiguous from the start of the text.
    public var runs: [Run]

    /// Whether each run can be written with its attributes: a small archive can refer to large attributes very often.
    public var canRepeatAttributes: Bool {
        let sizes = attributes.map { $0.valueCount(limit: Self.repeatLimit) }
        var total = 0
        for run in runs where total <= Self.repeatLimit {
            total += sizes.indices.contains(run.attributes) ? sizes[run.attributes] : 0
        }
        return total <= Self.repeatLimit
    }

    /// The largest number of repeated values; users' texts have some hundred runs with some ten values each.
    private static let repeatLimit = 100_000

    /// A text, its attribute dictionaries, and the runs that refer to them.
    public init(string: String, attributes: [ArchivedValue], runs: [Run]) {
        self.string = string
        self.attributes = attributes
        self.runs = runs
    }
}

extension ArchivedValue {
    /// The number of values in this value, plus a thousandth of the bytes of text and data; more than `limit` if it is
    /// too large.
    fileprivate func valueCount(limit: Int) -> Int {
        var count = 0
        var waiting = [self]
        while let value = waiting.popLast(), count <= limit {
            count += 1
            switch value {
            case .string(let text), .url(let text): count += text.utf8.count / 1_000
            case .data(let bytes): count += bytes.count / 1_000
            case .array(let members), .set(let members), .orderedSet(let members): waiting += members
            case .dictionary(let pairs):
                for pair in pairs { waiting += [pair.key, pair.value] }
            case .object(let object): waiting += object.fields.map(\.value)
            case .attributedString(let text):
                count += text.string.utf8.count / 1_000 + text.runs.count
                waiting += text.attributes
            default: break
            }
        }
        return count
    }
}
