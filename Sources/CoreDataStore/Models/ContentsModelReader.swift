package import Base
import KeyedArchive

/// Reads the `contents` file of Xcode 4 and later, which is XML (core-data-sqlite-store(5), 7.2).
package struct ContentsModelReader {
    private var reader: XMLReader
    private var entities: [EntityDescription] = []
    private var configurations: [ModelConfiguration] = []
    private var fetchRequests: [FetchRequestTemplate] = []

    /// The model of the text, which may be inconsistent.
    package static func model(_ bytes: [UInt8]) throws(XMLProblem) -> ManagedObjectModel {
        var contents = ContentsModelReader(reader: try XMLReader(bytes))
        return try contents.model()
    }

    private mutating func model() throws(XMLProblem) -> ManagedObjectModel {
        guard case .start("model", let attributes) = try reader.next() else {
            throw reader.problem("the element on top is not “model”: this is not a data model")
        }
        try forEachChild { (contents, name, attributes) throws(XMLProblem) in
            switch name {
            case "entity": try contents.readEntity(attributes)
            case "configuration":
                let title = try contents.required("name", in: attributes)
                contents.configurations.append(
                    ModelConfiguration(name: title, entities: try contents.list(item: "name")))
            case "fetchRequest":
                contents.fetchRequests.append(
                    FetchRequestTemplate(
                        name: try contents.required("name", in: attributes), entity: attributes["entity"],
                        predicate: attributes["predicateString"]))
                try contents.skipElement()
            default: try contents.skipElement()
            }
        }
        while try reader.next() != nil {}
        let identifier = attributes["userDefinedModelVersionIdentifier"]
        return ManagedObjectModel(
            entities: entities, versionIdentifiers: identifier.map { [$0] } ?? [],
            configurations: configurations, fetchRequests: fetchRequests)
    }

    private mutating func readEntity(_ attributes: [String: String]) throws(XMLProblem) {
        var entity = EntityDescription(
            name: try required("name", in: attributes), className: attributes["representedClassName"],
            isAbstract: attributes["isAbstract"] == "YES", superentity: attributes["parentEntity"],
            versionHashModifier: attributes["versionHashModifier"],
            renamingIdentifier: attributes["elementID"])
        try forEachChild { (contents, name, attributes) throws(XMLProblem) in
            switch name {
            case "attribute", "relationship":
                // Neither call moves in the text, so that an error concerns only the property.
                do throws(XMLProblem) {
                    if name == "attribute" {
                        entity.attributes.append(try contents.attribute(attributes))
                    } else {
                        entity.relationships.append(try contents.relationship(attributes))
                    }
                } catch {
                    entity.leaveOut(attributes["name"] ?? "", "line \(error.line): \(error.problem)")
                }
                try contents.skipElement()
            case "fetchedProperty":
                entity.fetchedProperties.append(try contents.required("name", in: attributes))
                try contents.skipElement()
            case "uniquenessConstraints":
                entity.uniquenessConstraints = try contents.lists(of: "uniquenessConstraint", item: "value")
            case "compoundIndexes":
                entity.compoundIndexes = try contents.lists(of: "compoundIndex", item: "value")
            case "fetchIndex":
                let title = try contents.required("name", in: attributes)
                entity.fetchIndexes.append(
                    FetchIndex(name: title, properties: try contents.list(item: "property")))
            default:
                try contents.skipElement()
            }
        }
        entities.append(entity)
    }

    private func attribute(_ attributes: [String: String]) throws(XMLProblem) -> AttributeDescription {
        let type = try attributeType(attributes["attributeType"])
        return AttributeDescription(
            name: try required("name", in: attributes), type: type,
            isOptional: attributes["optional"] == "YES",
            isTransient: attributes["transient"] == "YES", isReadOnly: attributes["readOnly"] == "YES",
            isIndexed: attributes["indexed"] == "YES", defaultValue: defaultValue(attributes, type),
            valueTransformerName: attributes["valueTransformerName"],
            allowsExternalStorage: attributes["allowsExternalBinaryDataStorage"] == "YES",
            preservesValueInHistory: attributes["preserveAfterDeletion"] == "YES",
            isDerived: attributes["derived"] == "YES",
            derivationExpression: attributes["derivationExpression"],
            versionHashModifier: attributes["versionHashModifier"],
            renamingIdentifier: attributes["elementID"])
    }

    private func defaultValue(_ attributes: [String: String], _ type: AttributeType) -> ArchivedValue? {
        if let seconds = attributes["defaultDateTimeInterval"].flatMap(Double.init) { return .date(seconds) }
        return attributes["defaultValueString"].flatMap { type.defaultValue(from: .string($0)) }
    }

    private func relationship(_ attributes: [String: String]) throws(XMLProblem) -> RelationshipDescription {
        let isToMany = attributes["toMany"] == "YES"
        return RelationshipDescription(
            name: try required("name", in: attributes),
            destination: try required("destinationEntity", in: attributes),
            inverse: attributes["inverseName"], minCount: try count(attributes["minCount"]) ?? 0,
            maxCount: try count(attributes["maxCount"]) ?? (isToMany ? 0 : 1),
            isOrdered: attributes["ordered"] == "YES", deleteRule: try deleteRule(attributes["deletionRule"]),
            isOptional: attributes["optional"] == "YES", isTransient: attributes["transient"] == "YES",
            isReadOnly: attributes["readOnly"] == "YES",
            versionHashModifier: attributes["versionHashModifier"],
            renamingIdentifier: attributes["elementID"])
    }

    private func attributeType(_ name: String?) throws(XMLProblem) -> AttributeType {
        guard let name else { return .undefined }
        guard let type = AttributeType(sourceName: name) else {
            throw reader.problem("the attribute type “\(name)” is not known")
        }
        return type
    }

    private func deleteRule(_ name: String?) throws(XMLProblem) -> DeleteRule {
        guard let name else { return .noAction }
        guard let rule = DeleteRule(sourceName: name) else {
            throw reader.problem("the deletion rule “\(name)” is not known")
        }
        return rule
    }

    private func count(_ text: String?) throws(XMLProblem) -> Int? {
        guard let text else { return nil }
        guard let count = Int(text) else { throw reader.problem("“\(text)” is not a count") }
        return count
    }

    private func required(_ key: String, in attributes: [String: String]) throws(XMLProblem) -> String {
        guard let value = attributes[key], !value.isEmpty else {
            throw reader.problem("an element has no attribute “\(key)”")
        }
        return value
    }

    /// Calls `body` at the start of each child of the current element; `body` must read the child to its end.
    private mutating func forEachChild(
        _ body: (inout ContentsModelReader, String, [String: String]) throws(XMLProblem) -> Void
    ) throws(XMLProblem) {
        while let event = try reader.next() {
            switch event {
            case .start(let name, let attributes): try body(&self, name, attributes)
            case .end: return
            case .text: continue
            }
        }
    }

    /// Reads the rest of the current element.
    private mutating func skipElement() throws(XMLProblem) {
        var depth = 1
        while depth > 0, let event = try reader.next() {
            switch event {
            case .start: depth += 1
            case .end: depth -= 1
            case .text: continue
            }
        }
    }

    /// The attribute `item` of each child.
    private mutating func list(item: String) throws(XMLProblem) -> [String] {
        var items: [String] = []
        try forEachChild { (contents, _, attributes) throws(XMLProblem) in
            if let value = attributes[item] { items.append(value) }
            try contents.skipElement()
        }
        return items
    }

    /// The `list` of each child with the name `element`.
    private mutating func lists(of element: String, item: String) throws(XMLProblem) -> [[String]] {
        var lists: [[String]] = []
        try forEachChild { (contents, name, _) throws(XMLProblem) in
            if name == element {
                lists.append(try contents.list(item: item))
            } else {
                try contents.skipElement()
            }
        }
        return lists
    }
}
