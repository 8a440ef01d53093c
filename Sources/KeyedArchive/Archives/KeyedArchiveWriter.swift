/// Writes keyed archives of NSKeyedArchiver. It stores equal scalars and class descriptions once, and an object each
/// time that a caller adds it.
public struct KeyedArchiveWriter {
    /// The UID of an added object.
    public struct UID: Hashable, Sendable {
        let number: UInt64

        /// UID 0, the nil of an archive.
        public static let none = UID(number: 0)
    }

    /// The content of a field of an object.
    public enum Field {
        /// A scalar stored in the field itself.
        case inline(ArchivedValue)
        /// The UID of an object.
        case reference(UID)
        /// An array of UIDs stored in the field itself, such as NS.objects.
        case references([UID])
    }

    private var table = PropertyListTable()
    /// The property-list index of each UID.
    private var objects: [PropertyListTable.Reference] = []
    private var scalars: [PropertyListTable.Reference: UInt32] = [:]
    private var classes: [[String]: UID] = [:]
    private var null: UID?

    /// An archive that contains only its nil.
    public init() {
        if let index = table.append(scalar: .string("$null")) { objects.append(index) }
    }

    /// Adds a property-list scalar, or returns the UID of an equal one.
    public mutating func add(scalar value: ArchivedValue) throws(PropertyListError) -> UID {
        let index = try index(of: value)
        if let number = scalars[index] { return UID(number: UInt64(number)) }
        let uid = UID(number: UInt64(objects.count))
        objects.append(index)
        scalars[index] = UInt32(clamping: uid.number)
        return uid
    }

    /// Adds an object of the class `names[0]`; the other names are its superclasses, nearest first.
    public mutating func add(
        class names: [String], fields: [(name: String, value: Field)]
    ) throws(PropertyListError) -> UID {
        let uid = UID(number: UInt64(objects.count))
        objects.append(0)
        var keys: [PropertyListTable.Reference] = []
        var values: [PropertyListTable.Reference] = []
        for (name, value) in fields {
            keys.append(try index(of: .string(name)))
            values.append(try index(of: value))
        }
        keys.append(try index(of: .string("$class")))
        values.append(table.reference(uid: try classUID(names).number))
        objects[Int(uid.number)] = table.append(dictionaryKeys: keys, values: values)
        return uid
    }

    /// A number of bytes that the archive has at least.
    package var leastSize: Int { table.leastSize }

    /// Returns the archive, with `top` as `$top`.
    public mutating func finish(top: [(name: String, uid: UID)]) throws(PropertyListError) -> [UInt8] {
        try output(top: top).bytes
    }

    /// Returns the archive, with `top` as `$top`, to be written in pieces.
    package mutating func output(
        top: [(name: String, uid: UID)]
    ) throws(PropertyListError) -> PropertyListOutput {
        var keys: [PropertyListTable.Reference] = []
        var values: [PropertyListTable.Reference] = []
        for (name, uid) in top {
            keys.append(try index(of: .string(name)))
            values.append(table.reference(uid: uid.number))
        }
        let topIndex = table.append(dictionaryKeys: keys, values: values)
        let objectsIndex = table.append(collection: 0xA0, objects)
        let entries: [(ArchivedValue, PropertyListTable.Reference)] = [
            (.string("$version"), try index(of: .integer(100_000))),
            (.string("$objects"), objectsIndex),
            (.string("$archiver"), try index(of: .string("NSKeyedArchiver"))),
            (.string("$top"), topIndex),
        ]
        var names: [PropertyListTable.Reference] = []
        for (name, _) in entries { names.append(try index(of: name)) }
        let listTop = table.append(dictionaryKeys: names, values: entries.map(\.1))
        return try table.output(top: listTop)
    }

    private mutating func index(of field: Field) throws(PropertyListError)
        -> PropertyListTable.Reference
    {
        switch field {
        case .inline(let value): return try index(of: value)
        case .reference(let uid): return table.reference(uid: uid.number)
        case .references(let uids):
            var members: [PropertyListTable.Reference] = []
            for uid in uids { members.append(table.reference(uid: uid.number)) }
            return table.append(collection: 0xA0, members)
        }
    }

    private mutating func index(of scalar: ArchivedValue) throws(PropertyListError)
        -> PropertyListTable.Reference
    {
        guard let index = table.append(scalar: scalar) else {
            throw PropertyListError(offset: 0, expected: "a property-list scalar", found: scalar.kindName)
        }
        return index
    }

    private mutating func classUID(_ names: [String]) throws(PropertyListError) -> UID {
        let name = names.first ?? "NSObject"
        if let uid = classes[names] { return uid }
        let uid = UID(number: UInt64(objects.count))
        objects.append(0)
        var members: [PropertyListTable.Reference] = []
        for name in names { members.append(try index(of: .string(name))) }
        let keys = [try index(of: .string("$classname")), try index(of: .string("$classes"))]
        let values = [try index(of: .string(name)), table.append(collection: 0xA0, members)]
        objects[Int(uid.number)] = table.append(dictionaryKeys: keys, values: values)
        classes[names] = uid
        return uid
    }

    /// Adds the NSNull of the archive, or returns its UID.
    public mutating func addNull() throws(PropertyListError) -> UID {
        if let null { return null }
        let uid = try add(class: ["NSNull", "NSObject"], fields: [])
        null = uid
        return uid
    }
}
