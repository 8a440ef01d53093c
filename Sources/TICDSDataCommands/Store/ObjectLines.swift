import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import TICDSCommandLine

/// Prints objects as they come: JSON Lines of schema "ticds.object/1" or "ticds.namedObject/1", or text by entity.
struct ObjectLines: ~Copyable {
    private var out: LineOutput

    private let names: ObjectNames?
    private let decodesData: Bool

    /// - Parameter names: names objects in JSON; nil for primary keys.
    init(_ context: CommandContext, _ names: ObjectNames?, decodingData: Bool = false) {
        out = LineOutput(context)
        self.names = names
        decodesData = decodingData
    }

    mutating func add(_ object: StoredObject) throws(FileProblem) {
        if out.isJSON {
            try Self.write(object, names, decodingData: decodesData, to: &out.json)
        } else {
            addText(object)
        }
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

    /// The schema of a line that names objects by sync IDs.
    static let namedSchema = JSONSchema<Void>(
        "ticds.namedObject/1",
        "Printed by ticds-store(1) `dump --keys sync-ids`: a line for each object of a store."
    ) {
        $0("entity", "The entity.", as: .text)
        $0("syncID", "The sync ID; absent if the object has none.", as: .text, isOptional: true)
        $0(
            "primaryKey", "Unique within the entity and its superentities; absent beside a sync ID.",
            as: .shared("integer"), isOptional: true)
        $0("attributes", "Values by name.", as: .map(.value))
        $0(
            "relationships",
            """
            Sync IDs by name, or the primary key of an object without one: a text, a number or null for a to-one \
            relationship, an array for a to-many one, which is sorted unless the relationship is ordered.
            """,
            as: .map(.raw(namedRelationshipType)))
    }

    private static let namedRelationshipType = """
        "anyOf": [{ "type": "null" }, { "type": "string" }, { "$ref": \
        "ticds-definitions.schema.json#/$defs/integer" }, { "type": "array", "items": { "anyOf": [{ "type": \
        "string" }, { "$ref": "ticds-definitions.schema.json#/$defs/integer" }] } }]
        """

    /// Writes one line of a schema.
    static func write(
        _ object: StoredObject, _ names: ObjectNames?, decodingData: Bool = false, to json: inout JSONWriter
    ) throws(FileProblem) {
        json.begin(names == nil ? schema.name : namedSchema.name)
        json.field("entity", object.entity)
        if names != nil, let syncID = object.syncID {
            json.field("syncID", syncID)
        } else {
            json.field("primaryKey", object.primaryKey)
        }
        json.beginObject("attributes")
        for attribute in object.attributes {
            json.field(attribute.name, attribute.value, decodingData: decodingData)
        }
        json.endObject()
        if let names {
            try write(object, names, to: &json)
        } else {
            write(object.relationships, to: &json)
        }
        json.end()
    }

    private static func write(
        _ object: StoredObject, _ names: ObjectNames, to json: inout JSONWriter
    ) throws(FileProblem) {
        json.beginObject("relationships")
        for relationship in object.relationships {
            switch relationship.target {
            case .toOne(nil): json.field(relationship.name, nil as Int64?)
            case .toOne(let key?):
                switch try names.names(of: [key], by: relationship.name, of: object.entity)[0] {
                case .syncID(let id): json.field(relationship.name, id)
                case .primaryKey(let key): json.field(relationship.name, key)
                }
            case .toMany(let keys):
                let targets = try names.names(of: keys, by: relationship.name, of: object.entity)
                json.array(relationship.name, targets) {
                    switch $1 {
                    case .syncID(let id): $0.value(id)
                    case .primaryKey(let key): $0.value(key)
                    }
                }
            }
        }
        json.endObject()
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
