import KeyedArchive

/// The field names of nodes, found in one node of the keyed archive. All nodes of a store share them, so that names can
/// be compared by index.
struct NodeFieldNames: Sendable {
    var entityName: ArchivedFieldName?
    var primaryKey: ArchivedFieldName?
    var attributeValues: ArchivedFieldName?
    var classReference: ArchivedFieldName?
    /// The entity of that node, and the reference to its name.
    private var entity: (reference: ArchivedReference, name: String)?

    init() {}

    init(of node: ArchivedReference, in reader: KeyedArchiveReader) throws(PropertyListError) {
        guard try reader.fieldCount(of: node) ?? 0 <= 64 else { return }
        try reader.forEachField(of: node) { name, value throws(PropertyListError) in
            if try reader.matches(name, "NSEntityName") {
                entityName = name
                // try?: `BinaryStoreNode` reports the damage
                if let text = try? reader.name(value) { entity = (value, text) }
            }
            if try reader.matches(name, "NSPrimaryKey64") { primaryKey = name }
            if try reader.matches(name, "NSAttributeValues") { attributeValues = name }
            if try reader.matches(name, "$class") { classReference = name }
        }
    }

    /// The name of an entity, usually from the cache, since most nodes of a store have the same.
    func entity(
        _ reference: ArchivedReference, _ reader: KeyedArchiveReader
    ) throws(PropertyListError) -> String? {
        if let entity, entity.reference == reference { return entity.name }
        return try reader.name(reference)
    }
}

/// The fields of an NSDictionaryMapNode (core-data-binary-store(5), 3), read in one pass.
struct NodeFields {
    /// Core Data writes at most six fields.
    private static let limit = 64

    var entityName: ArchivedReference?
    var primaryKey: ArchivedReference?
    var attributeValues: ArchivedReference?
    var attributes: ArchivedReference?
    var relatedNodes: ArchivedReference?

    init(
        of node: ArchivedReference, _ names: NodeFieldNames, in reader: KeyedArchiveReader
    ) throws(PropertyListError) {
        let count = try reader.fieldCount(of: node) ?? 0
        guard count <= Self.limit else {
            throw PropertyListError(
                offset: reader.offset(of: node), expected: "an NSDictionaryMapNode",
                found: "an object of \(count) fields")
        }
        try reader.forEachField(of: node) { name, value throws(PropertyListError) in
            switch name {
            case names.entityName: entityName = value
            case names.primaryKey: primaryKey = value
            case names.attributeValues: attributeValues = value
            case names.classReference: break
            default: try take(name, value, reader)
            }
        }
    }

    private mutating func take(
        _ name: ArchivedFieldName, _ value: ArchivedReference, _ reader: KeyedArchiveReader
    ) throws(PropertyListError) {
        if try reader.matches(name, "NSRelatedNodes") { relatedNodes = value }
        if try reader.matches(name, "NSAttributes") { attributes = value }
        if try reader.matches(name, "NSEntityName") { entityName = value }
        if try reader.matches(name, "NSPrimaryKey64") { primaryKey = value }
        if try reader.matches(name, "NSAttributeValues") { attributeValues = value }
    }
}
