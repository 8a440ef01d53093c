import Base
public import CoreDataStore
internal import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Writes a model as the XML of Xcode 4 and later, which `ModelFile` reads (core-data-sqlite-store(5), 7.2).
public struct ModelSource: Sendable {
    /// The text of the file `contents`.
    public private(set) var text = ""
    /// The parts of the model that the text does not contain, each a sentence without a full stop.
    public private(set) var omissions: [String] = []

    /// The source of `model`, which came from the file `path`.
    ///
    /// The text is read back before it is returned: it describes the same entities, with the same version hashes.
    /// - Throws: `.unsupported` for a model that XML cannot express, such as a name with control characters.
    public init(_ model: ManagedObjectModel, path: FilePath) throws(FileProblem) {
        write(model)
        if let forbidden = text.unicodeScalars.first(where: { !Self.isOfXML($0) }) {
            let code = String(forbidden.value, radix: 16, uppercase: true)
            throw Self.refusal(path, found: "the character U+\(code) in a name or a text")
        }
        let again: ManagedObjectModel
        do throws(XMLProblem) {
            again = try ContentsModelReader.model(Array(text.utf8))
        } catch {
            throw Self.refusal(path, found: error.problem)
        }
        let changed = model.entities.first { entity in
            again[entity.name] == nil
                || again.versionHash(of: entity.name) != model.versionHash(of: entity.name)
        }
        if let changed {
            throw Self.refusal(path, found: "the entity “\(changed.name)” would have another version hash")
        }
        for entity in model.entities {
            for unread in entity.unreadProperties {
                omissions.append("\(entity.name).\(unread.name), which cannot be read: \(unread.problem)")
            }
        }
        if again.entities.count != model.entities.count {
            throw Self.refusal(path, found: "\(again.entities.count) of \(model.entities.count) entities")
        }
    }

    private static func refusal(_ path: FilePath, found: String) -> FileProblem {
        FileProblem(
            .unsupported, path: path, "the model cannot be expressed as a source of Xcode", found: found,
            advice: "Use the compiled model")
    }

    private mutating func write(_ model: ManagedObjectModel) {
        text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n"
        open(
            "model", 0,
            [
                ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
                ("userDefinedModelVersionIdentifier", model.versionIdentifiers.first),
            ])
        if model.versionIdentifiers.count > 1 {
            omissions.append("all version identifiers but the first, since a source has only one")
        }
        for entity in model.entities { write(entity) }
        for request in model.fetchRequests {
            empty(
                "fetchRequest", 1,
                [
                    ("name", request.name), ("entity", request.entity),
                    ("predicateString", request.predicate),
                ])
            if request.predicate == nil {
                omissions.append("the predicate of the fetch request \(request.name), if it has one")
            }
        }
        for configuration in model.configurations {
            open("configuration", 1, [("name", configuration.name)])
            for entity in configuration.entities { empty("memberEntity", 2, [("name", entity)]) }
            close("configuration", 1)
        }
        close("model", 0)
    }

    private mutating func write(_ entity: EntityDescription) {
        open(
            "entity", 1,
            [
                ("name", entity.name), ("representedClassName", entity.className),
                ("isAbstract", Self.flag(entity.isAbstract)), ("parentEntity", entity.superentity),
                ("versionHashModifier", entity.versionHashModifier),
                ("elementID", entity.renamingIdentifier),
            ])
        for attribute in entity.attributes { write(attribute, of: entity.name) }
        for relationship in entity.relationships { write(relationship) }
        for name in entity.fetchedProperties {
            empty("fetchedProperty", 2, [("name", name), ("optional", "YES")])
            omissions.append("the fetch request of the fetched property \(entity.name).\(name)")
        }
        for index in entity.fetchIndexes {
            open("fetchIndex", 2, [("name", index.name)])
            for property in index.properties {
                empty(
                    "fetchIndexElement", 3,
                    [("property", property), ("type", "Binary"), ("order", "ascending")])
            }
            close("fetchIndex", 2)
        }
        write(entity.uniquenessConstraints, "uniquenessConstraints", "uniquenessConstraint", "constraint")
        write(entity.compoundIndexes, "compoundIndexes", "compoundIndex", "index")
        close("entity", 1)
    }

    private mutating func write(_ attribute: AttributeDescription, of entity: String) {
        let title = "\(entity).\(attribute.name)"
        var fields: [(String, String?)] = [
            ("name", attribute.name), ("optional", Self.flag(attribute.isOptional)),
            ("transient", Self.flag(attribute.isTransient)), ("readOnly", Self.flag(attribute.isReadOnly)),
            ("indexed", Self.flag(attribute.isIndexed)), ("attributeType", attribute.type.sourceName),
            ("valueTransformerName", attribute.valueTransformerName),
            ("allowsExternalBinaryDataStorage", Self.flag(attribute.allowsExternalStorage)),
            ("preserveAfterDeletion", Self.flag(attribute.preservesValueInHistory)),
            ("derived", Self.flag(attribute.isDerived)),
            ("derivationExpression", attribute.derivationExpression),
            ("versionHashModifier", attribute.versionHashModifier),
            ("elementID", attribute.renamingIdentifier),
        ]
        if case .date(let seconds)? = attribute.defaultValue {
            fields.append(("defaultDateTimeInterval", "\(seconds)"))
        } else if let value = attribute.defaultValue {
            if let text = Self.text(value) {
                fields.append(("defaultValueString", text))
            } else {
                omissions.append("the default value of \(title)")
            }
        }
        if attribute.isDerived, attribute.derivationExpression == nil {
            omissions.append("the expression of the derived attribute \(title)")
        }
        if attribute.type == .composite { omissions.append("the parts of the composite attribute \(title)") }
        if attribute.type == .objectID { omissions.append("the type of \(title), which sources do not have") }
        empty("attribute", 2, fields)
    }

    private mutating func write(_ relationship: RelationshipDescription) {
        let count = relationship.isToMany && relationship.maxCount == 0 ? nil : "\(relationship.maxCount)"
        empty(
            "relationship", 2,
            [
                ("name", relationship.name), ("optional", Self.flag(relationship.isOptional)),
                ("transient", Self.flag(relationship.isTransient)),
                ("readOnly", Self.flag(relationship.isReadOnly)),
                ("toMany", Self.flag(relationship.isToMany)),
                ("minCount", relationship.minCount == 0 ? nil : "\(relationship.minCount)"),
                ("maxCount", count), ("deletionRule", relationship.deleteRule.sourceName),
                ("ordered", Self.flag(relationship.isOrdered)),
                ("destinationEntity", relationship.destination), ("inverseName", relationship.inverse),
                ("inverseEntity", relationship.inverse.map { _ in relationship.destination }),
                ("versionHashModifier", relationship.versionHashModifier),
                ("elementID", relationship.renamingIdentifier),
            ])
    }

    private mutating func write(_ lists: [[String]], _ outer: String, _ middle: String, _ inner: String) {
        if lists.isEmpty { return }
        open(outer, 2)
        for list in lists {
            open(middle, 3)
            for name in list { empty(inner, 4, [("value", name)]) }
            close(middle, 3)
        }
        close(outer, 2)
    }

    private static func flag(_ truth: Bool) -> String? { truth ? "YES" : nil }

    /// The text of a default value in the source; nil for values that a source cannot have.
    private static func text(_ value: ArchivedValue) -> String? {
        switch value {
        case .boolean(let truth): truth ? "YES" : "NO"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .string(let text), .url(let text): text
        case .uuid(let uuid): "\(uuid)"
        default: nil
        }
    }
}

/// Elements and their attributes as text.
extension ModelSource {
    private mutating func open(_ name: String, _ level: Int, _ fields: [(String, String?)] = []) {
        start(name, level, fields)
        text += ">\n"
    }

    private mutating func empty(_ name: String, _ level: Int, _ fields: [(String, String?)]) {
        start(name, level, fields)
        text += "/>\n"
    }

    private mutating func close(_ name: String, _ level: Int) {
        text += String(repeating: "    ", count: level) + "</\(name)>\n"
    }

    private mutating func start(_ name: String, _ level: Int, _ fields: [(String, String?)]) {
        text += String(repeating: "    ", count: level) + "<\(name)"
        for case (let key, let value?) in fields { text += " \(key)=\"\(Self.escaped(value))\"" }
    }

    /// Whether XML 1.0 allows the character.
    private static func isOfXML(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    /// Text in an attribute. White space is written by number, since a reader may turn it into spaces.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
