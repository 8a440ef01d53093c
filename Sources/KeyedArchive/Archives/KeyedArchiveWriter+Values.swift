extension KeyedArchiveWriter {
    /// Whether a collection is written as a mutable class. Core Data writes the attributes of an inserted object as an
    /// NSMutableDictionary (core-data-binary-store(5), 5).
    public enum Mutability: Sendable {
        /// For example NSArray.
        case immutable
        /// For example, NSMutableArray for the outermost collection; the collections in it are immutable.
        case mutableOutside
        /// Mutable also for NSMutableString and NSMutableData, and for the values in a dictionary.
        case mutable
    }

    /// A keyed archive with one object, `root` in `$top`.
    public static func bytes(root value: ArchivedValue) throws(PropertyListError) -> [UInt8] {
        try bytes(top: [("root", value)])
    }

    /// A keyed archive of several values, each under its name in `$top`.
    public static func bytes(top values: [(name: String, value: ArchivedValue)]) throws(PropertyListError)
        -> [UInt8]
    {
        var writer = KeyedArchiveWriter()
        var top: [(name: String, uid: UID)] = []
        for (name, value) in values { top.append((name, try writer.add(value))) }
        return try writer.finish(top: top)
    }

    /// Whether an archive can contain a value; false, for example, for a value that contains itself.
    public static func canWrite(_ value: ArchivedValue) -> Bool {
        var writer = KeyedArchiveWriter()
        return (try? writer.add(value)) != nil  // try?: what cannot be written is the answer
    }

    /// Adds a value with its content.
    public mutating func add(
        _ value: ArchivedValue, _ mutability: Mutability = .immutable
    ) throws(PropertyListError) -> UID {
        try add(value, mutability, depth: 0)
    }

    private mutating func add(
        _ value: ArchivedValue, _ mutability: Mutability, depth: Int
    ) throws(PropertyListError) -> UID {
        guard depth < BinaryPropertyListWriter.depthLimit else {
            throw PropertyListError(
                offset: 0, expected: "at most \(BinaryPropertyListWriter.depthLimit) levels", found: "more")
        }
        let prefix = mutability == .immutable ? [] : ["NSMutable"]
        func classes(_ name: String) -> [String] { prefix.map { $0 + name } + ["NS" + name, "NSObject"] }
        func objects(
            _ members: [ArchivedValue], _ writer: inout Self, _ mutability: Mutability = .immutable
        ) throws(PropertyListError) -> [UID] {
            var uids: [UID] = []
            for member in members { uids.append(try writer.add(member, mutability, depth: depth + 1)) }
            return uids
        }
        switch value {
        case .none: return .none
        case .null: return try addNull()
        case .string where mutability == .mutable:
            return try add(class: classes("String"), fields: [("NS.string", .inline(value))])
        case .data where mutability == .mutable:
            return try add(class: classes("Data"), fields: [("NS.data", .inline(value))])
        case .boolean, .integer, .real, .string, .data: return try add(scalar: value)
        case .date(let seconds):
            return try add(class: ["NSDate", "NSObject"], fields: [("NS.time", .inline(.real(seconds)))])
        case .uuid(let uuid):
            return try add(
                class: ["NSUUID", "NSObject"], fields: [("NS.uuidbytes", .inline(.data(uuid.bytes)))])
        case .url(let text): return try addURL(text)
        case .decimal(let decimal): return try add(decimal)
        case .array(let members):
            return try add(
                class: classes("Array"), fields: [("NS.objects", .references(try objects(members, &self)))])
        case .set(let members):
            return try add(
                class: classes("Set"), fields: [("NS.objects", .references(try objects(members, &self)))])
        case .orderedSet(let members):
            var fields: [(name: String, value: Field)] = []
            for (number, uid) in try objects(members, &self).enumerated() {
                fields.append(("NS.object.\(number)", .reference(uid)))
            }
            return try add(class: classes("OrderedSet"), fields: fields)
        case .dictionary(let pairs):
            let keys = try objects(pairs.map(\.key), &self)
            let inside = mutability == .mutable ? Mutability.mutable : .immutable
            let values = try objects(pairs.map(\.value), &self, inside)
            return try add(
                class: classes("Dictionary"),
                fields: [("NS.keys", .references(keys)), ("NS.objects", .references(values))])
        case .attributedString(let text): return try add(text, depth: depth)
        case .object(let object): return try add(object, depth: depth)
        case .cycle, .uid:
            throw PropertyListError(offset: 0, expected: "an object", found: value.kindName)
        }
    }

    private mutating func addURL(_ text: String) throws(PropertyListError) -> UID {
        var base = UID.none
        var relative = text
        if let separator = text.firstRange(of: " -- ") {
            base = try addURL(String(text[..<separator.lowerBound]))
            relative = String(text[separator.upperBound...])
        }
        let text = try add(scalar: .string(relative))
        return try add(
            class: ["NSURL", "NSObject"],
            fields: [("NS.base", .reference(base)), ("NS.relative", .reference(text))])
    }

    private mutating func add(_ decimal: ArchivedDecimal) throws(PropertyListError) -> UID {
        guard (-128...127).contains(decimal.exponent) else {
            throw PropertyListError(
                offset: 0, expected: "an exponent from -128 to 127", found: "\(decimal.exponent)")
        }
        let mantissa = (0..<16).map { UInt8(truncatingIfNeeded: decimal.mantissa >> (8 * UInt128($0))) }
        let units = (128 - decimal.mantissa.leadingZeroBitCount + 15) / 16
        return try add(
            class: ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"],
            fields: [
                ("NS.mantissa", .inline(.data(mantissa))), ("NS.length", .inline(.integer(Int128(units)))),
                ("NS.exponent", .inline(.integer(Int128(decimal.exponent)))),
                ("NS.negative", .inline(.boolean(decimal.isNegative))),
                ("NS.compact", .inline(.boolean(true))),
                ("NS.mantissa.bo", .inline(.integer(1))),
            ])
    }

    private mutating func add(_ text: ArchivedAttributedString, depth: Int) throws(PropertyListError) -> UID {
        var fields: [(name: String, value: Field)] = [
            ("NSString", .reference(try add(scalar: .string(text.string))))
        ]
        let isWhole = text.runs == [.init(length: text.string.utf16.count, attributes: 0)]
        if isWhole, let only = text.attributes.first, text.attributes.count == 1 {
            fields.append(("NSAttributes", .reference(try add(only, .immutable, depth: depth + 1))))
        } else if !text.runs.isEmpty || !text.attributes.isEmpty {
            let info = text.runs.flatMap { encodedLEB128($0.length) + encodedLEB128($0.attributes) }
            let attributes = try add(.array(text.attributes), .immutable, depth: depth + 1)
            fields.append(("NSAttributes", .reference(attributes)))
            fields.append(("NSAttributeInfo", .reference(try add(scalar: .data(info)))))
        }
        return try add(class: ["NSAttributedString", "NSObject"], fields: fields)
    }

    private mutating func add(_ object: ArchivedObject, depth: Int) throws(PropertyListError) -> UID {
        var fields: [(name: String, value: Field)] = []
        for field in object.fields {
            if field.isInline {
                fields.append((field.name, .inline(field.value)))
            } else {
                fields.append((field.name, .reference(try add(field.value, .immutable, depth: depth + 1))))
            }
        }
        return try add(class: [object.className] + object.ancestors, fields: fields)
    }
}

/// Encodes a number as unsigned LEB128: groups of seven bits, lowest first.
private func encodedLEB128(_ number: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = UInt(bitPattern: number)
    while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
    }
    return bytes + [UInt8(truncatingIfNeeded: rest)]
}
