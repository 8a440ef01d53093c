/// An enumeration whose names are words of JSON.
package typealias JSONWord = RawRepresentable & CaseIterable & SendableMetatype

/// The type of a value, in terms of JSON Schema.
package indirect enum JSONType: Sendable {
    /// Members of a JSON Schema.
    case raw(String)
    /// One of some words.
    case names([String])
    case array(JSONType, most: Int? = nil)
    /// An object whose keys are data, or names of a type if given.
    case map(JSONType, of: JSONType? = nil)
    case orNull(JSONType)
    /// An object with fields; the manual describes them in the section of the schema `home`, if it is given.
    case object([JSONField], home: String? = nil)

    package static let text = raw("\"type\": \"string\"")
    package static let boolean = raw("\"type\": \"boolean\"")
    /// A count.
    package static let count = number(from: 0)
    /// An integer that may be negative.
    package static let integer = raw("\"type\": \"integer\"")
    /// A number that may have a fraction.
    package static let real = raw("\"type\": \"number\", \"minimum\": 0")
    /// The code of a finding.
    package static let code = raw("\"type\": \"string\", \"pattern\": \"^TICDS-[0-9]{4}$\"")
    /// A value from a store or a change set.
    package static let value = shared("value")

    /// An integer with a smallest value.
    package static func number(from least: Int) -> JSONType {
        raw("\"type\": \"integer\", \"minimum\": \(least)")
    }

    /// A text with a number of hexadecimal digits.
    package static func hexadecimal(_ digits: Int) -> JSONType {
        raw("\"type\": \"string\", \"pattern\": \"^[0-9a-f]{\(digits)}$\"")
    }

    /// A definition that schemas share.
    package static func shared(_ name: String) -> JSONType {
        raw("\"$ref\": \"ticds-definitions.schema.json#/$defs/\(name)\"")
    }

    /// A complete document of a different schema.
    package static func document(_ schema: String) -> JSONType { raw("\"$ref\": \"\(file(of: schema))\"") }

    /// The names of an enumeration.
    package static func words<Word: JSONWord>(_: Word.Type) -> JSONType where Word.RawValue == String {
        names(Word.allCases.map(\.rawValue))
    }

    /// The name of the file with the JSON Schema.
    package static func file(of schema: String) -> String {
        schema.replacing("/", with: "-") + ".schema.json"
    }

    /// The members of the JSON Schema, with one field per line.
    func members(indent: String) -> String {
        switch self {
        case .raw(let members): return members
        case .names(let words): return "\"enum\": [\(words.map(Self.quoted).joined(separator: ", "))]"
        case .array(let element, let most):
            let limit = most.map { ", \"maxItems\": \($0)" } ?? ""
            return "\"type\": \"array\", \"items\": { \(element.members(indent: indent)) }\(limit)"
        case .map(let value, let names):
            let keys = names.map { ", \"propertyNames\": { \($0.members(indent: indent)) }" } ?? ""
            return
                "\"type\": \"object\", \"additionalProperties\": { \(value.members(indent: indent)) }\(keys)"
        case .orNull(let type):
            return "\"anyOf\": [{ \(type.members(indent: indent)) }, { \"type\": \"null\" }]"
        case .object(let fields, let home):
            let required = fields.filter { !$0.isOptional }.map { Self.quoted($0.key) }
            let lines = fields.map { field in
                let members = field.type.members(indent: indent + "  ")
                let text = field.text.isEmpty ? "" : "\"description\": \(Self.quoted(field.text)), "
                let origin = field.home.map { "\"$comment\": \"\($0)\", " } ?? ""
                return "\(indent)  \(Self.quoted(field.key)): { \(origin)\(text)\(members) }"
            }
            return (home.map { "\"$comment\": \"\($0)\", " } ?? "")
                + "\"type\": \"object\", \"required\": [\(required.joined(separator: ", "))], "
                + "\"properties\": {\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        }
    }

    /// The text in JSON form.
    static func quoted(_ text: String) -> String {
        var json = JSONWriter(nil)
        json.value(text)
        return json.text
    }
}
