/// The kind of a value of a keyed archive, as far as a check needs it.
public enum ArchivedKind: Sendable, Hashable {
    /// UID 0, or the null object of a property list.
    case none
    /// NSNull.
    case null
    /// A string, a dictionary, any other value.
    case string, dictionary, other

    init(_ value: ArchivedValue) {
        switch value {
        case .none: self = .none
        case .null: self = .null
        case .string: self = .string
        case .dictionary: self = .dictionary
        default: self = .other
        }
    }

    /// Whether the value is nil in either form.
    public var isNil: Bool { self == .none || self == .null }
}

extension KeyedArchiveDecoder {
    /// Checks the graph below `reference` as `value(of:)` does, with the same limits and errors, but without making
    /// values, which is faster.
    public mutating func check(_ reference: ArchivedReference) throws(PropertyListError) -> ArchivedKind {
        try enter(reference)
        defer { leave() }
        if reader.isNil(reference) { return .none }
        switch try reader.node(of: reference) {
        case .null: return .none
        case .boolean, .integer, .real, .date: return .other
        case .uid(let number): throw uidBehindUID(number, reference)
        case .data(let range):
            try spend(range.count, reference)
            return .other
        case .ascii(let range):
            try spend(range.count, reference)
            try reader.list.checkASCII(range)
            return .string
        case .utf16(let range):
            try spend(range.count, reference)
            return reader.list.utf16(range) == nil ? .other : .string
        case .array(let run), .set(let run), .orderedSet(let run):
            return try inside(reference, ofCycle: .other) { decoder throws(PropertyListError) in
                try decoder.checkMembers(run)
                return .other
            }
        case .dictionary(let keys, let values):
            let described = try classReference(of: reference, keys, values)
            return try inside(reference, ofCycle: .other) { decoder throws(PropertyListError) in
                try decoder.checkObject(reference, of: described)
            }
        }
    }

    private mutating func checkObject(
        _ reference: ArchivedReference, of described: ArchivedReference?
    ) throws(PropertyListError) -> ArchivedKind {
        guard let described else { return try checkPairs(of: reference) }
        switch try foundationClass(described, of: reference) {
        case .null: return .null
        case .dictionary: return try checkPairs(of: reference)
        case .array, .set, .orderedSet:
            guard let run = try reader.elementRun(of: reference) else { break }
            try checkMembers(run)
            return .other
        default: break
        }
        return ArchivedKind(try object(reference, of: described))
    }

    private mutating func checkMembers(_ run: PropertyListReferences) throws(PropertyListError) {
        for position in 0..<run.count { _ = try check(try reader.reference(at: run, position)) }
    }

    private mutating func checkPairs(of reference: ArchivedReference) throws(PropertyListError)
        -> ArchivedKind
    {
        guard let runs = try reader.pairRuns(of: reference) else { return .dictionary }
        for position in 0..<runs.keys.count {
            let value = try reader.reference(at: runs.values, position)
            if value == runs.empty {
                try visit(1, reference)
                continue
            }
            _ = try check(try reader.reference(at: runs.keys, position))
            _ = try check(value)
        }
        return .dictionary
    }

    /// Checks a string as `string(_:)` does, with the same limits and errors. Any kind except `.string`, `.none` and
    /// `.null` is neither a string nor nil.
    public mutating func checkText(_ reference: ArchivedReference) throws(PropertyListError) -> ArchivedKind {
        switch try reader.node(of: reference) {
        case .ascii(let range):
            try reader.list.checkASCII(range)
            try spend(range.count, reference)
            return .string
        case .dictionary(let keys, let values) where keys.count == 1:
            // An NSNull has no field except its class.
            guard let described = try reader.field(.classReference, keys, values), described.uid != nil,
                case .null = try foundationClass(described, of: reference)
            else { break }
            return .null
        default: break
        }
        if try string(reference) != nil { return .string }
        if reader.isNil(reference) { return .none }
        return try reader.className(of: reference) == "NSNull" ? .null : .other
    }
}
