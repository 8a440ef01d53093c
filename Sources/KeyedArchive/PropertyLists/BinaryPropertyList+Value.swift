import Base

extension BinaryPropertyList {
    /// Decodes the whole list, within `limits`.
    public func value(limits: KeyedArchiveLimits = .default) throws(PropertyListError) -> ArchivedValue {
        var walk = PropertyListWalk(list: self, limits: limits)
        return try walk.value(of: top)
    }

    /// The value of a UTF-16 string. Text with an unpaired surrogate becomes an object of class NSString with its
    /// bytes.
    func text(of range: Range<Int>) -> ArchivedValue {
        if let text = utf16(range) { return .string(text) }
        let units = ArchivedField("utf16BigEndian", .data(bytes.array(range)), isInline: true)
        return .object(ArchivedObject(className: "NSString", fields: [units]))
    }
}

/// Decodes a plain property list within limits.
private struct PropertyListWalk {
    let list: BinaryPropertyList
    var budget: KeyedArchiveBudget
    var path: [Int] = []

    init(list: BinaryPropertyList, limits: KeyedArchiveLimits) {
        self.list = list
        budget = KeyedArchiveBudget(limits, objectCount: list.objectCount, byteCount: list.bytes.count)
    }

    mutating func value(of index: Int) throws(PropertyListError) -> ArchivedValue {
        if let limit = budget.enter() { throw exhausted(limit, index) }
        defer { budget.leave() }
        switch try list.node(index) {
        case .null: return .none
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .date(let seconds): return .date(seconds)
        case .uid(let number): return .uid(number)
        case .data(let range):
            if let limit = budget.spend(range.count) { throw exhausted(limit, index) }
            return .data(list.bytes.array(range))
        case .ascii(let range):
            if let limit = budget.spend(range.count) { throw exhausted(limit, index) }
            return .string(try list.ascii(range))
        case .utf16(let range):
            if let limit = budget.spend(range.count) { throw exhausted(limit, index) }
            return list.text(of: range)
        case .array(let references): return .array(try members(references, of: index))
        case .orderedSet(let references): return .orderedSet(try members(references, of: index))
        case .set(let references): return .set(try members(references, of: index))
        case .dictionary(let keys, let values):
            let names = try members(keys, of: index)
            let contents = try members(values, of: index)
            return .dictionary(zip(names, contents).map { ArchivedPair(key: $0, value: $1) })
        }
    }

    private mutating func members(
        _ references: PropertyListReferences, of index: Int
    ) throws(PropertyListError) -> [ArchivedValue] {
        guard !path.contains(index) else {
            throw list.failure(
                at: references.offset, "a list without cycles", "object \(index) inside itself")
        }
        path.append(index)
        defer { path.removeLast() }
        var members: [ArchivedValue] = []
        for position in 0..<references.count {
            members.append(try value(of: try list.reference(references, position)))
        }
        return members
    }

    private func exhausted(_ limit: KeyedArchiveBudget.Exhausted, _ index: Int) -> PropertyListError {
        let place = (try? list.offset(of: index)) ?? 0  // try?: used in an error only
        return list.failure(at: place, "a list within the limits of the reader", "too many \(limit.rawValue)")
    }
}
