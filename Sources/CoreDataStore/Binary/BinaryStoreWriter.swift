public import KeyedArchive

/// Writes a binary store (core-data-binary-store(5)).
public struct BinaryStoreWriter {
    private let metadata: StoreMetadata
    private var archive = KeyedArchiveWriter()
    private var keys: [KeyedArchiveWriter.UID] = []
    private var nodes: [KeyedArchiveWriter.UID] = []
    private var lastKey: Int64 = 0

    /// A writer of a store with this metadata; its NSStoreType must be "Binary".
    public init(metadata: StoreMetadata) { self.metadata = metadata }

    /// A relationship of an object. Core Data stores no relationship without destination objects.
    public struct Related: Sendable {
        /// The name of the relationship.
        public var name: String
        /// The primary keys of the destination objects.
        public var keys: [Int64]
        /// Whether the relationship is to-many; Core Data archives the two kinds with different classes.
        public var isToMany: Bool

        /// A relationship to the objects with these keys.
        public init(name: String, keys: [Int64], isToMany: Bool) {
            self.name = name
            self.keys = keys
            self.isToMany = isToMany
        }
    }

    /// Adds an object. `slots` has a value for each property, in the order of the entity's slots. Nil is written as
    /// NSNull, as Core Data requires.
    public mutating func append(
        entity: String, primaryKey: Int64, slots: [ArchivedValue], related: [Related] = []
    ) throws(PropertyListError) {
        var values: [KeyedArchiveWriter.UID] = []
        for slot in slots { values.append(try archive.add(slot == .none ? .null : slot, .mutableOutside)) }
        let list = try archive.add(
            class: ["NSArray", "NSObject"], fields: [("NS.objects", .references(values))])
        var fields: [(name: String, value: KeyedArchiveWriter.Field)] = [
            ("NSEntityName", .reference(try archive.add(scalar: .string(entity)))),
            ("NSAttributeValues", .reference(list)),
            ("NSPrimaryKey64", .inline(.integer(Int128(primaryKey)))),
        ]
        let filled = related.filter { !$0.keys.isEmpty }
        if !filled.isEmpty { fields.append(("NSRelatedNodes", .reference(try relatedNodes(filled)))) }
        let names = ["NSDictionaryMapNode", "NSStoreMapNode", "NSObject"]
        nodes.append(try archive.add(class: names, fields: fields))
        keys.append(try archive.add(scalar: .integer(Int128(primaryKey))))
        lastKey = max(lastKey, primaryKey)
    }

    private mutating func relatedNodes(_ related: [Related]) throws(PropertyListError)
        -> KeyedArchiveWriter.UID
    {
        var names: [KeyedArchiveWriter.UID] = []
        var targets: [KeyedArchiveWriter.UID] = []
        for relation in related {
            names.append(try archive.add(scalar: .string(relation.name)))
            let keys = ArchivedValue.array(relation.keys.map { .integer(Int128($0)) })
            targets.append(try archive.add(keys, relation.isToMany ? .mutableOutside : .immutable))
        }
        return try addDictionary(names, targets)
    }

    private mutating func addDictionary(
        _ keys: [KeyedArchiveWriter.UID], _ values: [KeyedArchiveWriter.UID]
    ) throws(PropertyListError) -> KeyedArchiveWriter.UID {
        try archive.add(
            class: ["NSMutableDictionary", "NSDictionary", "NSObject"],
            fields: [("NS.keys", .references(keys)), ("NS.objects", .references(values))])
    }

    /// A number of bytes that the file has at least.
    package var leastSize: Int { archive.leastSize }

    /// Returns the bytes of the file. Its key counter is at least the highest key in use.
    public mutating func finish(primaryKeyGeneration: UInt64 = 0) throws(PropertyListError) -> [UInt8] {
        try output(primaryKeyGeneration: primaryKeyGeneration).bytes
    }

    /// Returns the file, to be written in pieces.
    package mutating func output(
        primaryKeyGeneration: UInt64 = 0
    ) throws(PropertyListError) -> BinaryStoreOutput {
        let mapData = try addDictionary(keys, nodes)
        let map = try archive.output(top: [("mapData", mapData)])
        let metadata = try Self.archive(of: metadata)
        return BinaryStoreOutput(
            map: map, metadata: metadata,
            primaryKeyGeneration: max(primaryKeyGeneration, UInt64(max(lastKey, 0))))
    }

    /// The metadata as a keyed archive of a process that has made the store: it has created the UUID and the version
    /// hashes itself, and both are still mutable (core-data-binary-store(5), 4).
    static func archive(of metadata: StoreMetadata) throws(PropertyListError) -> [UInt8] {
        var archive = KeyedArchiveWriter()
        var keys: [KeyedArchiveWriter.UID] = []
        var values: [KeyedArchiveWriter.UID] = []
        for pair in metadata.all.pairs ?? [] {
            let isMutable = [StoreMetadata.uuidKey, StoreMetadata.versionHashesKey].contains(
                pair.key.stringValue)
            keys.append(try archive.add(pair.key))
            values.append(try archive.add(pair.value, isMutable ? .mutable : .immutable))
        }
        let all = try archive.add(
            class: ["NSDictionary", "NSObject"],
            fields: [("NS.keys", .references(keys)), ("NS.objects", .references(values))])
        return try archive.finish(top: [("metadata", all)])
    }
}
