package import Base
package import KeyedArchive

/// Reads a compiled model: a `.mom` file, or the decompressed model cache of an SQLite store
/// (core-data-sqlite-store(5), 1.3 and 7.1).
package struct CompiledModelReader {
    private var archive: ModelArchive

    /// The model of the keyed archive, which may be inconsistent.
    package static func model(_ bytes: SharedBytes) throws(PropertyListError) -> ManagedObjectModel {
        var compiled = CompiledModelReader(archive: try ModelArchive(bytes, baseOffset: 0))
        return try compiled.model()
    }

    private mutating func model() throws(PropertyListError) -> ManagedObjectModel {
        let root = try archive.reader.root()
        guard try archive.className(of: root) == "NSManagedObjectModel" else {
            throw archive.failure(root, expected: "an NSManagedObjectModel", found: "another object")
        }
        guard try archive.object("NSEntities", of: root) != nil else {
            throw archive.failure(root, expected: "entities", found: "none")
        }
        var entities: [EntityDescription] = []
        for pair in try archive.pairs("NSEntities", of: root) { entities.append(try entity(pair.value)) }
        var identifiers: [String] = []
        for element in try archive.elements("NSVersionIdentifiers", of: root) {
            identifiers.append(try archive.text(of: element))
        }
        identifiers.sort { $0.precedesInCodePoints($1) }
        return ManagedObjectModel(
            entities: entities, versionIdentifiers: identifiers, configurations: try configurations(of: root),
            fetchRequests: try fetchRequests(of: root))
    }

    private mutating func configurations(
        of root: ArchivedReference
    ) throws(PropertyListError) -> [ModelConfiguration] {
        var configurations: [ModelConfiguration] = []
        for pair in try archive.pairs("NSConfigurations", of: root) {
            var names: [String] = []
            for entity in try archive.elements(of: pair.value) {
                if let name = try archive.text("NSEntityName", of: entity) { names.append(name) }
            }
            configurations.append(ModelConfiguration(name: try archive.text(of: pair.key), entities: names))
        }
        return configurations
    }

    /// The names of the fetch requests, and their entities if the keyed archive shows them in a known way.
    private mutating func fetchRequests(
        of root: ArchivedReference
    ) throws(PropertyListError) -> [FetchRequestTemplate] {
        var requests: [FetchRequestTemplate] = []
        for pair in try archive.pairs("NSFetchRequestTemplates", of: root) {
            var request = FetchRequestTemplate(name: try archive.text(of: pair.key))
            if let entity = try archive.object("NSEntity", of: pair.value) {
                request.entity = try archive.text("NSEntityName", of: entity)
            }
            requests.append(request)
        }
        return requests
    }

    private mutating func entity(_ reference: ArchivedReference) throws(PropertyListError)
        -> EntityDescription
    {
        guard let name = try archive.text("NSEntityName", of: reference) else {
            throw archive.failure(reference, expected: "an entity with a name", found: "none")
        }
        var entity = EntityDescription(
            name: name, className: try archive.text("NSClassNameForEntity", of: reference),
            isAbstract: try archive.flag("NSIsAbstract", of: reference),
            versionHashModifier: try archive.text("NSVersionHashModifier", of: reference),
            renamingIdentifier: try renamingIdentifier(of: reference, name),
            uniquenessConstraints: try archive.textLists("NSUniqueTuples", of: reference),
            compoundIndexes: try archive.textLists("NSCompoundIndexes", of: reference),
            fetchIndexes: try fetchIndexes(of: reference))
        if let above = try archive.object("NSSuperentity", of: reference) {
            entity.superentity = try archive.text("NSEntityName", of: above) ?? ""
        }
        for pair in try archive.pairs("NSProperties", of: reference) {
            do throws(PropertyListError) {
                try read(pair.value, into: &entity)
            } catch {
                entity.leaveOut(try archive.text(of: pair.key), error.description)
            }
        }
        return entity
    }

    /// Adds a property. It may be inherited; `ManagedObjectModel.init` removes inherited ones.
    private mutating func read(
        _ described: ArchivedReference, into entity: inout EntityDescription
    ) throws(PropertyListError) {
        var property = described
        var className = try archive.className(of: property)
        if className == "_NSPropertyDescriptionProxy" {
            guard let underlying = try archive.object("NSUnderlyingProperty", of: property) else {
                throw archive.failure(property, expected: "the property behind a proxy", found: "none")
            }
            property = underlying
            className = try archive.className(of: property)
        }
        guard let name = try archive.text("NSPropertyName", of: property) else {
            throw archive.failure(property, expected: "a property with a name", found: "none")
        }
        switch className {
        case "NSAttributeDescription", "NSCompositeAttributeDescription":
            entity.attributes.append(try attribute(name, property))
        case "NSDerivedAttributeDescription":
            var attribute = try attribute(name, property)
            attribute.isDerived = true
            entity.attributes.append(attribute)
        case "NSRelationshipDescription": entity.relationships.append(try relationship(name, property))
        case "NSFetchedPropertyDescription": entity.fetchedProperties.append(name)
        default:
            throw archive.failure(
                property, expected: "a property", found: "an object of class \(className ?? "none")")
        }
    }

    /// - Parameter depth: the number of composite attributes around it.
    private mutating func attribute(
        _ name: String, _ reference: ArchivedReference, depth: Int = 0
    ) throws(PropertyListError) -> AttributeDescription {
        let type = try archive.attributeType("NSAttributeType", of: reference)
        let flags = try archive.integer("NSFlagsKey", of: reference) ?? 0
        let properties = try propertyFlags(of: reference)
        return AttributeDescription(
            name: name, type: type, isOptional: properties.contains(.optional),
            isTransient: properties.contains(.transient), isReadOnly: properties.contains(.readOnly),
            isIndexed: try archive.flag("NSIsIndexed", of: reference),
            defaultValue: try archive.smallValue("NSDefaultValue", of: reference).flatMap(type.defaultValue),
            valueTransformerName: try archive.text("NSValueTransformerName", of: reference),
            allowsExternalStorage: flags & 4 != 0, preservesValueInHistory: flags & 16 != 0,
            versionHashModifier: try archive.text("NSVersionHashModifier", of: reference),
            renamingIdentifier: try renamingIdentifier(of: reference, name),
            elements: type == .composite ? try elements(of: reference, depth: depth) : [])
    }

    /// The elements of a composite attribute (core-data-sqlite-store(5), 7.1).
    private mutating func elements(
        of composite: ArchivedReference, depth: Int
    ) throws(PropertyListError) -> [AttributeDescription] {
        guard depth < Self.compositeDepth else {
            throw archive.failure(
                composite, expected: "at most \(Self.compositeDepth) composite attributes in each other",
                found: "more")
        }
        var elements: [AttributeDescription] = []
        for element in try archive.elements("NSCompositeElements", of: composite) {
            guard let name = try archive.text("NSPropertyName", of: element) else {
                throw archive.failure(element, expected: "an element with a name", found: "none")
            }
            elements.append(try attribute(name, element, depth: depth + 1))
        }
        return elements
    }

    /// The largest depth; real models have one.
    private static let compositeDepth = 8

    /// The renaming identifier of an entity or property; nil if it equals the name.
    private mutating func renamingIdentifier(
        of reference: ArchivedReference, _ name: String
    ) throws(PropertyListError) -> String? {
        let identifier = try archive.text("NSRenamingIdentifier", of: reference)
        return identifier == name ? nil : identifier
    }

    private mutating func relationship(
        _ name: String, _ reference: ArchivedReference
    ) throws(PropertyListError) -> RelationshipDescription {
        var destination = try archive.text("_NSDestinationEntityName", of: reference)
        if destination == nil, let entity = try archive.object("NSDestinationEntity", of: reference) {
            destination = try archive.text("NSEntityName", of: entity)
        }
        guard let destination else {
            throw archive.failure(reference, expected: "the destination of a relationship", found: "none")
        }
        var inverse = try archive.text("_NSInverseRelationshipName", of: reference)
        if inverse == nil, let back = try archive.object("NSInverseRelationship", of: reference) {
            inverse = try archive.text("NSPropertyName", of: back)
        }
        let properties = try propertyFlags(of: reference)
        return RelationshipDescription(
            name: name, destination: destination, inverse: inverse,
            minCount: try archive.integer("NSMinCount", of: reference) ?? 0,
            maxCount: try archive.integer("NSMaxCount", of: reference) ?? 0,
            isOrdered: properties.contains(.ordered),
            deleteRule: try archive.deleteRule("NSDeleteRule", of: reference),
            isOptional: properties.contains(.optional), isTransient: properties.contains(.transient),
            isReadOnly: properties.contains(.readOnly),
            versionHashModifier: try archive.text("NSVersionHashModifier", of: reference),
            renamingIdentifier: try renamingIdentifier(of: reference, name))
    }

    private mutating func fetchIndexes(of entity: ArchivedReference) throws(PropertyListError) -> [FetchIndex]
    {
        var indexes: [FetchIndex] = []
        for index in try archive.elements("NSFetchIndexDescriptions", of: entity) {
            var properties: [String] = []
            for element in try archive.elements("NSIndexElements", of: index) {
                if let name = try archive.text("NSPropertyName", of: element) { properties.append(name) }
            }
            indexes.append(
                FetchIndex(name: try archive.text("NSIndexName", of: index) ?? "", properties: properties))
        }
        return indexes
    }

    /// The bits of `_P`, and the fields that repeat them (core-data-sqlite-store(5), 7.1).
    private func propertyFlags(of reference: ArchivedReference) throws(PropertyListError) -> PropertyFlags {
        var flags = PropertyFlags(rawValue: try archive.integer("_P", of: reference) ?? 0)
        if try archive.flag("NSIsOptional", of: reference) { flags.insert(.optional) }
        if try archive.flag("NSIsReadOnly", of: reference) { flags.insert(.readOnly) }
        if try archive.flag("NSIsTransient", of: reference) { flags.insert(.transient) }
        if try archive.flag("NSIsOrdered", of: reference) { flags.insert(.ordered) }
        return flags
    }

    private struct PropertyFlags: OptionSet {
        let rawValue: Int
        static let optional = PropertyFlags(rawValue: 0x02)
        static let readOnly = PropertyFlags(rawValue: 0x04)
        static let transient = PropertyFlags(rawValue: 0x08)
        static let ordered = PropertyFlags(rawValue: 0x400)
    }
}
