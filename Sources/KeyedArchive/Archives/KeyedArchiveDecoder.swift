import Base

/// Decodes the graphs of one keyed archive into values. A decoder remembers the classes of the archive and counts the
/// objects that it visits; use one decoder for all graphs of an archive.
public struct KeyedArchiveDecoder {
    /// The archive whose objects are decoded.
    public let reader: KeyedArchiveReader
    private var budget: KeyedArchiveBudget
    private var cursor: KeyedArchiveCursor?
    private var classes: [Int: FoundationClass] = [:]
    /// Keys of dictionaries, by the lowest bits of their UIDs, each with its size in bytes, since dictionaries share
    /// them. Empty before the first key.
    private var keys: [(uid: Int, value: ArchivedValue, size: Int)] = []
    private static let keyCount = 64
    /// The last object that was an NSNull; an archive usually has one.
    private var null: ArchivedReference?
    /// The capacity to reserve for a collection. The count in the file is not trusted; the array grows with its
    /// members.
    private static let reserve = 256

    /// The objects that contain the current one, outermost first.
    private var path: [ArchivedReference] = []

    /// A decoder that has visited no object.
    public init(_ reader: KeyedArchiveReader, limits: KeyedArchiveLimits = .default) {
        self.reader = reader
        cursor = try? KeyedArchiveCursor(reader)  // try?: then `reader` finds all objects
        budget = KeyedArchiveBudget(limits, objectCount: reader.list.objectCount, byteCount: reader.byteCount)
    }

    /// The number of visited objects, and of copied bytes of text and data.
    package var spent: (visits: Int, bytes: Int) { budget.spent }

    /// The largest numbers for the whole archive, at which the decoder gives up.
    package var most: (visits: Int, bytes: Int) { budget.whole }

    /// Whether an object is an NSNull.
    public mutating func isNull(_ reference: ArchivedReference) throws(PropertyListError) -> Bool {
        if reference == null { return true }
        guard try reader.className(of: reference) == "NSNull" else { return false }
        null = reference
        return true
    }

    /// Decodes the whole graph below `reference`. A cycle becomes `.cycle`; a graph beyond the limits is an error.
    public mutating func value(of reference: ArchivedReference) throws(PropertyListError) -> ArchivedValue {
        try enter(reference)
        defer { leave() }
        if reader.isNil(reference) { return .none }
        if let value = try frequentValue(of: reference) { return value }
        switch try reader.node(of: reference) {
        case .null: return .none
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .date(let seconds): return .date(seconds)
        case .uid(let number): throw uidBehindUID(number, reference)
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
            return try inside(reference, ofCycle: .cycle) { decoder throws(PropertyListError) in
                try decoder.bare(reference)
            }
        case .dictionary(let keys, let values):
            let described = try classReference(of: reference, keys, values)
            return try inside(reference, ofCycle: .cycle) { decoder throws(PropertyListError) in
                guard let described else { return try decoder.bare(reference) }
                return try decoder.object(reference, of: described)
            }
        }
    }

    /// A value of one of the most frequent kinds, which the cursor finds faster than `reader`. Nil for any other value
    /// and for damage, before anything is counted.
    private mutating func frequentValue(
        of reference: ArchivedReference
    ) throws(PropertyListError) -> ArchivedValue? {
        // try?: here and below `reader` reports the error
        guard let object = try? cursor?.object(reference) else { return nil }
        switch object.kind {
        case .integer: return .integer(Int128(object.value))
        case .real: return .real(object.double)
        case .ascii:
            try spend(object.count, reference)
            return .string(try reader.list.ascii(object.range))
        case .utf16:
            try spend(object.count, reference)
            return reader.list.text(of: object.range)
        case .dictionary where object.count <= 16: break
        default: return nil
        }
        // try?: as above
        guard let kind = try? cursor?.foundationClass(of: object, at: reference) else { return nil }
        switch kind {
        case .null: return .null
        case .date:
            guard let (field, seconds) = try? cursor?.time(of: object) else { return nil }  // try?: as above
            try enter(field)
            leave()
            return .date(seconds)
        case .dictionary:
            guard let runs = try? cursor?.pairs(of: object) else { return nil }  // try?: as above
            return try inside(reference, ofCycle: .cycle) { decoder throws(PropertyListError) in
                .dictionary(try decoder.pairs((runs.keys, runs.values, nil), of: reference))
            }
        case .array:
            guard let run = try? cursor?.array(.objects, of: object) else { return nil }  // try?: as above
            return try inside(reference, ofCycle: .cycle) { decoder throws(PropertyListError) in
                .array(try decoder.members(run))
            }
        default: return nil
        }
    }

    func uidBehindUID(_ number: UInt64, _ reference: ArchivedReference) -> PropertyListError {
        reader.failure(reference, "an object", "UID \(number) behind a UID")
    }

    /// The description of the class in the field `$class`.
    mutating func classReference(
        of reference: ArchivedReference, _ keys: PropertyListReferences, _ values: PropertyListReferences
    ) throws(PropertyListError) -> ArchivedReference? {
        // The lookup compares the names one by one, so a large dictionary counts as work.
        if keys.count > 16 { try visit(keys.count, reference) }
        return try reader.field(.classReference, keys, values)
    }

    /// Runs `decode` for a collection or object, unless it contains itself; in that case returns `cycle`.
    @inline(__always)
    mutating func inside<Found>(
        _ reference: ArchivedReference, ofCycle cycle: Found,
        _ decode: (inout Self) throws(PropertyListError) -> Found
    ) throws(PropertyListError) -> Found {
        guard !path.contains(reference) else { return cycle }
        path.append(reference)
        defer { path.removeLast() }
        return try decode(&self)
    }

    mutating func object(
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
        return try members(run)
    }

    private mutating func members(_ run: PropertyListReferences) throws(PropertyListError) -> [ArchivedValue]
    {
        var members: [ArchivedValue] = []
        members.reserveCapacity(min(run.count, Self.reserve))
        for position in 0..<run.count {
            members.append(try value(of: try member(position, of: run)))
        }
        return members
    }

    mutating func pairs(of reference: ArchivedReference) throws(PropertyListError) -> [ArchivedPair] {
        guard let runs = try reader.pairRuns(of: reference) else { return [] }
        return try pairs(runs, of: reference)
    }

    private mutating func pairs(
        _ runs: KeyedArchiveReader.PairRuns, of reference: ArchivedReference
    ) throws(PropertyListError) -> [ArchivedPair] {
        var pairs: [ArchivedPair] = []
        pairs.reserveCapacity(min(runs.keys.count, Self.reserve))
        for position in 0..<runs.keys.count {
            let value = try member(position, of: runs.values)
            if value == runs.empty {
                try visit(1, reference)
                continue
            }
            let key = try member(position, of: runs.keys)
            pairs.append(ArchivedPair(key: try self.key(key), value: try self.value(of: value)))
        }
        return pairs
    }

    /// The value of a key, which is often that of another dictionary.
    private mutating func key(_ reference: ArchivedReference) throws(PropertyListError) -> ArchivedValue {
        guard let uid = reference.uid else { return try value(of: reference) }
        if keys.isEmpty { keys = Array(repeating: (-1, .none, 0), count: Self.keyCount) }
        let place = uid % Self.keyCount
        if keys[place].uid == uid {
            try enter(reference)
            defer { leave() }
            try spend(keys[place].size, reference)
            return keys[place].value
        }
        let before = budget.spent.bytes
        let value = try value(of: reference)
        if case .string = value { keys[place] = (uid, value, budget.spent.bytes - before) }
        return value
    }

    @inline(__always)
    private func member(
        _ position: Int, of run: PropertyListReferences
    ) throws(PropertyListError) -> ArchivedReference {
        // try?: `reader` reports the error
        if let found = try? cursor?.member(position, of: run) { return found }
        return try reader.reference(at: run, position)
    }

    /// Decodes an object of an unknown class, or with fields that Foundation does not write.
    private mutating func unknown(_ reference: ArchivedReference) throws(PropertyListError) -> ArchivedValue {
        var names = try reader.classNames(of: reference)
        for name in names { try spend(name.utf8.count, reference) }
        var fields: [ArchivedField] = []
        guard case .dictionary(let keys, let values) = try reader.node(of: reference) else { return .none }
        for position in 0..<keys.count {
            let name = try reader.fieldName(try reader.list.reference(keys, position)) ?? ""
            guard name != "$class" else { continue }
            try spend(name.utf8.count, reference)
            let field = try reader.reference(at: values, position)
            fields.append(ArchivedField(name, try value(of: field), isInline: field.uid == nil))
        }
        return .object(ArchivedObject(className: names.removeFirst(), ancestors: names, fields: fields))
    }

    mutating func foundationClass(
        _ described: ArchivedReference, of reference: ArchivedReference
    ) throws(PropertyListError) -> FoundationClass {
        guard let uid = described.uid else {
            throw reader.failure(described, "a UID as $class", "another object")
        }
        if let known = classes[uid] { return known }
        let known = FoundationClass(name: try reader.className(of: reference) ?? "")
        classes[uid] = known
        return known
    }

    /// Counts one object and one level of depth, until `leave`.
    @inline(__always)
    mutating func enter(_ reference: ArchivedReference) throws(PropertyListError) {
        if let limit = budget.enter() { throw exhausted(limit, reference) }
    }

    @inline(__always)
    mutating func leave() { budget.leave() }

    /// Counts work that makes no value.
    mutating func visit(_ count: Int, _ reference: ArchivedReference) throws(PropertyListError) {
        if let limit = budget.visit(count) { throw exhausted(limit, reference) }
    }

    mutating func spend(_ count: Int, _ reference: ArchivedReference) throws(PropertyListError) {
        if let limit = budget.spend(count) { throw exhausted(limit, reference) }
    }

    @inline(never)
    private func exhausted(_ limit: KeyedArchiveBudget.Exhausted, _ reference: ArchivedReference)
        -> PropertyListError
    {
        reader.failure(reference, "a graph within the limits of the reader", "too many \(limit.rawValue)")
    }

    /// The members of a collection, counted as visits, since many objects of a file can share one collection.
    public mutating func elements(of reference: ArchivedReference) throws(PropertyListError)
        -> [ArchivedReference]
    {
        let elements = try reader.elements(of: reference)
        try visit(elements.count, reference)
        return elements
    }

    /// The pairs of a dictionary, counted as visits.
    public mutating func entries(
        of reference: ArchivedReference
    ) throws(PropertyListError) -> [(key: ArchivedReference, value: ArchivedReference)] {
        let entries = try reader.pairs(of: reference)
        try visit(entries.count, reference)
        return entries
    }

    /// The text of a string, counted as bytes; nil for any other object.
    public mutating func string(_ reference: ArchivedReference) throws(PropertyListError) -> String? {
        guard let text = try reader.string(reference) else { return nil }
        try spend(text.utf8.count, reference)
        return text
    }
}

extension KeyedArchiveReader {
    /// Decodes the whole graph below `reference`, within `limits`.
    public func value(
        of reference: ArchivedReference, limits: KeyedArchiveLimits = .default
    ) throws(PropertyListError) -> ArchivedValue {
        var decoder = KeyedArchiveDecoder(self, limits: limits)
        return try decoder.value(of: reference)
    }
}
