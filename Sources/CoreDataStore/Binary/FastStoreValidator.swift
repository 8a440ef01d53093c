public import Base
public import KeyedArchive
import SystemPackage

/// Validates a binary store of the usual form in one pass, with the results of `BinaryStoreArchive`; see
/// `FastArchiveValidator`.
public struct FastStoreValidator: ~Copyable {
    /// The keyed archive of the objects.
    public var objects: FastArchiveValidator
    private let metadata: CheckedMetadata
    private let keys: PropertyListReferences
    private let nodes: PropertyListReferences
    private let entity: String
    /// The last reference to the entity name; nearly all objects have the same.
    private var entityName: ArchivedReference?

    /// Scans a store whose objects all have one entity.
    /// - Parameter known: the metadata of other stores of that entity.
    public init(
        _ bytes: SharedBytes, entity: String, known: KnownMetadata? = nil
    ) throws(UnfamiliarArchive) {
        // try?: `BinaryStoreArchive` reports the fault
        guard let header = try? BinaryStoreHeader(bytes, path: FilePath()),
            let metadataBytes = bytes.slice(header.metadata), let map = bytes.slice(header.map)
        else { throw UnfamiliarArchive(.structure) }
        let metadata: CheckedMetadata
        if let found = known?[metadataBytes] {
            metadata = found
        } else {
            metadata = try CheckedMetadata(metadataBytes, entity: entity)
            known?.add(metadata, of: metadataBytes)
        }
        let objects = try FastArchiveValidator(map)
        (keys, nodes) = try objects.pairs(of: try objects.top(.mapData))
        self.entity = entity
        self.metadata = metadata
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
            guard try objects.isText(name, entity) else { throw UnfamiliarArchive(.type) }
            entityName = name
        }
        let primaryKey = try objects.integer(try objects.field(.primaryKey, of: node))
        guard primaryKey != 0, try objects.integer(objects.member(position, of: keys)) == primaryKey else {
            throw UnfamiliarArchive(.structure)
        }
        return Node(
            primaryKey: Int64(primaryKey), slots: try objects.field(.attributeValues, of: node))
    }

    /// Whether both keyed archives have the form that Core Data writes and no unknown classes.
    public var isInUsualForm: Bool { metadata.isInUsualForm && objects.canonicalForm.isUsual }

    /// Whether the text of the objects is ASCII; see `FastArchiveValidator.hasOnlyASCIIText`.
    public var hasOnlyASCIIText: Bool { objects.hasOnlyASCIIText }

    /// The version hash of the entity in the metadata; nil if there is none.
    public var versionHash: [UInt8]? { metadata.versionHash }
}
