import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import TICDSCommandLine

/// Prints objects as they come: JSON Lines of schema "ticds.object/1", or text by entity.
struct ObjectLines: ~Copyable {
    private var out: LineOutput

    private let decodesData: Bool

    init(_ context: CommandContext, decodingData: Bool = false) {
        out = LineOutput(context)
        decodesData = decodingData
    }

    mutating func add(_ object: StoredObject) {
        if out.isJSON { addJSON(object) } else { addText(object) }
    }

    mutating func finish(_ note: String? = nil) throws(FileProblem) { try out.finish(note) }

    /// Written below: there may be millions.
    static let schema = JSONSchema<Void>(
        "ticds.object/1", "Printed by ticds-store(1) `dump`: a line for each object of a store."
    ) {
        $0("entity", "The entity.", as: .text)
        $0("primaryKey", "Unique within the entity and its superentities.", as: .shared("integer"))
        $0("attributes", "Values by name.", as: .map(.value))
        $0(
            "relationships",
            """
            Primary keys by name: a number or null for a to-one relationship, an array of numbers for a \
            to-many one.
            """,
            as: .map(.raw(relationshipType)))
    }

    /// A relationship in JSON.
    static let relationshipType = """
        "anyOf": [{ "type": "null" }, { "$ref": "ticds-definitions.schema.json#/$defs/integer" }, { "type": \
        "array", "items": { "$ref": "ticds-definitions.schema.json#/$defs/integer" } }]
        """

    private mutating func addJSON(_ object: StoredObject) {
        Self.write(object, decodingData: decodesData, to: &out.json)
    }

    /// Writes one line of the schema.
    static func write(_ object: StoredObject, decodingData: Bool = false, to json: inout JSONWriter) {
        json.begin(schema.name)
        json.field("entity", object.entity)
        json.field("primaryKey", object.primaryKey)
        json.beginObject("attributes")
        for attribute in object.attributes {
            json.field(attribute.name, attribute.value, decodingData: decodingData)
        }
        json.endObject()
        write(object.relationships, to: &json)
        json.end()
    }

    /// Writes the field with the relationships of an object.
    static func write(_ relationships: [StoredRelationship], to json: inout JSONWriter) {
        json.beginObject("relationships")
        for relationship in relationships {
            switch relationship.target {
            case .toOne(let key): json.field(relationship.name, key)
            case .toMany(let keys): json.array(relationship.name, keys) { $0.value($1) }
            }
        }
        json.endObject()
    }

    private mutating func addText(_ object: StoredObject) {
        out.text.line(out.colour.paint("\(object.entity) \(object.primaryKey)", .bold))
        for attribute in object.attributes where !attribute.value.isNil {
            out.text.line("    \(attribute.name) = \(out.style.line(of: attribute.value))")
        }
        Self.show(object.relationships, to: &out.text)
    }

    /// Shows the relationships of an object that have targets.
    static func show(_ relationships: [StoredRelationship], to text: inout OutputBuffer) {
        for relationship in relationships {
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

extension JSONWriter {
    /// A field with the value of an attribute; on request with the content of data in a known form.
    mutating func field(_ name: String, _ value: ArchivedValue, decodingData: Bool) {
        guard decodingData, case .data(let bytes) = value, let content = DataContent(bytes) else {
            return field(name, value)
        }
        beginObject(name)
        field("$decoded", content.value)
        field("form", content.form.rawValue)
        field("compressed", content.isCompressed)
        field("size", bytes.count)
        endObject()
    }
}
