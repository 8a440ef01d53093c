/// The fields of an object in order, each with its form and its text in the schema and ticds-json(5).
///
///     static let fields = JSONFields<Stray> {
///         $0("path", "The entry, inside the remote.", \.path)
///         $0("kind", "", \.kind)
///     }
///
/// The type in JSON follows from the type in Swift. Backticks mark keys and words.
package struct JSONFields<Value>: Sendable {
    /// The descriptions of the fields.
    package private(set) var list: [JSONField] = []
    private var writers: [@Sendable (Value, inout JSONWriter) -> Void] = []
    package let home: String?

    /// The fields that `make` adds; `home` is the schema in whose section the manual describes them.
    package init(home: String? = nil, _ make: (inout Self) -> Void) {
        self.home = home
        make(&self)
    }

    /// A field that is written in the form of its type; `type` describes it more exactly than the Swift type.
    package mutating func callAsFunction<Part: JSONWritable>(
        _ key: String, _ text: String, as type: JSONType = Part.json,
        _ value: @escaping @Sendable (Value) -> Part
    ) {
        self(key, text, as: type) { value($0).write(to: &$1, under: key) }
    }

    /// A field that is absent if there is no value.
    package mutating func optional<Part: JSONWritable>(
        _ key: String, _ text: String, as type: JSONType = Part.json,
        _ value: @escaping @Sendable (Value) -> Part?
    ) {
        self(key, text, as: type, isOptional: true) { value($0)?.write(to: &$1, under: key) }
    }

    /// One of the names of an enumeration.
    package mutating func callAsFunction<Word: JSONWord>(
        _ key: String, _ text: String, _ value: @escaping @Sendable (Value) -> Word
    ) where Word.RawValue == String {
        self(key, text, as: .words(Word.self)) { value($0).rawValue }
    }

    /// One of the names of an enumeration, or null.
    package mutating func callAsFunction<Word: JSONWord>(
        _ key: String, _ text: String, _ value: @escaping @Sendable (Value) -> Word?
    ) where Word.RawValue == String {
        self(key, text, as: .orNull(.words(Word.self))) { value($0)?.rawValue }
    }

    /// An object without a type of its own.
    package mutating func callAsFunction<Part>(
        _ key: String, _ text: String, _ value: @escaping @Sendable (Value) -> Part,
        _ fields: JSONFields<Part>
    ) {
        self(key, text, as: fields.type) {
            $1.key(key)
            $1.value(value($0), fields)
        }
    }

    /// An object without a type of its own, or null.
    package mutating func callAsFunction<Part>(
        _ key: String, _ text: String, _ value: @escaping @Sendable (Value) -> Part?,
        _ fields: JSONFields<Part>
    ) {
        self(key, text, as: .orNull(fields.type)) {
            $1.key(key)
            if let part = value($0) { $1.value(part, fields) } else { $1.null() }
        }
    }

    /// An array of objects without a type of their own.
    package mutating func callAsFunction<Part>(
        _ key: String, _ text: String, _ value: @escaping @Sendable (Value) -> [Part],
        _ fields: JSONFields<Part>
    ) {
        self(key, text, as: .array(fields.type)) {
            $1.array(key, value($0)) { $0.value($1, fields) }
        }
    }

    /// An array of objects without a type of their own, or null.
    package mutating func callAsFunction<Part>(
        _ key: String, _ text: String, _ value: @escaping @Sendable (Value) -> [Part]?,
        _ fields: JSONFields<Part>
    ) {
        self(key, text, as: .orNull(.array(fields.type))) {
            guard let parts = value($0) else {
                $1.key(key)
                return $1.null()
            }
            $1.array(key, parts) { $0.value($1, fields) }
        }
    }

    /// A field that `write` writes with its key, or that other code writes.
    package mutating func callAsFunction(
        _ key: String, _ text: String, as type: JSONType, isOptional: Bool = false,
        write: @escaping @Sendable (Value, inout JSONWriter) -> Void = { _, _ in }
    ) {
        list.append(JSONField(key: key, text: text, type: type, isOptional: isOptional, home: home))
        writers.append(write)
    }

    /// The fields of another value; absent if there is none.
    package mutating func include<Part>(
        _ fields: JSONFields<Part>, isOptional: Bool = false, _ value: @escaping @Sendable (Value) -> Part?
    ) {
        list += fields.list.map { field in
            var field = field
            field.isOptional = field.isOptional || isOptional
            return field
        }
        writers.append { if let part = value($0) { fields.write(part, to: &$1) } }
    }

    /// An object with these fields.
    package var type: JSONType { .object(list, home: home) }

    func write(_ value: Value, to json: inout JSONWriter) {
        for write in writers { write(value, &json) }
    }
}

/// The description of one field.
package struct JSONField: Sendable {
    /// The key of the field.
    package let key: String
    package let text: String
    package let type: JSONType
    package var isOptional: Bool
    package let home: String?
}

/// A document or line that a program prints: the object with its name and version.
package struct JSONSchema<Value>: Sendable {
    /// Name and version, such as `ticds.change/1`.
    package let name: String
    /// The fields after `schema`.
    package let fields: JSONFields<Value>
    private let text: String
    private let rules: String

    /// A schema; `text` describes its values; `rules` are members of the JSON Schema that fields cannot express.
    package init(
        _ name: String, _ text: String, rules: String = "", _ make: (inout JSONFields<Value>) -> Void
    ) {
        self.name = name
        self.text = text
        self.rules = rules
        fields = JSONFields(home: name, make)
    }

    /// The JSON Schema as a file.
    package var file: SchemaFile { SchemaFile(name: JSONType.file(of: name), text: schema) }

    private var schema: String {
        let head = JSONField(
            key: "schema", text: "", type: .raw("\"const\": \"\(name)\""), isOptional: false, home: name)
        let type = JSONType.object([head] + fields.list).members(indent: "  ")
        return """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "$id": "\(JSONType.file(of: name))",
              "$comment": "Written by make schemas from the source; do not edit",
              "title": "\(name)",
              "description": \(JSONType.quoted(text)),
              \(type)\(rules.isEmpty ? "" : ",\n  " + rules)
            }

            """
    }
}

/// A JSON Schema in the form of `make schemas`.
package struct SchemaFile: Sendable {
    /// The name of the file.
    package let name: String
    /// The contents of the file.
    package let text: String
}

extension JSONWriter {
    /// Writes a document, or a line.
    package mutating func document<Value>(_ value: Value, _ schema: JSONSchema<Value>) {
        self.value(value, schema)
        endLine()
    }

    /// Writes a document inside another one.
    package mutating func value<Value>(_ value: Value, _ schema: JSONSchema<Value>) {
        begin(schema.name)
        schema.fields.write(value, to: &self)
        endObject()
    }

    /// Writes an object.
    package mutating func value<Value>(_ value: Value, _ fields: JSONFields<Value>) {
        beginObject()
        fields.write(value, to: &self)
        endObject()
    }
}
