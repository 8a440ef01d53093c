public import Base
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A binary store as the file contains it: header, metadata and one node for each object. The file has no attribute
/// names, only slots; `BinaryStore` adds the model.
public struct BinaryStoreArchive: Sendable {
    /// The path of the file, for messages.
    public let path: FilePath
    /// Nil for an empty file, which Core Data reads as a store without objects (core-data-binary-store(5), 1).
    public let header: BinaryStoreHeader?
    /// The keyed archive of the metadata and its checked dictionary; nil if the file is empty or the metadata is not a
    /// dictionary.
    private let metadataSource: (reader: KeyedArchiveReader, dictionary: ArchivedReference)?
    /// The keyed archive of the objects; nil if the file is empty.
    public let objects: KeyedArchiveReader?
    private let nodes: [(key: ArchivedReference, value: ArchivedReference)]
    private let fieldNames: NodeFieldNames
    private let bytes: SharedBytes

    /// Opens a store from the content of its file.
    public init(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) {
        self.path = path
        self.bytes = bytes
        guard bytes.count > 0 else {
            header = nil
            metadataSource = nil
            objects = nil
            nodes = []
            fieldNames = NodeFieldNames()
            return
        }
        let header = try BinaryStoreHeader(bytes, path: path)
        self.header = header
        do throws(PropertyListError) {
            metadataSource = try Self.metadata(bytes, header.metadata)
            let reader = try Self.archive(bytes, header.map)
            guard let map = try reader.top("mapData") else {
                throw PropertyListError(
                    offset: header.map.lowerBound, expected: "mapData in $top", found: "none")
            }
            nodes = try reader.pairs(of: map)
            fieldNames =
                try nodes.first.map { pair throws(PropertyListError) in
                    try NodeFieldNames(of: pair.value, in: reader)
                } ?? NodeFieldNames()
            objects = reader
        } catch {
            throw FileProblem(error, path: path)
        }
    }

    /// The number of objects.
    public var count: Int { nodes.count }

    /// Whether the keyed archives of objects and metadata have the form that Core Data writes. Empty for bytes without
    /// a valid header.
    public static func canonicalForms(of bytes: SharedBytes) -> [CanonicalForm] {
        // try?: opening the store reports the fault of the header
        guard let header = try? BinaryStoreHeader(bytes, path: FilePath()) else { return [] }
        return [header.map, header.metadata].compactMap { range in
            bytes.slice(range).map { CanonicalForm(ofArchive: $0, baseOffset: range.lowerBound) }
        }
    }

    /// The reason why objects, or values of them, may be missing without an error: the keyed archive of the objects
    /// does not have the form that Core Data writes. A damaged name of a field, for example, empties the collection
    /// that has it. The time is proportional to the size.
    public var shortfall: FileProblem? { Self.shortfall(of: bytes, path: path) }

    /// The ``shortfall`` of a store with the content `bytes`; nil also for bytes that cannot be opened as a store.
    public static func shortfall(of bytes: SharedBytes, path: FilePath) -> FileProblem? {
        // try?: opening the store reports the fault of the header
        guard let header = try? BinaryStoreHeader(bytes, path: path), let slice = bytes.slice(header.map),
            let odd = CanonicalForm(ofArchive: slice, baseOffset: header.map.lowerBound).problem
        else { return nil }
        return FileProblem(
            .damaged, path: path, offset: odd.offset,
            "was altered after it was written, so that something in it may be missing",
            expected: odd.expected, found: odd.found,
            advice: "Compare it with a back-up, or with another client's copy")
    }

    private static func archive(
        _ bytes: SharedBytes, _ range: Range<Int>
    ) throws(PropertyListError) -> KeyedArchiveReader {
        guard let slice = bytes.slice(range) else {
            throw PropertyListError(
                offset: range.lowerBound, expected: "an archive inside the file", found: "none")
        }
        return try KeyedArchiveReader(slice, baseOffset: range.lowerBound)
    }

    static func metadata(
        _ bytes: SharedBytes, _ range: Range<Int>
    ) throws(PropertyListError) -> (KeyedArchiveReader, ArchivedReference)? {
        let reader = try archive(bytes, range)
        guard let reference = try reader.top("metadata") else {
            throw PropertyListError(offset: range.lowerBound, expected: "metadata in $top", found: "none")
        }
        var decoder = KeyedArchiveDecoder(reader)
        return try decoder.check(reference) == .dictionary ? (reader, reference) : nil
    }

    /// Decodes the metadata; each call decodes it again.
    public var metadata: StoreMetadata {
        // try?: opening the store has checked the archive
        guard let (reader, dictionary) = metadataSource, let all = try? reader.value(of: dictionary) else {
            return StoreMetadata(.dictionary([]))
        }
        return StoreMetadata(all)
    }

    /// The version hash of an entity in the metadata, without decoding the other keys.
    public func versionHash(of entity: String) -> [UInt8]? {
        // try?: opening the store has checked the archive
        guard let (reader, dictionary) = metadataSource, let pairs = try? reader.pairs(of: dictionary) else {
            return nil
        }
        // try?: as above
        for pair in pairs where (try? reader.value(of: pair.key)) == .string(StoreMetadata.versionHashesKey) {
            return StoreMetadata.versionHashes(try? reader.value(of: pair.value))[entity]  // try?: as above
        }
        return nil
    }

    /// The object at `position` in the file. The order has no meaning.
    public func node(at position: Int) throws(FileProblem) -> BinaryStoreNode {
        guard let objects, nodes.indices.contains(position) else {
            throw FileProblem(
                .damaged, path: path, "no object at position \(position)", expected: "\(count) objects")
        }
        do throws(PropertyListError) {
            return try BinaryStoreNode(
                nodes[position].value, key: nodes[position].key, fieldNames, in: objects)
        } catch {
            throw FileProblem(error, path: path)
        }
    }
}

/// An object of a binary store (core-data-binary-store(5), 3). Its values are not decoded.
public struct BinaryStoreNode: Sendable {
    /// The primary key, unique in the store.
    public let primaryKey: Int64
    /// The name of the entity.
    public let entity: String
    /// A value for each property, in the order of `ManagedObjectModel.slots(of:)`; nil in the older form.
    public let slots: ArchivedReference?
    /// Attributes by name, in an older form that Core Data still reads.
    public let namedAttributes: ArchivedReference?
    /// Primary keys by relationship name; nil if there are none.
    public let relatedNodes: ArchivedReference?
    /// The reference to the node, for errors.
    public let reference: ArchivedReference

    init(
        _ reference: ArchivedReference, key: ArchivedReference, _ names: NodeFieldNames,
        in reader: KeyedArchiveReader
    ) throws(PropertyListError) {
        let fields = try NodeFields(of: reference, names, in: reader)
        func failure(_ expected: String, _ found: String) -> PropertyListError {
            PropertyListError(offset: reader.offset(of: reference), expected: expected, found: found)
        }
        guard let name = fields.entityName, let entity = try names.entity(name, reader) else {
            throw failure("an NSDictionaryMapNode with an NSEntityName", "none")
        }
        let keyed = try reader.integer(key)
        let own = try fields.primaryKey.flatMap { number throws(PropertyListError) in
            try reader.integer(number)
        }
        guard let primaryKey = own.flatMap({ $0 == 0 ? nil : $0 }) ?? keyed,
            let number = Int64(exactly: primaryKey)
        else { throw failure("a primary key of 64 bits", "\(own.map(String.init) ?? "none")") }
        guard keyed == nil || keyed == primaryKey else {
            throw failure("the primary key of the map, \(keyed ?? 0)", "\(primaryKey)")
        }
        guard fields.attributeValues != nil || fields.attributes != nil else {
            throw failure("NSAttributeValues", "none")
        }
        self.reference = reference
        self.entity = entity
        self.primaryKey = number
        slots = fields.attributeValues
        namedAttributes = fields.attributes
        relatedNodes = fields.relatedNodes
    }
}
