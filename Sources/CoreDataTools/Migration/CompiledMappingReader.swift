import Base
import CoreDataStore
import KeyedArchive
import SystemPackage

/// Reads a compiled mapping model, a keyed archive of an NSMappingModel.
struct CompiledMappingReader {
    private var expressions: ExpressionArchive

    /// Whether the root object of a keyed archive is a mapping model.
    static func isMappingModel(_ bytes: SharedBytes) -> Bool {
        guard bytes.starts(with: Array("bplist00".utf8)),
            var archive = try? ModelArchive(bytes, baseOffset: 0),  // try?: other bytes are no mapping model
            let root = try? archive.reader.root()  // try?: as above
        else { return false }
        return (try? archive.className(of: root)) == "NSMappingModel"  // try?: as above
    }

    static func model(_ bytes: SharedBytes, path: FilePath) throws(PropertyListError) -> MappingModel {
        var reader = CompiledMappingReader(
            expressions: ExpressionArchive(try ModelArchive(bytes, baseOffset: 0)))
        return MappingModel(path: path, form: .compiled, entities: try reader.entities())
    }

    private mutating func entities() throws(PropertyListError) -> [MappingModel.Entity] {
        let root = try expressions.archive.reader.root()
        guard try expressions.archive.object("NSEntityMappings", of: root) != nil else {
            throw expressions.archive.failure(root, expected: "mappings of entities", found: "none")
        }
        var entities: [MappingModel.Entity] = []
        for element in try expressions.archive.elements("NSEntityMappings", of: root) {
            entities.append(try entity(element))
        }
        return entities
    }

    private mutating func entity(
        _ reference: ArchivedReference
    ) throws(PropertyListError) -> MappingModel.Entity {
        guard try expressions.archive.className(of: reference) == "NSEntityMapping" else {
            throw expressions.archive.failure(
                reference, expected: "an NSEntityMapping", found: "another object")
        }
        let number = try expressions.archive.integer("NSMappingType", of: reference) ?? 0
        guard let kind = MappingModel.Kind(number: number) else {
            throw expressions.archive.failure(
                reference, expected: "a kind of mapping of 0 to 5", found: "\(number)")
        }
        let source = try expressions.archive.text("NSSourceEntityName", of: reference)
        let destination = try expressions.archive.text("NSDestinationEntityName", of: reference)
        var entity = MappingModel.Entity(
            name: try expressions.archive.text("NSMappingName", of: reference)
                ?? MappingModel.Entity.usualName(source, destination),
            kind: kind, source: source, destination: destination,
            sourceHash: try hash("NSSourceEntityVersionHash", of: reference),
            destinationHash: try hash("NSDestinationEntityVersionHash", of: reference),
            policy: try expressions.archive.text("NSEntityMigrationPolicyClassName", of: reference))
        if let lacking = entity.lackingEntity {
            throw expressions.archive.failure(
                reference, expected: "\(lacking) in the mapping of an entity", found: "none")
        }
        if let fetched = try expressions.expression("NSSourceExpression", of: reference) {
            entity.take(fetched)
        }
        entity.attributes = try properties("NSAttributeMappings", of: reference)
        entity.relationships = try properties("NSRelationshipMappings", of: reference)
        return entity
    }

    private mutating func hash(
        _ name: StaticString, of owner: ArchivedReference
    ) throws(PropertyListError) -> [UInt8]? {
        guard let value = try expressions.archive.smallValue(name, of: owner) else { return nil }
        guard let bytes = value.dataValue else {
            throw expressions.archive.failure(owner, expected: "a version hash", found: value.kindName)
        }
        return bytes
    }

    private mutating func properties(
        _ name: StaticString, of owner: ArchivedReference
    ) throws(PropertyListError) -> [MappingModel.Property] {
        var properties: [MappingModel.Property] = []
        for element in try expressions.archive.elements(name, of: owner) {
            guard let name = try expressions.archive.text("NSDestinationPropertyName", of: element) else {
                throw expressions.archive.failure(
                    element, expected: "the name of a property", found: "none")
            }
            properties.append(
                MappingModel.Property(
                    name: name, expression: try expressions.expression("NSValueExpression", of: element)))
        }
        return properties.sorted { $0.name.precedesInCodePoints($1.name) }
    }
}

extension MappingModel.Entity {
    /// Takes the expression that fetches the objects: the usual one has a condition, any other stays as it is.
    mutating func take(_ fetched: ArchivedExpression) {
        let selector = "fetchRequestForSourceEntityNamed:predicateString:"
        guard case .fetch(.function(.variable("manager"), selector, let arguments), _) = fetched,
            arguments.count == 2, case .constant(.string(let name)) = arguments[0], name == source,
            case .constant(.string(let text)) = arguments[1]
        else {
            fetch = fetched
            return
        }
        condition = text == "TRUEPREDICATE" || text.isEmpty ? nil : text
    }
}
