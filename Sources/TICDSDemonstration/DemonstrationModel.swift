import CoreDataStore

/// The data model of the demonstration's app: recipes, their ingredients, and tags.
enum DemonstrationModel {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Recipe", className: "Recipe",
            attributes: [
                AttributeDescription(name: "created", type: .date),
                AttributeDescription(name: "isFavorite", type: .boolean),
                AttributeDescription(name: "photo", type: .binary),
                AttributeDescription(name: "servings", type: .integer16),
                AttributeDescription(name: "steps", type: .string),
                syncID,
                AttributeDescription(name: "title", type: .string),
            ],
            relationships: [
                RelationshipDescription(
                    name: "ingredients", destination: "Ingredient", inverse: "recipe", maxCount: 0,
                    deleteRule: .cascade),
                RelationshipDescription(name: "tags", destination: "Tag", inverse: "recipes", maxCount: 0),
            ]),
        EntityDescription(
            name: "Ingredient", className: "Ingredient",
            attributes: [
                AttributeDescription(name: "amount", type: .decimal),
                AttributeDescription(name: "name", type: .string),
                syncID,
            ],
            relationships: [
                RelationshipDescription(
                    name: "recipe", destination: "Recipe", inverse: "ingredients", maxCount: 1)
            ]),
        EntityDescription(
            name: "Tag", className: "Tag",
            attributes: [AttributeDescription(name: "name", type: .string), syncID],
            relationships: [
                RelationshipDescription(name: "recipes", destination: "Recipe", inverse: "tags", maxCount: 0)
            ]),
    ])

    /// Every synchronised entity has this attribute (ticds-remote-format(5), 3.3).
    private static let syncID = AttributeDescription(name: "ticdsSyncID", type: .string, isIndexed: true)
}

extension DemonstrationModel {
    /// The model as Xcode saves it, the file `contents` in a folder `.xcdatamodel` (core-data-sqlite-store(5), 7.2).
    static var contents: String {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
            #"<model name="" userDefinedModelVersionIdentifier="">"#,
        ]
        for entity in model.entities {
            let className = entity.className ?? "NSManagedObject"
            lines.append(
                #"    <entity name="\#(entity.name)" representedClassName="\#(className)" syncable="YES">"#)
            lines += entity.attributes.map { "        \(element($0))" }
            lines += entity.relationships.map { "        \(element($0))" }
            lines.append("    </entity>")
        }
        return (lines + ["</model>", ""]).joined(separator: "\n")
    }

    private static func element(_ attribute: AttributeDescription) -> String {
        let indexed = attribute.isIndexed ? #" indexed="YES""# : ""
        let type = typeName(attribute.type)
        return #"<attribute name="\#(attribute.name)" optional="YES" attributeType="\#(type)"\#(indexed)/>"#
    }

    private static func element(_ relationship: RelationshipDescription) -> String {
        let count = relationship.isToMany ? #"toMany="YES""# : #"maxCount="1""#
        let rule = relationship.deleteRule == .cascade ? "Cascade" : "Nullify"
        let destination = relationship.destination
        return
            #"<relationship name="\#(relationship.name)" optional="YES" \#(count) deletionRule="\#(rule)" "#
            + #"destinationEntity="\#(destination)" inverseName="\#(relationship.inverse ?? "")" "#
            + #"inverseEntity="\#(destination)"/>"#
    }

    private static func typeName(_ type: AttributeType) -> String {
        switch type {
        case .date: "Date"
        case .boolean: "Boolean"
        case .binary: "Binary"
        case .integer16: "Integer 16"
        case .decimal: "Decimal"
        default: "String"
        }
    }
}
