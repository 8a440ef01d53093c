public import KeyedArchive
import SystemPackage

/// Validates a binary store of the usual form in one pass, with the results of `BinaryStoreArchive`; see
/// `FastArchiveValidator`.
public struct FastStoreValidator: ~Copyable {
    /// The archive of the objects.
    public var objects: FastArchiveValidator
    private var metadata: FastArchiveValidator
    private let metadataDictionary: ArchivedReference
    private let keys: PropertyListReferences
    private let nodes: PropertyListReferences
    private let entity: String
    /// The last reference to the entity name; nearly all objects have the same.
    private var entityName: ArchivedReference?

    /// Scans a store whose objects all have one entity.
    public init(_ bytes: SharedBytes, entity: String) throws(UnfamiliarArchive) {
        // try?: `BinaryStoreArchive` reports the fault
        guard let header = try? BinaryStoreHeader(bytes, path: FilePath()),
            let metadataBytes = bytes.slice(header.metadata), let map = bytes.slice(header.map)
        else { throw UnfamiliarArchive() }
        var metadata = try FastArchiveValidator(metadataBytes)
        let dictionary = try metadata.top(.metadata)
        guard try metadata.check(dictionary) == .dictionary else { throw UnfamiliarArchive() }
        let objects = try FastArchiveValidator(map)
        (keys, nodes) = try objects.pairs(of: try objects.top(.mapData))
        self.entity = entity
        self.metadata = metadata
        metadataDictionary = dictionary
        self.objects = objects
    }

    /// The number of objects.
    public var count: Int { nodes.count }

    /// An object of a binary store, like `BinaryStoreNode`.
    public struct Node {
        /// The primary key, which is not 0.
        public let primaryKey: Int64
        /// The values of the attributes (NSAttributeValues), without names.
        public let slots: ArchivedReference
    }

    /// The object at `position` in the file.
    public mutating func node(at position: Int) throws(UnfamiliarArchive) -> Node {
        let node = objects.member(position, of: nodes)
        let name = try objects.field(.entityName, of: node)
        if name != entityName {
            guard try objects.isText(name, entity) else { throw UnfamiliarArchive() }
            entityName = name
        }
        let primaryKey = try objects.integer(try objects.field(.primaryKey, of: node))
        guard primaryKey != 0, try objects.integer(objects.member(position, of: keys)) == primaryKey else {
            throw UnfamiliarArchive()
        }
        return Node(
            primaryKey: Int64(primaryKey), slots: try objects.field(.attributeValues, of: node))
    }

    /// Whether both archives have the form that Core Data writes and no unknown classes.
    public var isInUsualForm: Bool { objects.canonicalForm.isUsual && metadata.canonicalForm.isUsual }

    /// Whether the metadata has `hash` as the version hash of the entity.
    public mutating func hasVersionHash(_ hash: [UInt8]) throws(UnfamiliarArchive) -> Bool {
        guard let hashes = try value(StoreMetadata.versionHashesKey, in: metadataDictionary),
            try metadata.check(hashes) == .dictionary, let found = try value(entity, in: hashes)
        else { return false }
        let bytes = try metadata.data(found)
        return bytes.count == hash.count && bytes.starts(with: hash)
    }

    /// The value under `key` in a dictionary of the metadata.
    private func value(
        _ key: String, in dictionary: ArchivedReference
    ) throws(UnfamiliarArchive) -> ArchivedReference? {
        let (keys, values) = try metadata.pairs(of: dictionary)
        var found: ArchivedReference?
        for position in 0..<keys.count where try metadata.isText(metadata.member(position, of: keys), key) {
            guard found == nil else { throw UnfamiliarArchive() }
            found = metadata.member(position, of: values)
        }
        return found
    }
}
