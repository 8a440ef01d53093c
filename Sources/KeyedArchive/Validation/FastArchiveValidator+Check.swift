extension FastArchiveValidator {
    /// The result of `ArchiveDecoder.check` for the graph below `reference`.
    public mutating func check(_ reference: ArchivedReference) throws(UnfamiliarArchive) -> ArchivedKind {
        guard budget.enter() == nil else { throw UnfamiliarArchive() }
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
        case .uid: throw UnfamiliarArchive()
        }
    }

    /// The result of `ArchiveDecoder.checkText`.
    public mutating func checkText(_ reference: ArchivedReference) throws(UnfamiliarArchive) -> ArchivedKind {
        let object = object(reference)
        switch object.kind {
        case .ascii, .utf16:
            // A code unit of two bytes becomes up to three bytes of UTF-8.
            try spend(2 * Int(object.count))
            return .string
        case .dictionary where object.count == 1:
            guard try foundationClass(of: object) == .null else { throw UnfamiliarArchive() }
            return .null
        default: throw UnfamiliarArchive()
        }
    }

    /// The text of a bare string.
    public mutating func text(_ reference: ArchivedReference) throws(UnfamiliarArchive) -> String {
        // try?: `ArchiveDecoder` reports the error
        guard try checkText(reference) == .string, let text = try? table.list.string(index(of: reference))
        else {
            throw UnfamiliarArchive()
        }
        return text
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
            try checkMembers(try array(.members, of: object))
            return .other
        case .date, .data, .number, .decimal, .uuid:
            try checkFields(of: object)
            return .other
        case .string, .url, .attributedString, .unknown: throw UnfamiliarArchive()
        }
    }

    private mutating func checkMembers(_ run: PropertyListReferences) throws(UnfamiliarArchive) {
        for position in 0..<run.count { _ = try check(member(position, of: run)) }
    }

    /// Checks fields that contain scalars. The decoder may read them twice: as fields of the class, and, if they do not
    /// fit, as those of an unknown class.
    private mutating func checkFields(of object: ScannedObject) throws(UnfamiliarArchive) {
        let count = Int(object.count)
        let fields = PropertyListReferences(offset: object.value, count: 2 * count)
        guard budget.visit(fields.count) == nil else { throw UnfamiliarArchive() }
        try spend((Self.mostClasses + 1) * Self.longestName)
        for position in 0..<count {
            let name = table.index(at: position, of: fields)
            try spend(try nameLength(name))
            let value = table[table.index(at: position + count, of: fields)]
            switch value.kind {
            case .null, .boolean, .integer, .real, .date: break
            case .data, .ascii, .utf16: try spend(2 * Int(value.count))
            case .uid where table[name].name == .classReference: break
            case .uid, .array, .set, .orderedSet, .dictionary: throw UnfamiliarArchive()
            }
        }
    }

    /// The class of an object, from its description, which is checked once.
    private mutating func foundationClass(
        of object: ScannedObject
    ) throws(UnfamiliarArchive) -> FoundationClass {
        guard let described = try field(.classReference, of: object), described.uid != nil else {
            throw UnfamiliarArchive()
        }
        let index = index(of: described)
        if let known = table[index].describedClass { return known }
        guard let name = try table.place(of: .className, in: table[index]) else { throw UnfamiliarArchive() }
        _ = try nameLength(name)
        if let classes = try table.place(of: .classNames, in: table[index]) {
            let names = table[classes]
            guard names.kind == .array, names.count <= Self.mostClasses else { throw UnfamiliarArchive() }
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
        guard name.kind == .ascii, name.count <= Self.longestName else { throw UnfamiliarArchive() }
        return Int(name.count)
    }

    private mutating func spend(_ count: Int) throws(UnfamiliarArchive) {
        guard budget.spend(count) == nil else { throw UnfamiliarArchive() }
    }
}
