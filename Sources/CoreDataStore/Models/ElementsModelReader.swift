import Base

internal import KeyedArchive

/// Reads the `elements` file of Xcode 3, a keyed archive of the objects of its model editor (core-data-sqlite-store(5),
/// 7.3).
struct ElementsModelReader {
    private var archive: ModelArchive

    /// The model of the keyed archive, which may be inconsistent.
    static func model(_ bytes: SharedBytes) throws(PropertyListError) -> ManagedObjectModel {
        var elements = ElementsModelReader(archive: try ModelArchive(bytes, baseOffset: 0))
        return try elements.model()
    }

    private mutating func model() throws(PropertyListError) -> ManagedObjectModel {
        let root = try archive.reader.root()
        guard try archive.className(of: root) == "XDPMModel" else {
            throw archive.failure(root, expected: "an XDPMModel", found: "another object")
        }
        guard let package = try archive.object("_xd_rootPackage", of: root) else {
            throw archive.failure(root, expected: "a package of entities", found: "none")
        }
        var entities: [EntityDescription] = []
        for pair in try archive.pairs("XDBucketForClassesstorage", of: package)
        where try archive.className(of: pair.value) == "XDPMEntity" {
            entities.append(try entity(pair.value))
        }
        let identifier = try archive.text("_modelVersionIdentifier", of: root)
        return ManagedObjectModel(entities: entities, versionIdentifiers: identifier.map { [$0] } ?? [])
    }

    private mutating func entity(_ reference: ArchivedReference) throws(PropertyListError)
        -> EntityDescription
    {
        let tags = try self.tags(of: reference)
        var entity = EntityDescription(
            name: try name(of: reference),
            className: try archive.text("_default", of: tags["XD_PSK_entityClassName"]),
            isAbstract: try archive.flag("_default", of: tags["XD_PSK_isAbstract"]),
            superentity: try superentity(of: reference),
            versionHashModifier: try archive.text("_default", of: tags["XD_PSK_versionHashModifier"]),
            renamingIdentifier: try archive.text("_default", of: tags["XD_PSK_elementID"]),
            uniquenessConstraints: try archive.textLists("_default", of: tags["XDPMUniquenessConstraints"]),
            compoundIndexes: try archive.textLists("_default", of: tags["XDPMCompoundIndexes"]))
        for pair in try archive.pairs("XDBucketForOwnedAttributesstorage", of: reference) {
            do throws(PropertyListError) {
                switch try archive.className(of: pair.value) {
                case "XDPMAttribute": entity.attributes.append(try attribute(pair.value))
                case "XDPMRelationship": entity.relationships.append(try relationship(pair.value))
                default: entity.fetchedProperties.append(try name(of: pair.value))
                }
            } catch {
                entity.leaveOut(try archive.text(of: pair.key), error.description)
            }
        }
        return entity
    }

    private mutating func attribute(
        _ reference: ArchivedReference
    ) throws(PropertyListError) -> AttributeDescription {
        let tags = try self.tags(of: reference)
        let type = try archive.attributeType("_default", of: tags["XD_PAttK_attributeType"])
        let text = try archive.text("_default", of: tags["XD_PAttK_defaultValueAsString"])
        return AttributeDescription(
            name: try name(of: reference), type: type,
            isOptional: try archive.flag("_default", of: tags["XD_PPSK_isOptional"]),
            isTransient: try archive.flag("_default", of: tags["XD_PPSK_isTransient"]),
            isReadOnly: try archive.flag("_isReadOnly", of: reference),
            isIndexed: try archive.flag("_default", of: tags["XD_PPSK_isIndexed"]),
            defaultValue: text.flatMap { type.defaultValue(from: .string($0)) },
            valueTransformerName: try archive.text("_default", of: tags["XD_PAttK_valueTransformerName"]),
            allowsExternalStorage: try archive.flag(
                "_default", of: tags["XD_PAttK_allowsExternalBinaryDataStorage"]),
            versionHashModifier: try archive.text("_default", of: tags["XD_PPSK_versionHashModifier"]),
            renamingIdentifier: try archive.text("_default", of: tags["XD_PPSK_elementID"]))
    }

    private mutating func relationship(
        _ reference: ArchivedReference
    ) throws(PropertyListError) -> RelationshipDescription {
        let tags = try self.tags(of: reference)
        guard let destination = try archive.object("_default", of: tags["XD_PRK_destination"]) else {
            throw archive.failure(reference, expected: "the destination of a relationship", found: "none")
        }
        var inverse: String?
        if let back = try archive.object("_default", of: tags["XD_PRK_inverseRelationship"]) {
            inverse = try name(of: back)
        }
        let isToMany = try archive.flag("_default", of: tags["XD_PRK_isToMany"])
        return RelationshipDescription(
            name: try name(of: reference), destination: try name(of: destination), inverse: inverse,
            minCount: try archive.integer("_default", of: tags["XD_PRK_minCount"]) ?? 0,
            maxCount: try archive.integer("_default", of: tags["XD_PRK_maxCount"]) ?? (isToMany ? 0 : 1),
            isOrdered: try archive.flag("_default", of: tags["XD_PRK_ordered"]),
            deleteRule: try archive.deleteRule("_default", of: tags["XD_PRK_deleteRule"]),
            isOptional: try archive.flag("_default", of: tags["XD_PPSK_isOptional"]),
            isTransient: try archive.flag("_default", of: tags["XD_PPSK_isTransient"]),
            isReadOnly: try archive.flag("_isReadOnly", of: reference),
            versionHashModifier: try archive.text("_default", of: tags["XD_PPSK_versionHashModifier"]),
            renamingIdentifier: try archive.text("_default", of: tags["XD_PPSK_elementID"]))
    }

    private mutating func superentity(of reference: ArchivedReference) throws(PropertyListError) -> String? {
        guard
            let generalization = try archive.elements("XDBucketForGeneralizationsstorage", of: reference)
                .first,
            let above = try archive.object("_general", of: generalization)
        else { return nil }
        return try name(of: above)
    }

    private mutating func name(of reference: ArchivedReference) throws(PropertyListError) -> String {
        guard let name = try archive.text("_name", of: reference) else {
            throw archive.failure(reference, expected: "an element with a name", found: "none")
        }
        return name
    }

    /// The tagged values of all stereotypes of an entity or property, in UML terms, by name; the field `_default` of
    /// each object contains the value.
    private mutating func tags(
        of reference: ArchivedReference
    ) throws(PropertyListError) -> [String: ArchivedReference] {
        var tags: [String: ArchivedReference] = [:]
        for stereotype in try archive.pairs("XDBucketForStereotypesstorage", of: reference) {
            for tag in try archive.pairs("XDBucketForOwnedAttributesstorage", of: stereotype.value) {
                tags[try archive.text(of: tag.key)] = tag.value
            }
        }
        return tags
    }
}
