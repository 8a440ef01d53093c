internal import KeyedArchive

/// Reads the `elements` file of Xcode 3, a keyed archive of the objects of its model editor (core-data-sqlite-store(5),
/// 7.3).
struct ElementsModelReader {
    private var archive: ModelArchive

    /// The model of the archive, which may be inconsistent.
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
            name: try name(of: reference), className: try tags.text("XD_PSK_entityClassName", in: &archive),
            isAbstract: try tags.flag("XD_PSK_isAbstract", in: archive),
            superentity: try superentity(of: reference),
            versionHashModifier: try tags.text("XD_PSK_versionHashModifier", in: &archive),
            uniquenessConstraints: try tags.textLists("XDPMUniquenessConstraints", in: &archive),
            compoundIndexes: try tags.textLists("XDPMCompoundIndexes", in: &archive))
        for pair in try archive.pairs("XDBucketForOwnedAttributesstorage", of: reference) {
            switch try archive.className(of: pair.value) {
            case "XDPMAttribute": entity.attributes.append(try attribute(pair.value))
            case "XDPMRelationship": entity.relationships.append(try relationship(pair.value))
            default: entity.fetchedProperties.append(try name(of: pair.value))
            }
        }
        return entity
    }

    private mutating func attribute(
        _ reference: ArchivedReference
    ) throws(PropertyListError) -> AttributeDescription {
        let tags = try self.tags(of: reference)
        let type = try tags.attributeType("XD_PAttK_attributeType", in: archive)
        let text = try tags.text("XD_PAttK_defaultValueAsString", in: &archive)
        return AttributeDescription(
            name: try name(of: reference), type: type,
            isOptional: try tags.flag("XD_PPSK_isOptional", in: archive),
            isTransient: try tags.flag("XD_PPSK_isTransient", in: archive),
            isReadOnly: try archive.flag("_isReadOnly", of: reference),
            isIndexed: try tags.flag("XD_PPSK_isIndexed", in: archive),
            defaultValue: text.flatMap { type.defaultValue(from: .string($0)) },
            valueTransformerName: try tags.text("XD_PAttK_valueTransformerName", in: &archive),
            allowsExternalStorage: try tags.flag("XD_PAttK_allowsExternalBinaryDataStorage", in: archive),
            versionHashModifier: try tags.text("XD_PPSK_versionHashModifier", in: &archive))
    }

    private mutating func relationship(
        _ reference: ArchivedReference
    ) throws(PropertyListError) -> RelationshipDescription {
        let tags = try self.tags(of: reference)
        guard let destination = try tags.object("XD_PRK_destination", in: archive) else {
            throw archive.failure(reference, expected: "the destination of a relationship", found: "none")
        }
        var inverse: String?
        if let back = try tags.object("XD_PRK_inverseRelationship", in: archive) {
            inverse = try name(of: back)
        }
        let isToMany = try tags.flag("XD_PRK_isToMany", in: archive)
        return RelationshipDescription(
            name: try name(of: reference), destination: try name(of: destination), inverse: inverse,
            minCount: try tags.integer("XD_PRK_minCount", in: archive) ?? 0,
            maxCount: try tags.integer("XD_PRK_maxCount", in: archive) ?? (isToMany ? 0 : 1),
            isOrdered: try tags.flag("XD_PRK_ordered", in: archive),
            deleteRule: try tags.deleteRule("XD_PRK_deleteRule", in: archive),
            isOptional: try tags.flag("XD_PPSK_isOptional", in: archive),
            isTransient: try tags.flag("XD_PPSK_isTransient", in: archive),
            isReadOnly: try archive.flag("_isReadOnly", of: reference),
            versionHashModifier: try tags.text("XD_PPSK_versionHashModifier", in: &archive))
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

    /// The tagged values of all stereotypes of an entity or property, in UML terms.
    private mutating func tags(of reference: ArchivedReference) throws(PropertyListError) -> ModelTags {
        var owners: [String: ArchivedReference] = [:]
        for stereotype in try archive.pairs("XDBucketForStereotypesstorage", of: reference) {
            for tag in try archive.pairs("XDBucketForOwnedAttributesstorage", of: stereotype.value) {
                owners[try archive.text(of: tag.key)] = tag.value
            }
        }
        return ModelTags(owners: owners)
    }
}

/// Tagged values by name; the field `_default` of an object contains each value.
private struct ModelTags {
    let owners: [String: ArchivedReference]

    func object(_ tag: String, in archive: ModelArchive) throws(PropertyListError) -> ArchivedReference? {
        guard let owner = owners[tag] else { return nil }
        return try archive.object("_default", of: owner)
    }

    func text(_ tag: String, in archive: inout ModelArchive) throws(PropertyListError) -> String? {
        guard let owner = owners[tag] else { return nil }
        return try archive.text("_default", of: owner)
    }

    func integer(_ tag: String, in archive: ModelArchive) throws(PropertyListError) -> Int? {
        guard let owner = owners[tag] else { return nil }
        return try archive.integer("_default", of: owner)
    }

    func flag(_ tag: String, in archive: ModelArchive) throws(PropertyListError) -> Bool {
        try integer(tag, in: archive) ?? 0 != 0
    }

    func textLists(_ tag: String, in archive: inout ModelArchive) throws(PropertyListError) -> [[String]] {
        guard let owner = owners[tag] else { return [] }
        return try archive.textLists("_default", of: owner)
    }

    func deleteRule(_ tag: String, in archive: ModelArchive) throws(PropertyListError) -> DeleteRule {
        guard let owner = owners[tag] else { return .noAction }
        return try archive.deleteRule("_default", of: owner)
    }

    func attributeType(_ tag: String, in archive: ModelArchive) throws(PropertyListError) -> AttributeType {
        guard let owner = owners[tag] else { return .undefined }
        return try archive.attributeType("_default", of: owner)
    }
}
