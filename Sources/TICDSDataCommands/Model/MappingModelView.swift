import Base
import CoreDataStore
import CoreDataTools
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// A mapping model as a table for people.
struct MappingModelTable {
    let model: MappingModel

    func show(to text: inout OutputBuffer, colour: Colour) {
        text.line(colour.paint("\(model.path)", .bold))
        text.line(
            "    \(Quantities.count(model.entities.count, "mapping of an entity", "mappings of entities")), "
                + (model.form == .source ? "source of Xcode" : "compiled"))
        if let path = model.sourceModelPath { text.line("    from \(escapedText(path))") }
        if let path = model.destinationModelPath { text.line("    to \(escapedText(path))") }
        var rows = TextTable(["MAPPING", "PROPERTY", "VALUE"], [.whole, .whole, .copied])
        for entity in model.entities { add(entity, to: &rows) }
        rows.show(to: &text, colour: colour, indent: 4)
    }

    private func add(_ entity: MappingModel.Entity, to rows: inout TextTable) {
        let names = [entity.source ?? "nothing", entity.destination ?? "nothing"].joined(separator: " → ")
        let details = [
            names, entity.kind == .undefined ? nil : entity.kind.rawValue,
            entity.policy.map { "by the class \($0) of the app" }, entity.condition.map { "where \($0)" },
            entity.fetch.map { "fetched with \($0.text)" },
        ]
        rows.add([entity.name, "", details.compactMap(\.self).joined(separator: ", ")])
        for property in entity.attributes + entity.relationships {
            rows.add(["", property.name, value(property)])
        }
    }

    private func value(_ property: MappingModel.Property) -> String {
        if let expression = property.expression {
            return expression.text + (expression.problem.map { " (\($0))" } ?? "")
        }
        if !property.isGenerated { return "" }
        let path = property.keyPath.map { $0.hasPrefix("$source") ? $0 : "$source.\($0)" }
        return "generated: \(path ?? "$source.\(property.name)")"
            + (property.mapping.map { " by \($0)" } ?? "")
    }
}

/// Mapping models in JSON.
enum MappingModelJSON {
    static let schema = JSONSchema<MappingModel>(
        "ticds.mappingModel/1", "Printed by ticds-model(1) `show` for a mapping model."
    ) {
        $0("path", "The file.", \.path)
        $0("form", "", as: .names(MappingModel.Form.allCases.map(\.rawValue)), { $0.form.rawValue })
        $0("sourceModelPath", "The old model in the project; null if compiled.", \.sourceModelPath)
        $0("destinationModelPath", "The new model in the project; null if compiled.", \.destinationModelPath)
        $0(
            "entityMappings", "In their order.",
            { model in model.entities.map { EntityInMapping(model: model, entity: $0) } }, entity)
        $0("problems", "What could not be read.", \.problems)
    }

    /// The mapping of an entity with its mapping model, which has copies of the models.
    struct EntityInMapping {
        let model: MappingModel
        let entity: MappingModel.Entity

        var sourceHash: [UInt8]? {
            entity.sourceHash ?? entity.source.flatMap { model.sourceModel?.versionHash(of: $0) }
        }

        var destinationHash: [UInt8]? {
            entity.destinationHash
                ?? entity.destination.flatMap { model.destinationModel?.versionHash(of: $0) }
        }
    }

    private static let entity = JSONFields<EntityInMapping> {
        $0("name", "", { $0.entity.name })
        $0("kind", "", as: .names(MappingModel.Kind.allCases.map(\.rawValue)), { $0.entity.kind.rawValue })
        $0("source", "The entity of the old model; null for a new one.", { $0.entity.source })
        $0(
            "destination", "The entity of the new model; null if the objects are left out.",
            { $0.entity.destination })
        $0(
            "sourceVersionHash", "In hexadecimal digits; null if it is not known.",
            { $0.sourceHash.map { hexadecimalDigits(of: $0) } })
        $0(
            "destinationVersionHash", "In hexadecimal digits; null if it is not known.",
            { $0.destinationHash.map { hexadecimalDigits(of: $0) } })
        $0(
            "migrationPolicy", "The class of the app that carries it out; null for the usual one.",
            { $0.entity.policy })
        $0("condition", "A format string; null for all objects.", { $0.entity.condition })
        $0(
            "fetch", "An expression that fetches the objects in another way; null for none.",
            { $0.entity.fetch?.text })
        $0("attributeMappings", "By name.", { $0.entity.attributes }, property)
        $0("relationshipMappings", "By name.", { $0.entity.relationships }, property)
    }

    private static let property = JSONFields<MappingModel.Property> {
        $0("name", "", \.name)
        $0("expression", "As Xcode writes it; null for none, or a generated one.", { $0.expression?.text })
        $0("isGenerated", "Whether Xcode generates an expression if there is none.", \.isGenerated)
        $0("keyPath", "For the generated expression; null for the name.", \.keyPath)
        $0("mapping", "The entity mapping for the generated expression; null for the usual one.", \.mapping)
        $0(
            "problem", "The reason why the expression is not carried out; null if it is.",
            { $0.expression?.problem })
    }
}
