extension KeyedArchiveReader {
    /// The field `name` of an object; nil if the object lacks it or is a bare value.
    public func field(_ name: StaticString, of reference: ArchivedReference) throws(PropertyListError)
        -> ArchivedReference?
    {
        guard case .dictionary(let keys, let values) = try node(of: reference) else { return nil }
        for position in 0..<keys.count where try list.isString(try list.reference(keys, position), name) {
            return try self.reference(at: values, position)
        }
        return nil
    }

    /// The number of fields of an object, including `$class`; nil for a bare value. The time to look up a field is
    /// proportional to it.
    public func fieldCount(of reference: ArchivedReference) throws(PropertyListError) -> Int? {
        guard case .dictionary(let keys, _) = try node(of: reference) else { return nil }
        return keys.count
    }

    /// The name of a field or class at `index` of the list; nil for any other object. The length is limited, since many
    /// objects can share a name, and each gets a copy.
    func fieldName(_ index: Int) throws(PropertyListError) -> String? {
        switch try list.node(index) {
        case .ascii(let range), .utf16(let range):
            guard range.count <= 1024 else {
                throw list.failure(at: range.lowerBound, "a name of at most 1024 bytes", "\(range.count)")
            }
            return try list.string(index)
        default: return nil
        }
    }

    /// The class name of an object; nil for a bare value.
    public func className(of reference: ArchivedReference) throws(PropertyListError) -> String? {
        guard let described = try field(.classReference, of: reference) else { return nil }
        guard let name = try field(.className, of: described), let text = try fieldName(try index(of: name))
        else { throw failure(described, "a class with a $classname", "none") }
        return text
    }

    /// The class name of an object and the names of its superclasses, nearest first; empty for a bare value. The first
    /// is always `className(of:)`, even if the list in a hostile archive begins with a different name, so that all
    /// readers agree on the class.
    public func classNames(of reference: ArchivedReference) throws(PropertyListError) -> [String] {
        guard let name = try className(of: reference),
            let described = try field(.classReference, of: reference)
        else {
            return []
        }
        var names = [name]
        guard let list = try field("$classes", of: described),
            case .array(let references) = try node(of: list)
        else {
            return names
        }
        let most = 32
        for position in 0..<min(references.count, most) {
            let text = try fieldName(try self.list.reference(references, position))
            if let text, position > 0 || text != name { names.append(text) }
        }
        return Array(names.prefix(most))
    }

    /// Checks the references of an NSArray, NSSet, NSOrderedSet, bare array or bare set, and returns them without
    /// making an array; nil if their number is not `count`.
    public func members(
        of reference: ArchivedReference, count: Int
    ) throws(PropertyListError) -> ArchivedMembers? {
        guard let run = try elementRun(of: reference) else {
            let elements = try numberedElements(of: reference)
            return elements.count == count ? .list(elements) : nil
        }
        guard run.count == count else { return nil }
        for position in 0..<count { _ = try self.reference(at: run, position) }
        return .run(run)
    }

    /// The member at `position`.
    public func member(
        _ position: Int, of members: ArchivedMembers
    ) throws(PropertyListError) -> ArchivedReference {
        switch members {
        case .run(let run): try self.reference(at: run, position)
        case .list(let elements): elements[position]
        }
    }

    /// The members of an NSArray, NSSet or NSOrderedSet, or of a bare array or set.
    public func elements(of reference: ArchivedReference) throws(PropertyListError) -> [ArchivedReference] {
        guard let run = try elementRun(of: reference) else { return try numberedElements(of: reference) }
        var elements: [ArchivedReference] = []
        elements.reserveCapacity(run.count)
        for position in 0..<run.count { elements.append(try self.reference(at: run, position)) }
        return elements
    }

    /// The references to the members, if they are contiguous.
    func elementRun(of reference: ArchivedReference) throws(PropertyListError) -> PropertyListReferences? {
        switch try node(of: reference) {
        case .array(let references), .set(let references), .orderedSet(let references): return references
        case .dictionary(let keys, let values):
            guard let members = try field(.objects, keys, values) else { return nil }
            guard case .array(let references) = try node(of: members) else {
                throw failure(members, "an array NS.objects", "another object")
            }
            return references
        default: throw failure(reference, "a collection", "a scalar")
        }
    }

    /// The members that NSOrderedSet and older archives store in fields NS.object.0, NS.object.1 and so on.
    private func numberedElements(of reference: ArchivedReference) throws(PropertyListError)
        -> [ArchivedReference]
    {
        guard case .dictionary(let keys, let values) = try node(of: reference) else { return [] }
        var numbered: [(Int, ArchivedReference)] = []
        for position in 0..<keys.count {
            guard let name = try fieldName(try list.reference(keys, position)), name.hasPrefix("NS.object."),
                let number = Int(name.dropFirst("NS.object.".count))
            else { continue }
            numbered.append((number, try self.reference(at: values, position)))
        }
        return numbered.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The pairs of an NSDictionary, an NSKnownKeysDictionary1 (core-data-sqlite-store(5), 7.1) or a bare dictionary.
    public func pairs(
        of reference: ArchivedReference
    ) throws(PropertyListError) -> [(key: ArchivedReference, value: ArchivedReference)] {
        guard let runs = try pairRuns(of: reference) else { return [] }
        var pairs: [(key: ArchivedReference, value: ArchivedReference)] = []
        pairs.reserveCapacity(runs.keys.count)
        for position in 0..<runs.keys.count {
            let value = try self.reference(at: runs.values, position)
            if value == runs.empty { continue }
            pairs.append((try self.reference(at: runs.keys, position), value))
        }
        return pairs
    }

    typealias PairRuns = (
        keys: PropertyListReferences, values: PropertyListReferences, empty: ArchivedReference?
    )

    /// The references to keys and values, of equal count. A value equal to `empty` means that the key has none.
    func pairRuns(of reference: ArchivedReference) throws(PropertyListError) -> PairRuns? {
        guard let runs = try anyPairRuns(of: reference) else { return nil }
        guard runs.keys.count == runs.values.count else {
            throw failure(reference, "as many values as keys (\(runs.keys.count))", "\(runs.values.count)")
        }
        return runs
    }

    private func anyPairRuns(of reference: ArchivedReference) throws(PropertyListError) -> PairRuns? {
        guard case .dictionary(let bareKeys, let bareValues) = try node(of: reference) else {
            throw failure(reference, "a dictionary", "another object")
        }
        if let keys = try field(.keys, bareKeys, bareValues),
            let values = try field(.objects, bareKeys, bareValues)
        {
            return (try run(keys), try run(values), nil)
        }
        if let mapping = try field("searchMapping", of: reference),
            let values = try field("values", of: reference)
        {
            guard let keys = try field("keys", of: mapping), let keyRun = try elementRun(of: keys),
                let valueRun = try elementRun(of: values)
            else { throw failure(reference, "keys and values of an NSKnownKeysDictionary1", "none") }
            return (keyRun, valueRun, try field("emptyToken", of: reference))
        }
        if try field(.classReference, of: reference) != nil { return nil }
        return (bareKeys, bareValues, nil)
    }

    private func run(_ reference: ArchivedReference) throws(PropertyListError) -> PropertyListReferences {
        guard case .array(let references) = try node(of: reference) else {
            throw failure(reference, "an array of references", "another object")
        }
        return references
    }
}

/// The references to the members of a collection, which are looked up on demand.
public enum ArchivedMembers: Sendable {
    /// Contiguous references in the file.
    case run(PropertyListReferences)
    /// References from fields that older archives number.
    case list([ArchivedReference])
}

extension KeyedArchiveReader {
    /// The text of a bare string or an NSString; nil for any other object.
    public func string(_ reference: ArchivedReference) throws(PropertyListError) -> String? {
        let index = try index(of: reference)
        if let text = try list.string(index) { return text }
        guard let wrapped = try field(.string, of: reference) else { return nil }
        return try list.string(try self.index(of: wrapped))
    }

    /// The text of a bare string or an NSString of at most 1024 bytes; nil for any other object.
    public func name(_ reference: ArchivedReference) throws(PropertyListError) -> String? {
        if let text = try fieldName(try index(of: reference)) { return text }
        guard let wrapped = try field("NS.string", of: reference) else { return nil }
        return try fieldName(try index(of: wrapped))
    }

    /// The number of a bare integer; nil for any other object.
    public func integer(_ reference: ArchivedReference) throws(PropertyListError) -> Int128? {
        guard case .integer(let number) = try node(of: reference) else { return nil }
        return number
    }

    /// The date as seconds since 2001-01-01 00:00:00 UTC; nil for any other object.
    public func date(_ reference: ArchivedReference) throws(PropertyListError) -> Double? {
        switch try node(of: reference) {
        case .date(let seconds): return seconds
        case .dictionary(let keys, let values):
            guard let time = try field(.time, keys, values), case .real(let seconds) = try node(of: time)
            else {
                return nil
            }
            return seconds
        default: return nil
        }
    }
}
