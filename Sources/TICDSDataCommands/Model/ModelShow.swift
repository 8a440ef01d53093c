import ArgumentParser
import Base
import CoreDataStore
import CoreDataTools
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages

struct ModelShow: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the entities, properties and version hashes of models.",
        discussion: """
            The model is a file or folder of Xcode, compiled or source; a folder with models, such as an app, of which \
            the command shows all; or a store that contains its model. Properties are listed with the entity that \
            declares them.

            Of a mapping model, a folder .xcmappingmodel or a .cdm, the command shows the mappings of entities with the \
            expressions for their properties, and says which ticds does not carry out: see ticds-migrate(7).

            Examples:
              ticds-model show Notebook.momd
              ticds-model show Notebook.xcdatamodeld --model-version "Notebook 2"
              ticds-model show Notebook.sqlite --json | jq '.models[].entities[] | .name, .versionHash'
            """)

    @Argument(
        help:
            "A .mom, .momd, .xcdatamodel or .xcdatamodeld, a folder with models, a store, or a mapping model.",
        completion: .file())
    var model: String

    @OptionGroup var version: ModelVersionOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let path = Environment.path(argument: model)
        let isArchived = try RemoteAddress(path: path).archivedFile != nil
        if try !isArchived && MappingModel.isMappingModel(path) {
            return try show(try MappingModel.load(path), context)
        }
        let named = try NamedModels(model, password)
        let shown = try version.modelVersion.map { name throws(FileProblem) in [try named.one(name)] }
        let models = shown ?? named.models
        try context.print((named, models), Self.schema) { text in
            for found in models {
                ModelTable(found: found, style: context.style).show(to: &text, colour: context.colour())
            }
        }
        return context.finish(named.problems)
    }

    private func show(_ mapping: MappingModel, _ context: CommandContext) throws -> ExitStatus {
        if version.modelVersion != nil {
            throw ValidationError("--model-version chooses among models, and this is a mapping model.")
        }
        try context.print(mapping, MappingModelJSON.schema) { text in
            MappingModelTable(model: mapping).show(to: &text, colour: context.colour())
        }
        return context.finish(mapping.problems)
    }

    static let schema = JSONSchema<(named: NamedModels, models: [FoundModel])>(
        "ticds.models/1", "Printed by ticds-model(1) `show`."
    ) {
        $0("path", "The argument.", { $0.named.path })
        $0("models", "The models, by path.", { $0.models }, ModelJSON.model)
        $0("problems", "What could not be read.", { $0.named.problems })
    }
}

/// Models in JSON.
enum ModelJSON {
    static let model = JSONFields<FoundModel> {
        $0("path", "The file.", \.path)
        $0("version", "The name of the version.", \.name)
        $0("isCurrent", "Whether new stores use it.", \.isCurrent)
        $0("versionIdentifiers", "Often none.", { $0.model.versionIdentifiers })
        $0(
            "versionChecksum",
            "NSStoreModelVersionChecksumKey of a store of this version; null if a hash is not known.",
            { $0.model.versionChecksum })
        $0(
            "entities", "By name.",
            { found in found.model.entities.map { EntityInModel(model: found.model, entity: $0) } }, entity)
        $0(
            "fetchRequests", "Templates of fetch requests.", { $0.model.fetchRequests },
            JSONFields<FetchRequestTemplate> {
                $0("name", "", \.name)
                $0("entity", "The entity that it fetches; null if it is not known.", \.entity)
                $0("predicate", "A format string; null in compiled models.", \.predicate)
            })
        $0(
            "configurations", "Named sets of entities.", { $0.model.configurations },
            JSONFields<ModelConfiguration> {
                $0("name", "", \.name)
                $0("entityNames", "", \.entities)
            })
    }

    /// An entity with its model, which computes the version hash.
    struct EntityInModel {
        let model: ManagedObjectModel
        let entity: EntityDescription
    }

    private static let entity = JSONFields<EntityInModel> {
        $0("name", "", { $0.entity.name })
        $0("className", "The class of its objects.", { $0.entity.className })
        $0("isAbstract", "", { $0.entity.isAbstract })
        $0("superentity", "Null for a root entity.", { $0.entity.superentity })
        $0(
            "versionHash", "In hexadecimal digits; null if it is not known how it is computed.",
            { $0.model.versionHash(of: $0.entity.name).map { hexadecimalDigits(of: $0) } })
        $0("versionHashModifier", "", { $0.entity.versionHashModifier })
        $0("renamingIdentifier", "The name in a former version.", { $0.entity.renamingIdentifier })
        $0("attributes", "The attributes that it declares.", { $0.entity.attributes }, attribute)
        $0(
            "relationshipList", "The relationships that it declares.", { $0.entity.relationships },
            relationship)
        $0("fetchedProperties", "Their names.", { $0.entity.fetchedProperties })
        $0(
            "uniquenessConstraints", "Lists of properties that are unique together.",
            { $0.entity.uniquenessConstraints })
        $0(
            "indexes", "Fetch indexes.", { $0.entity.fetchIndexes },
            JSONFields<FetchIndex> {
                $0("name", "", \.name)
                $0("properties", "Names, in order.", \.properties)
            })
        $0("compoundIndexes", "The older form: lists of properties.", { $0.entity.compoundIndexes })
        $0(
            "unread", "Properties that cannot be read.", { $0.entity.unreadProperties },
            JSONFields<UnreadProperty> {
                $0("name", "", \.name)
                $0("problem", "", \.problem)
            })
    }

    private static let attribute = JSONFields<AttributeDescription> {
        $0("name", "", \.name)
        $0("type", "", as: .names(AttributeType.allCases.map(\.word)), { $0.type.word })
        $0("isOptional", "", \.isOptional)
        $0("isTransient", "", \.isTransient)
        $0("isIndexed", "", \.isIndexed)
        $0("isDerived", "Whether the store computes it.", \.isDerived)
        $0("defaultValue", "Null for none.", as: .orNull(.value), \.defaultValue)
        $0("valueTransformer", "The name of a class.", \.valueTransformerName)
        $0("allowsExternalStorage", "", \.allowsExternalStorage)
        $0("preservesValueInHistory", "", \.preservesValueInHistory)
        $0("versionHashModifier", "", \.versionHashModifier)
        $0("renamingIdentifier", "The name in a former version.", \.renamingIdentifier)
    }

    private static let relationship = JSONFields<RelationshipDescription> {
        $0("name", "", \.name)
        $0("destination", "An entity.", \.destination)
        $0("inverse", "A relationship of the destination; null for none.", \.inverse)
        $0("isToMany", "", \.isToMany)
        $0("isOrdered", "", \.isOrdered)
        $0("minCount", "", as: .integer, \.minCount)
        $0("maxCount", "0 or -1 for no limit.", as: .integer, \.maxCount)
        $0("deleteRule", "", as: .names(DeleteRule.allCases.map(\.word)), { $0.deleteRule.word })
        $0("isOptional", "", \.isOptional)
        $0("isTransient", "", \.isTransient)
        $0("versionHashModifier", "", \.versionHashModifier)
        $0("renamingIdentifier", "The name in a former version.", \.renamingIdentifier)
    }
}

extension AttributeType {
    /// The type as a word of JSON.
    var word: String { "\(self)" }
}

extension DeleteRule {
    /// The rule as a word of JSON.
    var word: String { "\(self)" }
}

/// A model as a table for people.
struct ModelTable {
    let found: FoundModel
    let style: TextStyle
    private var model: ManagedObjectModel { found.model }

    func show(to text: inout OutputBuffer, colour: Colour) {
        let current = found.isCurrent ? "" : " (not the current version)"
        text.line(colour.paint("\(found.path)\(current)", .bold))
        let count = Quantities.count(model.entities.count, "entity", "entities")
        let identifiers = model.versionIdentifiers.filter { !$0.isEmpty }.joined(separator: ", ")
        text.line("    \(count)\(identifiers.isEmpty ? "" : ", version \(identifiers)")")
        if let checksum = model.versionChecksum { text.line("    checksum: \(checksum)") }
        var rows = TextTable(
            ["ENTITY", "PROPERTY", "TYPE", "DETAILS"], leavesOut: ["DETAILS", "TYPE"])
        for entity in model.entities { add(entity, to: &rows) }
        rows.show(to: &text, colour: colour, indent: 4)
        for request in model.fetchRequests {
            let entity = request.entity.map { " of \($0)" } ?? ""
            text.line(
                "    fetch request \(request.name)\(entity)\(request.predicate.map { ": \($0)" } ?? "")")
        }
        for configuration in model.configurations {
            text.line(
                "    configuration \(configuration.name): \(configuration.entities.joined(separator: ", "))")
        }
    }

    private func add(_ entity: EntityDescription, to rows: inout TextTable) {
        let hash = model.versionHash(of: entity.name).map { "hash " + hexadecimalDigits(of: $0.prefix(6)) }
        let details = [
            entity.isAbstract ? "abstract" : nil, entity.superentity.map { "inherits from \($0)" },
            entity.renamingIdentifier.flatMap { $0 == entity.name ? nil : "formerly \($0)" },
            hash ?? "hash not known",
        ]
        rows.add([entity.name, "", "", details.compactMap(\.self).joined(separator: ", ")])
        for attribute in entity.attributes {
            rows.add(["", attribute.name, attribute.type.title, words(attribute)])
        }
        for relationship in entity.relationships {
            let arrow = relationship.isToMany ? "→→" : "→"
            rows.add(["", relationship.name, "\(arrow) \(relationship.destination)", words(relationship)])
        }
        for name in entity.fetchedProperties { rows.add(["", name, "fetched", ""]) }
        for constraint in entity.uniquenessConstraints {
            rows.add(["", constraint.joined(separator: ", "), "unique", ""])
        }
        for index in entity.fetchIndexes {
            rows.add(["", index.properties.joined(separator: ", "), "index", index.name])
        }
        for list in entity.compoundIndexes { rows.add(["", list.joined(separator: ", "), "index", ""]) }
        for unread in entity.unreadProperties { rows.add(["", unread.name, "not read", unread.problem]) }
    }

    private func words(_ attribute: AttributeDescription) -> String {
        let words = [
            attribute.isOptional ? nil : "required", attribute.isTransient ? "transient" : nil,
            attribute.isIndexed ? "indexed" : nil, attribute.isDerived ? "derived" : nil,
            attribute.allowsExternalStorage ? "external storage" : nil,
            attribute.preservesValueInHistory ? "preserved in history" : nil,
            attribute.defaultValue.map { "default \(style.line(of: $0, limit: 40))" },
            attribute.valueTransformerName.map { "transformer \($0)" },
            attribute.renamingIdentifier.map { "formerly \($0)" },
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }

    private func words(_ relationship: RelationshipDescription) -> String {
        let words = [
            relationship.isOptional ? nil : "required", relationship.isTransient ? "transient" : nil,
            relationship.isOrdered ? "ordered" : nil, relationship.inverse.map { "inverse \($0)" },
            counts(relationship),
            "on deletion \(relationship.deleteRule.sourceName.lowercased())",
            relationship.renamingIdentifier.map { "formerly \($0)" },
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }

    private func counts(_ relationship: RelationshipDescription) -> String? {
        guard relationship.isToMany else { return nil }
        let (least, most) = (relationship.minCount, relationship.maxCount)
        switch (least > 0, most > 0) {
        case (true, true): return "\(least) to \(most)"
        case (true, false): return "at least \(least)"
        case (false, true): return "at most \(most)"
        case (false, false): return nil
        }
    }
}
