package import Base
package import KeyedArchive

/// The keyed archive of a model or a mapping model. A small file can describe a huge model by many references to one object; therefore
/// everything that is read counts against a limit.
package struct ModelArchive {
    package let reader: KeyedArchiveReader
    private var classNames: [ArchivedReference: String] = [:]
    private var membersLeft = 200_000
    private var textLeft = 64 << 20

    /// The largest number of fields of an object; objects of models have some twenty.
    private static let fieldLimit = 64
    private static let textLimit = 1 << 16

    package init(_ bytes: SharedBytes, baseOffset: Int) throws(PropertyListError) {
        reader = try KeyedArchiveReader(bytes, baseOffset: baseOffset)
    }

    package func failure(_ reference: ArchivedReference, expected: String, found: String) -> PropertyListError
    {
        PropertyListError(offset: reader.offset(of: reference), expected: expected, found: found)
    }

    /// The object in a field; nil if the owner or the field is absent or nil, as in all readers of fields here.
    package func object(
        _ name: StaticString, of reference: ArchivedReference?
    ) throws(PropertyListError) -> ArchivedReference? {
        guard let reference else { return nil }
        if let count = try reader.fieldCount(of: reference), count > Self.fieldLimit {
            throw failure(reference, expected: "an object of a data model", found: "one with \(count) fields")
        }
        guard let field = try reader.field(name, of: reference), !reader.isNil(field) else { return nil }
        return field
    }

    package mutating func className(of reference: ArchivedReference) throws(PropertyListError) -> String? {
        guard let described = try object("$class", of: reference) else { return nil }
        if let known = classNames[described] { return known }
        let name = try text("$classname", of: described)
        classNames[described] = name
        return name
    }

    /// The string in a field; nil if the field is absent or nil.
    package mutating func text(_ name: StaticString, of reference: ArchivedReference?)
        throws(PropertyListError)
        -> String?
    {
        guard let field = try object(name, of: reference) else { return nil }
        return try text(of: field)
    }

    package mutating func text(of reference: ArchivedReference) throws(PropertyListError) -> String {
        let value = try reader.value(
            of: reference, limits: KeyedArchiveLimits(depth: 4, visits: 16, bytes: Self.textLimit))
        guard let text = value.stringValue else {
            throw failure(reference, expected: "a text", found: "another object")
        }
        textLeft -= text.utf8.count
        if textLeft < 0 {
            throw failure(reference, expected: "names of a data model", found: "too much text")
        }
        return text
    }

    /// The integer in a field; nil if the field is absent or nil.
    package func integer(_ name: StaticString, of reference: ArchivedReference?) throws(PropertyListError)
        -> Int?
    {
        guard let field = try object(name, of: reference) else { return nil }
        let value = try reader.value(
            of: field, limits: KeyedArchiveLimits(depth: 4, visits: 16, bytes: Self.textLimit))
        if let number = value.integerValue { return number }
        guard value.isPlaceholder else {
            throw failure(field, expected: "a whole number", found: "another object")
        }
        return 0
    }

    /// The Boolean in a field; false if the field is absent or nil.
    package func flag(_ name: StaticString, of reference: ArchivedReference?) throws(PropertyListError)
        -> Bool
    {
        try integer(name, of: reference) ?? 0 != 0
    }

    /// The value in a field, of limited size; nil if the field is absent or nil.
    package mutating func smallValue(
        _ name: StaticString, of reference: ArchivedReference?
    ) throws(PropertyListError) -> ArchivedValue? {
        guard let field = try object(name, of: reference) else { return nil }
        let limits = KeyedArchiveLimits(depth: 16, visits: 4096, bytes: 1 << 20)
        let value = try reader.value(of: field, limits: limits)
        textLeft -= value.textSize
        if textLeft < 0 {
            throw failure(field, expected: "the values of a data model", found: "too many bytes")
        }
        return value
    }

    /// The members of an array or set in a field; none if the field is absent or nil.
    package mutating func elements(
        _ name: StaticString, of reference: ArchivedReference?
    ) throws(PropertyListError) -> [ArchivedReference] {
        guard let field = try object(name, of: reference) else { return [] }
        return try elements(of: field)
    }

    package mutating func elements(of reference: ArchivedReference) throws(PropertyListError)
        -> [ArchivedReference]
    {
        let elements = try reader.elements(of: reference)
        try spend(elements.count, on: reference)
        return elements
    }

    /// The pairs of a dictionary in a field; none if the field is absent or nil.
    package mutating func pairs(
        _ name: StaticString, of reference: ArchivedReference?
    ) throws(PropertyListError) -> [(key: ArchivedReference, value: ArchivedReference)] {
        guard let field = try object(name, of: reference) else { return [] }
        let pairs = try reader.pairs(of: field)
        try spend(pairs.count, on: field)
        return pairs
    }

    /// The strings of an array of arrays.
    mutating func textLists(
        _ name: StaticString, of reference: ArchivedReference?
    ) throws(PropertyListError) -> [[String]] {
        var lists: [[String]] = []
        for list in try elements(name, of: reference) {
            var texts: [String] = []
            for element in try elements(of: list) { texts.append(try text(of: element)) }
            lists.append(texts)
        }
        return lists
    }

    private mutating func spend(_ count: Int, on reference: ArchivedReference) throws(PropertyListError) {
        membersLeft -= count + 1
        if membersLeft < 0 { throw failure(reference, expected: "a data model", found: "too many objects") }
    }

    /// The delete rule in a field; No Action if the field is absent.
    func deleteRule(
        _ name: StaticString, of reference: ArchivedReference?
    ) throws(PropertyListError) -> DeleteRule {
        try choice(name, of: reference, expected: "a delete rule of 0 to 3") ?? .noAction
    }

    /// The attribute type in a field; undefined if the field is absent.
    func attributeType(
        _ name: StaticString, of reference: ArchivedReference?
    ) throws(PropertyListError) -> AttributeType {
        try choice(name, of: reference, expected: "a known attribute type") ?? .undefined
    }

    private func choice<Choice: RawRepresentable<Int>>(
        _ name: StaticString, of reference: ArchivedReference?, expected: String
    ) throws(PropertyListError) -> Choice? {
        guard let reference, let number = try integer(name, of: reference) else { return nil }
        guard let choice = Choice(rawValue: number) else {
            throw failure(reference, expected: expected, found: "\(number)")
        }
        return choice
    }
}

extension ArchivedValue {
    /// Whether this is the text that Xcode 3 wrote for an empty field of a number: a placeholder with the digits of 0
    /// (core-data-sqlite-store(5), 7.3).
    fileprivate var isPlaceholder: Bool {
        if case .decimal(let number) = self { return number.mantissa == 0 && !number.isNaN }
        guard case .object(let object) = self, object.className == "NSDecimalNumberPlaceholder",
            let digits = object["NS.mantissa"]?.dataValue
        else { return false }
        return digits.allSatisfy { $0 == 0 }
    }

    /// The bytes of a string or data; the limits of the reader bound collections.
    fileprivate var textSize: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        default: 64
        }
    }
}
