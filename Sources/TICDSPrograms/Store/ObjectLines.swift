import CoreDataStore
import KeyedArchive
import SystemCalls
import TICDSCommandLine

/// Prints objects as they come: JSON Lines of schema "ticds.object/1", or text by entity.
struct ObjectLines: ~Copyable {
    private let isJSON: Bool
    private let colour: Colour
    private var json: JSONWriter
    private var text: OutputBuffer

    init(_ output: OutputOptions) {
        isJSON = output.json
        colour = output.colour()
        json = output.lines()
        text = output.longText()
    }

    mutating func add(_ object: StoredObject) {
        if isJSON { addJSON(object) } else { addText(object) }
    }

    mutating func finish() throws(FileProblem) {
        if isJSON { try json.flush() } else { try text.flush() }
    }

    private mutating func addJSON(_ object: StoredObject) {
        json.begin("ticds.object/1")
        json.field("entity", object.entity)
        json.field("primaryKey", object.primaryKey)
        json.beginObject("attributes")
        for attribute in object.attributes { json.field(attribute.name, attribute.value) }
        json.endObject()
        json.beginObject("relationships")
        for relationship in object.relationships {
            switch relationship.target {
            case .toOne(let key): json.field(relationship.name, key)
            case .toMany(let keys):
                json.array(relationship.name, keys) { $0.value($1) }
            }
        }
        json.endObject()
        json.end()
    }

    private mutating func addText(_ object: StoredObject) {
        text.line(colour.paint("\(object.entity) \(object.primaryKey)", .bold))
        for attribute in object.attributes where !attribute.value.isNil {
            text.line("    \(attribute.name) = \(ValueText.line(attribute.value))")
        }
        for relationship in object.relationships {
            let name = relationship.name
            switch relationship.target {
            case .toOne(nil), .toMany([]): continue
            case .toOne(let key?): text.line("    \(name) → \(key)")
            case .toMany(let keys):
                let shown = keys.prefix(20).map(String.init).joined(separator: ", ")
                let more = keys.count > 20 ? " … \(Quantities.count(keys.count - 20)) more" : ""
                text.line("    \(name) → \(shown)\(more)")
            }
        }
    }
}
