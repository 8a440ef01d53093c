public import Base

/// A keyed archive of NSKeyedArchiver in a binary property list. It is read lazily: the reader decodes an object when a
/// caller requests it.
public struct KeyedArchiveReader: Sendable {
    let list: BinaryPropertyList
    /// `$objects`: the position of an object is its UID.
    let objects: PropertyListReferences
    private let topFields: (keys: PropertyListReferences, values: PropertyListReferences)
    let names: FoundationFieldNames

    /// Opens an archive. `baseOffset` is its offset in the file, which only errors use.
    public init(_ bytes: SharedBytes, baseOffset: Int = 0) throws(PropertyListError) {
        list = try BinaryPropertyList(bytes, baseOffset: baseOffset)
        let start = try list.offset(of: list.top)
        guard case .dictionary(let keys, let values) = try list.node(list.top) else {
            throw list.failure(at: start, "a keyed archive: a dictionary on top", "another object")
        }
        let list = self.list
        func field(_ name: StaticString) throws(PropertyListError) -> Int? {
            for position in (0..<min(keys.count, 16)).reversed()
            where try list.isString(try list.reference(keys, position), name) {
                return try list.reference(values, position)
            }
            return nil
        }
        guard let archiver = try field("$archiver"), try list.isString(archiver, "NSKeyedArchiver") else {
            throw list.failure(
                at: start, "$archiver NSKeyedArchiver", "a property list that is no keyed archive")
        }
        guard let objectsIndex = try field("$objects"), case .array(let objects) = try list.node(objectsIndex)
        else {
            throw list.failure(at: start, "an array $objects", "none")
        }
        guard let topIndex = try field("$top"),
            case .dictionary(let topKeys, let topValues) = try list.node(topIndex)
        else {
            throw list.failure(at: start, "a dictionary $top", "none")
        }
        self.objects = objects
        topFields = (topKeys, topValues)
        names = try FoundationFieldNames(of: objects, in: list)
    }

    /// Opens an archive with lost objects, which needs only `$objects`.
    init(recovering list: BinaryPropertyList) throws(PropertyListError) {
        self.list = list
        let start = try list.offset(of: list.top)
        guard case .dictionary(let keys, let values) = try list.node(list.top) else {
            throw list.failure(at: start, "a keyed archive: a dictionary on top", "another object")
        }
        func field(_ name: StaticString) -> PropertyListNode? {
            for position in 0..<min(keys.count, 16) {
                // try?: here and below, a lost object
                guard let key = try? list.reference(keys, position), (try? list.isString(key, name)) == true,
                    let value = try? list.reference(values, position)  // try?: counts as lost
                else { continue }
                return try? list.node(value)  // try?: counts as lost
            }
            return nil
        }
        guard case .array(let objects)? = field("$objects") else {
            throw list.failure(at: start, "an array $objects", "none")
        }
        self.objects = objects
        if case .dictionary(let topKeys, let topValues)? = field("$top") {
            topFields = (topKeys, topValues)
        } else {
            let none = PropertyListReferences(offset: start, count: 0)
            topFields = (none, none)
        }
        names = FoundationFieldNames()
    }

    /// The size of the archive in bytes.
    public var byteCount: Int { list.bytes.count }

    /// The object under `key` in `$top`; nil if there is none.
    public func top(_ key: String) throws(PropertyListError) -> ArchivedReference? {
        for position in 0..<topFields.keys.count {
            guard try fieldName(try list.reference(topFields.keys, position)) == key else { continue }
            return try reference(at: topFields.values, position)
        }
        return nil
    }

    /// The object under `root` in `$top`, or the only object there.
    public func root() throws(PropertyListError) -> ArchivedReference {
        if let root = try top("root") { return root }
        guard topFields.keys.count == 1 else {
            throw list.failure(
                at: topFields.keys.offset, "one object or \"root\" in $top", "\(topFields.keys.count) names")
        }
        return try reference(at: topFields.values, 0)
    }

    /// Whether the reference is UID 0, the nil of an archive.
    public func isNil(_ reference: ArchivedReference) -> Bool { reference.uid == 0 }
}

/// A reference to an object of a keyed archive: a UID, or a value stored directly in a field.
public struct ArchivedReference: Hashable, Sendable {
    private let raw: Int

    init(uid: Int) { raw = uid }

    init(inline index: Int) { raw = ~index }

    /// The position in `$objects`; nil for an inline value.
    public var uid: Int? { raw >= 0 ? raw : nil }

    /// The property-list index of an inline value.
    var inlineIndex: Int? { raw < 0 ? ~raw : nil }
}

extension KeyedArchiveReader {
    /// The reference at a position of a run: the object of a UID, or the inline value.
    @inline(__always)
    func reference(
        at references: PropertyListReferences, _ position: Int
    ) throws(PropertyListError) -> ArchivedReference {
        try reference(toIndex: try list.reference(references, position))
    }

    @inline(__always)
    func reference(toIndex index: Int) throws(PropertyListError) -> ArchivedReference {
        guard let number = try list.uid(index) else { return ArchivedReference(inline: index) }
        guard number < UInt64(objects.count) else {
            throw list.failure(
                at: try list.offset(of: index), "a UID below \(objects.count)", "UID \(number)")
        }
        return ArchivedReference(uid: Int(number))
    }

    /// The property-list index of the object.
    @inline(__always)
    func index(of reference: ArchivedReference) throws(PropertyListError) -> Int {
        if let inline = reference.inlineIndex { return inline }
        return try list.reference(objects, reference.uid ?? 0)
    }

    @inline(__always)
    func node(of reference: ArchivedReference) throws(PropertyListError) -> PropertyListNode {
        try list.node(try index(of: reference))
    }

    /// The offset from the start of the file, for errors.
    public func offset(of reference: ArchivedReference) -> Int {
        // try?: used in errors only; the start of the list replaces an unknown offset
        guard let index = try? index(of: reference), let offset = try? list.offset(of: index) else {
            return list.baseOffset
        }
        return list.baseOffset + offset
    }

    @inline(never)
    func failure(
        _ reference: ArchivedReference, _ expected: @autoclosure () -> String,
        _ found: @autoclosure () -> String
    ) -> PropertyListError {
        PropertyListError(offset: offset(of: reference), expected: expected(), found: found())
    }
}
