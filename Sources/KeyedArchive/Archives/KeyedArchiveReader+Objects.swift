extension KeyedArchiveReader {
    /// The field `name` of an object; nil when it has none, or is a bare value.
    public func field(_ name: StaticString, of reference: ArchivedReference) throws(PropertyListError)
        -> ArchivedReference?
    {
        guard case .dictionary(let keys, let values) = try node(of: reference) else { return nil }
        for position in 0..<keys.count where try list.isString(try list.reference(keys, position), name) {
            return try self.reference(at: values, position)
        }
        return nil
    }

    /// How many fields an object has, `$class` among them; nil for a bare value. Looking a field up takes time in
    /// proportion.
    public func fieldCount(of reference: ArchivedReference) throws(PropertyListError) -> Int? {
        guard case .dictionary(let keys, _) = try node(of: reference) else { return nil }
        return keys.count
    }

    /// The names of an object's fields, without `$class`, in the order of the file.
    public func fieldNames(of reference: ArchivedReference) throws(PropertyListError) -> [String] {
        guard case .dictionary(let keys, _) = try node(of: reference) else { return [] }
        var names: [String] = []
        for position in 0..<keys.count {
            let index = try list.reference(keys, position)
            guard let name = try fieldName(index) else {
                throw list.failure(at: try list.offset(of: index), "a field name", "another object")
            }
            if name != "$class" { names.append(name) }
        }
        return names
    }

    /// The text of the name of a field or class, at `index` of the list; nil for anything else. A name is short: many
    /// objects can share one, and each of them gets a copy.
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

    /// The class of an object; nil for a bare value.
    public func className(of reference: ArchivedReference) throws(PropertyListError) -> String? {
        guard let described = try field(.classReference, of: reference) else { return nil }
        guard let name = try field(.className, of: described), let text = try fieldName(try index(of: name))
        else { throw failure(described, "a class with a $classname", "none") }
        return text
    }

    /// A class and its superclasses, nearest first; empty for a bare value. The class is that of `className(of:)`, also
    /// where the list of a hostile archive begins with another: what an object is must not depend on who asks.
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

    /// The members of an NSArray, NSSet or NSOrderedSet, or of a bare array or set, as `elements(of:)` gives them,
    /// but without making a list of them; nil where there are not `count` of them. All references are checked.
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

    /// The references of the members, where they lie in one run.
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

    /// The members that older archives and NSOrderedSet keep in the fields NS.object.0, NS.object.1 and so on.
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

    /// Where keys and values lie, as many values as keys; `empty` marks a place without a value.
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

/// The members of a collection, each looked up when it is asked for.
public enum ArchivedMembers: Sendable {
    /// References that lie end to end in the file.
    case run(PropertyListReferences)
    /// In archives of older forms.
    case list([ArchivedReference])
}

extension KeyedArchiveReader {
    /// The text of a bare string or of an object that wraps one; nil for anything else.
    public func string(_ reference: ArchivedReference) throws(PropertyListError) -> String? {
        let index = try index(of: reference)
        if let text = try list.string(index) { return text }
        guard let wrapped = try field(.string, of: reference) else { return nil }
        return try list.string(try self.index(of: wrapped))
    }

    /// The text of a string that is a name, of at most 1024 bytes; nil for anything else.
    public func name(_ reference: ArchivedReference) throws(PropertyListError) -> String? {
        if let text = try fieldName(try index(of: reference)) { return text }
        guard let wrapped = try field("NS.string", of: reference) else { return nil }
        return try fieldName(try index(of: wrapped))
    }

    /// The number of a bare integer; nil for anything else.
    public func integer(_ reference: ArchivedReference) throws(PropertyListError) -> Int128? {
        guard case .integer(let number) = try node(of: reference) else { return nil }
        return number
    }

    /// The seconds since 2001 of a date; nil for anything else.
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
