extension FastArchiveValidator {
    /// The result of `KeyedArchiveDecoder.check` for the graph below `reference`.
    public mutating func check(_ reference: ArchivedReference) throws(UnfamiliarArchive) -> ArchivedKind {
        guard budget.enter() == nil else { throw UnfamiliarArchive(.limits) }
        defer { budget.leave() }
        if reference.uid == 0 { return .none }
        let object = object(reference)
        switch object.kind {
        case .null: return .none
        case .boolean, .integer, .real, .date: return .other
        case .data:
            try spend(Int(object.count))
            return .other
        case .ascii, .utf16:
            try spend(Int(object.count))
            return .string
        case .array, .set, .orderedSet:
            try checkMembers(object.run)
            return .other
        case .dictionary: return try checkObject(object)
        case .uid: throw UnfamiliarArchive(.type)
        }
    }

    /// The result of `KeyedArchiveDecoder.checkText`.
    public mutating func checkText(_ reference: ArchivedReference) throws(UnfamiliarArchive) -> ArchivedKind {
        let object = object(reference)
        if object.kind == .dictionary, object.count == 1 {
            guard try foundationClass(of: object) == .null else { throw UnfamiliarArchive(.type) }
            return .null
        }
        guard let text = try text(of: object) else { throw UnfamiliarArchive(.type) }
        // A code unit of two bytes becomes up to three bytes of UTF-8.
        try spend(2 * Int(text.count))
        return .string
    }

    /// The text of a string.
    public mutating func text(_ reference: ArchivedReference) throws(UnfamiliarArchive) -> String {
        guard try checkText(reference) == .string else { throw UnfamiliarArchive(.type) }
        if let latestText, latestText.reference == reference { return latestText.text }
        guard let found = try text(of: object(reference)), let text = text(found) else {
            throw UnfamiliarArchive(.type)
        }
        latestText = (reference, text)
        return text
    }

    private func text(_ object: ScannedObject) -> String? {
        if object.kind == .utf16 { return table.list.utf16(object.range) }
        let bytes = UnsafeRawBufferPointer(start: table.memory + object.value, count: Int(object.count))
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func checkObject(_ object: ScannedObject) throws(UnfamiliarArchive) -> ArchivedKind {
        switch try foundationClass(of: object) {
        case .null: return .null
        case .dictionary:
            let (keys, values) = try pairs(of: object)
            try checkMembers(keys)
            try checkMembers(values)
            return .dictionary
        case .array, .set, .orderedSet:
            try checkCollection(object)
            return .other
        case .string:
            guard let text = try field(.string, of: object) else { throw UnfamiliarArchive(.objectClass) }
            try checkScalar(text) { $0 == .ascii || $0 == .utf16 }
            return .string
        case .data:
            guard let bytes = try field(.data, of: object) else { throw UnfamiliarArchive(.objectClass) }
            try checkScalar(bytes) { $0 == .data }
            return .other
        case .date:
            guard let time = try field(.time, of: object) else { throw UnfamiliarArchive(.objectClass) }
            try checkScalar(time) { $0 == .real }
            return .other
        case .url:
            try checkURL(object)
            return .other
        case .number, .decimal, .uuid:
            try checkFields(of: object)
            return .other
        case .attributedString, .unknown: throw UnfamiliarArchive(.objectClass)
        }
    }

    private mutating func checkMembers(_ run: PropertyListReferences) throws(UnfamiliarArchive) {
        for position in 0..<run.count { _ = try check(member(position, of: run)) }
    }

    /// Checks the members in `NS.objects`, or in `NS.object.0`, `NS.object.1` and so on.
    private mutating func checkCollection(_ object: ScannedObject) throws(UnfamiliarArchive) {
        if try table.placeOfAny(.members, in: object) != nil {
            return try checkMembers(try array(.members, of: object))
        }
        let count = Int(object.count)
        let fields = PropertyListReferences(offset: object.value, count: 2 * count)
        for position in 0..<count {
            let name = table.index(at: position, of: fields)
            if table[name].name == .classReference { continue }
            guard isNumber(of: name) else { throw UnfamiliarArchive(.objectClass) }
            _ = try check(member(position + count, of: fields))
        }
    }

    /// Whether an object is the name of a numbered member.
    private func isNumber(of index: Int) -> Bool {
        let (name, prefix) = (table[index], "NS.object." as StaticString)
        let length = prefix.utf8CodeUnitCount
        guard name.kind == .ascii, (length + 1...length + 9).contains(Int(name.count)) else { return false }
        let digits = UnsafeRawBufferPointer(start: table.memory, count: name.range.upperBound)
            .dropFirst(name.value + length)
        return table.memory.holds(prefix, at: name.value..<name.value + length)
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Checks the value of a field, which must be a scalar of a certain kind.
    private mutating func checkScalar(
        _ reference: ArchivedReference, _ isExpected: (ScannedObject.Kind) -> Bool
    ) throws(UnfamiliarArchive) {
        let object = object(reference)
        guard reference.uid != 0, isExpected(object.kind) else { throw UnfamiliarArchive(.objectClass) }
        guard budget.visit(1) == nil else { throw UnfamiliarArchive(.limits) }
        if object.kind != .real { try spend(Int(object.count)) }
    }

    /// Checks an NSURL with its base URL.
    private mutating func checkURL(_ object: ScannedObject) throws(UnfamiliarArchive) {
        guard let relative = try table.place(of: .relative, in: object),
            let base = try field(.base, of: object)
        else { throw UnfamiliarArchive(.objectClass) }
        try checkScalar(self.reference(toIndex: relative)) { $0 == .ascii || $0 == .utf16 }
        guard base.uid != 0 else {
            guard budget.visit(1) == nil else { throw UnfamiliarArchive(.limits) }
            return
        }
        let outer = self.object(base)
        guard outer.kind == .dictionary, try foundationClass(of: outer) == .url else {
            throw UnfamiliarArchive(.objectClass)
        }
        _ = try check(base)
    }

    /// Checks fields that contain scalars. The decoder may read them twice: as fields of the class and, if they do not
    /// match, as fields of an unknown class.
    private mutating func checkFields(of object: ScannedObject) throws(UnfamiliarArchive) {
        let count = Int(object.count)
        let fields = PropertyListReferences(offset: object.value, count: 2 * count)
        guard budget.visit(2 * fields.count) == nil else { throw UnfamiliarArchive(.limits) }
        try spend((Self.mostClasses + 1) * Self.longestName)
        for position in 0..<count {
            let name = table.index(at: position, of: fields)
            try spend(try nameLength(name))
            let value = table[table.index(at: position + count, of: fields)]
            switch value.kind {
            case .null, .boolean, .integer, .real, .date: break
            case .data, .ascii, .utf16: try spend(2 * Int(value.count))
            case .uid where table[name].name == .classReference: break
            case .uid, .array, .set, .orderedSet, .dictionary: throw UnfamiliarArchive(.objectClass)
            }
        }
    }

    /// The class of an object, from its description, which is checked once.
    mutating func foundationClass(
        of object: ScannedObject
    ) throws(UnfamiliarArchive) -> FoundationClass {
        if object.count > 16 {
            guard budget.visit(Int(object.count)) == nil else { throw UnfamiliarArchive(.limits) }
        }
        guard let described = try table.placeOfAny(.classReference, in: object), table[described].kind == .uid
        else { throw UnfamiliarArchive(.objectClass) }
        let index = index(of: reference(toIndex: described))
        if let known = table[index].describedClass { return known }
        guard let name = try table.place(of: .className, in: table[index]) else {
            throw UnfamiliarArchive(.structure)
        }
        _ = try nameLength(name)
        if let classes = try table.place(of: .classNames, in: table[index]) {
            let names = table[classes]
            guard names.kind == .array, names.count <= Self.mostClasses else {
                throw UnfamiliarArchive(.objectClass)
            }
            for position in 0..<names.run.count {
                _ = try nameLength(table.index(at: position, of: names.run))
            }
        }
        let known = FoundationClass(table.memory, table[name].range)
        table.note(index, describes: known)
        return known
    }

    private static let mostClasses = 8
    private static let longestName = 64

    /// The length in bytes of the name of a field or class.
    private func nameLength(_ index: Int) throws(UnfamiliarArchive) -> Int {
        let name = table[index]
        guard name.kind == .ascii, name.count <= Self.longestName else {
            throw UnfamiliarArchive(.objectClass)
        }
        return Int(name.count)
    }

    private mutating func spend(_ count: Int) throws(UnfamiliarArchive) {
        guard budget.spend(count) == nil else { throw UnfamiliarArchive(.limits) }
    }
}
