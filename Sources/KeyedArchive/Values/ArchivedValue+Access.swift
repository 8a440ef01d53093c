extension ArchivedValue {
    /// The kind of the value in words, for errors.
    public var kindName: String {
        switch self {
        case .none: "nothing"
        case .null: "NSNull"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .real: "a real number"
        case .string: "a string"
        case .data: "data"
        case .date: "a date"
        case .decimal: "a decimal number"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .array(let members): "an array of \(members.count)"
        case .set(let members): "a set of \(members.count)"
        case .orderedSet(let members): "an ordered set of \(members.count)"
        case .dictionary(let pairs): "a dictionary of \(pairs.count)"
        case .attributedString: "an attributed string"
        case .object: "an object of another class"
        case .cycle: "a value that contains itself"
        case .uid: "a reference"
        }
    }

    /// The text of a string.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value of an integer or boolean (0 or 1), or of a real without a fraction; nil beyond 64 bits.
    public var integerValue: Int? {
        switch self {
        case .integer(let number): Int(exactly: number)
        case .boolean(let flag): flag ? 1 : 0
        case .real(let number): Int(exactly: number)
        default: nil
        }
    }

    /// The value of a real or an integer.
    public var doubleValue: Double? {
        switch self {
        case .real(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    /// The value of a boolean, or of an integer that is 0 or 1.
    public var booleanValue: Bool? {
        switch self {
        case .boolean(let flag): flag
        case .integer(0): false
        case .integer(1): true
        default: nil
        }
    }

    /// The bytes of data.
    public var dataValue: [UInt8]? {
        if case .data(let bytes) = self { bytes } else { nil }
    }

    /// The date as seconds since 2001-01-01 00:00:00 UTC.
    public var dateValue: Double? {
        if case .date(let seconds) = self { seconds } else { nil }
    }

    /// The members of an array, a set or an ordered set.
    public var elements: [ArchivedValue]? {
        switch self {
        case .array(let members), .set(let members), .orderedSet(let members): members
        default: nil
        }
    }

    /// The pairs of a dictionary, in the order of the file.
    public var pairs: [ArchivedPair]? {
        if case .dictionary(let pairs) = self { pairs } else { nil }
    }

    /// Whether the value is nil in either form.
    public var isNil: Bool {
        switch self {
        case .none, .null: true
        default: false
        }
    }

    /// The value under a string key of a dictionary.
    public subscript(key: String) -> ArchivedValue? {
        pairs?.first { $0.key.stringValue == key }?.value
    }

    /// Makes a dictionary with string keys, in the given order.
    public static func dictionary(_ pairs: KeyValuePairs<String, ArchivedValue>) -> ArchivedValue {
        .dictionary(pairs.map { ArchivedPair(key: .string($0.key), value: $0.value) })
    }
}
