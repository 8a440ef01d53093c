/// The classes of Foundation for which ``ArchivedValue`` has a case.
package enum FoundationClass {
    case string, data, date, number, null, array, set, orderedSet, dictionary, decimal, uuid, url,
        attributedString
    case unknown

    init(name: String) { self = Self.byName[name] ?? .unknown }

    private static let byName = Dictionary(uniqueKeysWithValues: names.map { ("\($0.text)", $0.kind) })

    /// The class whose name is at `range`.
    init(_ memory: UnsafeRawPointer, _ range: Range<Int>) {
        self = Self.names.first { memory.holds($0.text, at: range) }?.kind ?? .unknown
    }

    private static let names: [(text: StaticString, kind: FoundationClass)] = [
        ("NSString", .string), ("NSMutableString", .string),
        ("NSData", .data), ("NSMutableData", .data),
        ("NSDate", .date), ("NSNumber", .number), ("NSNull", .null),
        ("NSArray", .array), ("NSMutableArray", .array),
        ("NSSet", .set), ("NSMutableSet", .set),
        ("NSOrderedSet", .orderedSet), ("NSMutableOrderedSet", .orderedSet),
        ("NSDictionary", .dictionary), ("NSMutableDictionary", .dictionary),
        ("NSKnownKeysDictionary1", .dictionary),
        ("NSDecimalNumber", .decimal), ("NSDecimalNumberPlaceholder", .decimal),
        ("NSUUID", .uuid), ("NSURL", .url),
        ("NSAttributedString", .attributedString), ("NSMutableAttributedString", .attributedString),
    ]
}

extension KeyedArchiveDecoder {
    /// Decodes a scalar object of Foundation; nil if its fields differ from those that Foundation writes.
    mutating func scalar(
        _ reference: ArchivedReference, _ kind: FoundationClass
    ) throws(PropertyListError) -> ArchivedValue? {
        switch kind {
        case .string:
            if let text = try field(.string, of: reference) { return text.stringValue.map { .string($0) } }
            guard let bytes = try field("NS.bytes", of: reference)?.dataValue else { return nil }
            return String(validating: bytes, as: UTF8.self).map { .string($0) }
        case .data:
            if let bytes = try field(.data, of: reference)?.dataValue { return .data(bytes) }
            return try field("NS.bytes", of: reference)?.dataValue.map { .data($0) }
        case .number: return try number(reference)
        case .uuid:
            guard let bytes = try field("NS.uuidbytes", of: reference)?.dataValue else { return nil }
            return ArchivedUUID(bytes: bytes).map { .uuid($0) }
        case .url:
            guard let relative = try field("NS.relative", of: reference)?.stringValue else { return nil }
            guard case .url(let base)? = try field("NS.base", of: reference) else { return .url(relative) }
            return .url(base + " -- " + relative)
        case .decimal: return try decimal(reference).map { .decimal($0) }
        case .attributedString: return try attributedString(reference).map { .attributedString($0) }
        default: return nil
        }
    }

    /// The value of a field; nil if the object has no such field.
    private mutating func field(
        _ name: StaticString, of reference: ArchivedReference
    ) throws(PropertyListError) -> ArchivedValue? {
        guard let field = try reader.field(name, of: reference) else { return nil }
        return try value(of: field)
    }

    private mutating func field(
        _ name: FoundationField, of reference: ArchivedReference
    ) throws(PropertyListError) -> ArchivedValue? {
        guard let field = try reader.field(name, of: reference) else { return nil }
        return try value(of: field)
    }

    mutating func double(_ name: FoundationField, of reference: ArchivedReference) throws(PropertyListError)
        -> Double?
    {
        try field(name, of: reference)?.doubleValue
    }

    private mutating func number(_ reference: ArchivedReference) throws(PropertyListError) -> ArchivedValue? {
        if let flag = try field("NS.boolval", of: reference) { return flag.booleanValue.map { .boolean($0) } }
        for name: StaticString in ["NS.intval", "NS.dblval", "NS.number"] {
            if let number = try field(name, of: reference), number.doubleValue != nil { return number }
        }
        return nil
    }

    /// Decodes an NSDecimalNumber. The mantissa has 16-bit units in the byte order of NS.mantissa.bo (1:
    /// little-endian). A length of 0 means zero, or NaN if the sign is negative (core-data-sqlite-store(5), 7.1).
    private mutating func decimal(_ reference: ArchivedReference) throws(PropertyListError)
        -> ArchivedDecimal?
    {
        guard let mantissa = try field("NS.mantissa", of: reference)?.dataValue,
            let length = try field("NS.length", of: reference)?.integerValue,
            let exponent = try field("NS.exponent", of: reference)?.integerValue,
            let isNegative = try field("NS.negative", of: reference)?.booleanValue,
            (0...8).contains(length), mantissa.count >= 2 * length, (-128...127).contains(exponent)
        else { return nil }
        if length == 0 && isNegative { return .notANumber }
        let isLittle = try field("NS.mantissa.bo", of: reference)?.integerValue ?? 1 == 1
        var number: UInt128 = 0
        for unit in (0..<length).reversed() {
            let low = mantissa[2 * unit + (isLittle ? 0 : 1)]
            let high = mantissa[2 * unit + (isLittle ? 1 : 0)]
            number = number << 16 | UInt128(high) << 8 | UInt128(low)
        }
        return ArchivedDecimal(mantissa: number, exponent: exponent, isNegative: isNegative)
    }

    /// Decodes an NSAttributedString. With one run, NSAttributes is its dictionary. With several, NSAttributes is an
    /// array, and NSAttributeInfo has a pair of LEB128 numbers for each run: length and index in the array.
    private mutating func attributedString(
        _ reference: ArchivedReference
    ) throws(PropertyListError) -> ArchivedAttributedString? {
        guard let string = try field("NSString", of: reference)?.stringValue else { return nil }
        guard let attributes = try field("NSAttributes", of: reference) else {
            return ArchivedAttributedString(string: string, attributes: [], runs: [])
        }
        guard let info = try field("NSAttributeInfo", of: reference)?.dataValue else {
            let whole = ArchivedAttributedString.Run(length: string.utf16.count, attributes: 0)
            return ArchivedAttributedString(string: string, attributes: [attributes], runs: [whole])
        }
        guard let choices = attributes.elements, let numbers = unsignedLEB128(info), numbers.count % 2 == 0
        else {
            return nil
        }
        let runs = stride(from: 0, to: numbers.count, by: 2).map { place in
            ArchivedAttributedString.Run(length: numbers[place], attributes: numbers[place + 1])
        }
        // Any other form is an object with its fields: a run has characters, and only characters of the text.
        var left = string.utf16.count
        for run in runs {
            guard run.length > 0, run.length <= left, choices.indices.contains(run.attributes) else {
                return nil
            }
            left -= run.length
        }
        return ArchivedAttributedString(string: string, attributes: choices, runs: runs)
    }
}

/// Decodes unsigned LEB128 numbers: groups of seven bits, lowest first; the high bit shows that another group follows.
/// Nil if the last number is incomplete or a number has more than 56 bits.
func unsignedLEB128(_ bytes: [UInt8]) -> [Int]? {
    var numbers: [Int] = []
    var number = 0
    var shift = 0
    for byte in bytes {
        guard shift < 56 else { return nil }
        number |= Int(byte & 0x7F) << shift
        shift += 7
        if byte & 0x80 == 0 {
            numbers.append(number)
            number = 0
            shift = 0
        }
    }
    return shift == 0 ? numbers : nil
}
