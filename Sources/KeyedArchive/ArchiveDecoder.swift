/// Decodes graphs of one archive into values. It remembers the classes that it has met and counts what it visits:
/// keep one for a whole pass.
public struct ArchiveDecoder {
    public let reader: KeyedArchiveReader
    private var budget: ArchiveBudget
    private var classes: [Int: FoundationClass] = [:]
    /// The objects being decoded, outermost first.
    private var path: [ArchivedReference] = []

    public init(_ reader: KeyedArchiveReader, limits: ArchiveLimits = .default) {
        self.reader = reader
        budget = ArchiveBudget(limits, objectCount: reader.list.objectCount, byteCount: reader.byteCount)
    }

    /// The whole graph below `reference`. A cycle gives `.cycle`; a graph beyond the limits is an error.
    public mutating func value(of reference: ArchivedReference) throws(PropertyListError) -> ArchivedValue {
        if reader.isNil(reference) { return .none }
        if let limit = budget.enter() { throw exhausted(limit, reference) }
        defer { budget.leave() }
        switch try reader.node(of: reference) {
        case .null: return .none
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .date(let seconds): return .date(seconds)
        case .uid(let number): throw reader.failure(reference, "an object", "UID \(number) behind a UID")
        case .data(let range):
            try spend(range.count, reference)
            return .data(reader.list.bytes.array(range))
        case .ascii(let range):
            try spend(range.count, reference)
            return .string(try reader.list.ascii(range))
        case .utf16(let range):
            try spend(range.count, reference)
            return reader.list.text(of: range)
        case .array, .set, .orderedSet:
            return try inside(reference) { decoder throws(PropertyListError) in try decoder.bare(reference) }
        case .dictionary(let keys, let values):
            guard let described = try reader.field(.classReference, keys, values) else {
                return try inside(reference) { decoder throws(PropertyListError) in try decoder.bare(reference) }
            }
            return try inside(reference) { decoder throws(PropertyListError) in
                try decoder.object(reference, of: described)
            }
        }
    }

    /// Decodes what is inside `reference`, unless that is just where the decoding comes from.
    @inline(__always)
    private mutating func inside(
        _ reference: ArchivedReference, _ decode: (inout Self) throws(PropertyListError) -> ArchivedValue
    ) throws(PropertyListError) -> ArchivedValue {
        guard !path.contains(reference) else { return .cycle }
        path.append(reference)
        defer { path.removeLast() }
        return try decode(&self)
    }

    private mutating func object(
        _ reference: ArchivedReference, of described: ArchivedReference
    ) throws(PropertyListError) -> ArchivedValue {
        switch try foundationClass(described, of: reference) {
        case .null: return .null
        case .array: return .array(try members(of: reference))
        case .set: return .set(try members(of: reference))
        case .orderedSet: return .orderedSet(try members(of: reference))
        case .dictionary: return .dictionary(try pairs(of: reference))
        case .date:
            guard let seconds = try double(.time, of: reference) else { return try unknown(reference) }
            return .date(seconds)
        case .string, .data, .uuid, .url, .decimal, .number, .attributedString:
            let kind = try foundationClass(described, of: reference)
            if let scalar = try scalar(reference, kind) { return scalar }
            return try unknown(reference)
        case .unknown: return try unknown(reference)
        }
    }

    private mutating func bare(_ reference: ArchivedReference) throws(PropertyListError) -> ArchivedValue {
        switch try reader.node(of: reference) {
        case .array: .array(try members(of: reference))
        case .set: .set(try members(of: reference))
        case .orderedSet: .orderedSet(try members(of: reference))
        default: .dictionary(try pairs(of: reference))
        }
    }

    mutating func members(of reference: ArchivedReference) throws(PropertyListError) -> [ArchivedValue] {
        guard let run = try reader.elementRun(of: reference) else {
            var members: [ArchivedValue] = []
            for member in try reader.elements(of: reference) { members.append(try value(of: member)) }
            return members
        }
        var members: [ArchivedValue] = []
        for position in 0..<run.count { members.append(try value(of: try reader.reference(at: run, position))) }
        return members
    }

    mutating func pairs(of reference: ArchivedReference) throws(PropertyListError) -> [ArchivedPair] {
        var pairs: [ArchivedPair] = []
        for (key, value) in try reader.pairs(of: reference) {
            pairs.append(ArchivedPair(key: try self.value(of: key), value: try self.value(of: value)))
        }
        return pairs
    }

    /// An object of a class that is not Foundation's, or not in a form that Foundation writes.
    private mutating func unknown(_ reference: ArchivedReference) throws(PropertyListError) -> ArchivedValue {
        var names = try reader.classNames(of: reference)
        var fields: [ArchivedField] = []
        guard case .dictionary(let keys, let values) = try reader.node(of: reference) else { return .none }
        for position in 0..<keys.count {
            let name = try reader.list.string(try reader.list.reference(keys, position)) ?? ""
            guard name != "$class" else { continue }
            let field = try reader.reference(at: values, position)
            fields.append(ArchivedField(name, try value(of: field), isInline: field.uid == nil))
        }
        return .object(ArchivedObject(className: names.removeFirst(), ancestors: names, fields: fields))
    }

    private mutating func foundationClass(
        _ described: ArchivedReference, of reference: ArchivedReference
    ) throws(PropertyListError) -> FoundationClass {
        guard let uid = described.uid else { throw reader.failure(described, "a UID as $class", "another object") }
        if let known = classes[uid] { return known }
        let known = FoundationClass(name: try reader.className(of: reference) ?? "")
        classes[uid] = known
        return known
    }

    mutating func spend(_ count: Int, _ reference: ArchivedReference) throws(PropertyListError) {
        if let limit = budget.spend(count) { throw exhausted(limit, reference) }
    }

    private func exhausted(_ limit: ArchiveBudget.Exhausted, _ reference: ArchivedReference) -> PropertyListError {
        reader.failure(reference, "a graph within the limits of the reader", "too many \(limit.rawValue)")
    }
}

extension KeyedArchiveReader {
    /// The whole graph below `reference`, within `limits`.
    public func value(
        of reference: ArchivedReference, limits: ArchiveLimits = .default
    ) throws(PropertyListError) -> ArchivedValue {
        var decoder = ArchiveDecoder(self, limits: limits)
        return try decoder.value(of: reference)
    }
}
