import CoreDataStore
import KeyedArchive

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
                AttributeDescription(name: "steps", type: .string), syncID,
                AttributeDescription(name: "title", type: .string),
            ],
            relationships: [
                RelationshipDescription(
                    name: "ingredients", destination: "Ingredient", inverse: "recipe", maxCount: 0,
                    deleteRule: .cascade),
                RelationshipDescription(name: "tags", destination: "Tag", inverse: "recipes", maxCount: 0),
            ]),
        ingredient,
        EntityDescription(
            name: "Tag", className: "Tag",
            attributes: [AttributeDescription(name: "name", type: .string), syncID],
            relationships: [
                RelationshipDescription(name: "recipes", destination: "Recipe", inverse: "tags", maxCount: 0)
            ]),
    ])

    /// A later version, which Core Data migrates to without a mapping model: a title is a name, a tag is a keyword, and
    /// recipes have a rating.
    static let laterModel = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Recipe", className: "Recipe",
            attributes: [
                AttributeDescription(name: "created", type: .date),
                AttributeDescription(name: "isFavorite", type: .boolean),
                AttributeDescription(name: "name", type: .string, renamingIdentifier: "title"),
                AttributeDescription(name: "photo", type: .binary),
                AttributeDescription(
                    name: "rating", type: .integer16, isOptional: false, defaultValue: .integer(0)),
                AttributeDescription(name: "servings", type: .integer16),
                AttributeDescription(name: "steps", type: .string), syncID,
            ],
            relationships: [
                RelationshipDescription(
                    name: "ingredients", destination: "Ingredient", inverse: "recipe", maxCount: 0,
                    deleteRule: .cascade),
                RelationshipDescription(
                    name: "keywords", destination: "Keyword", inverse: "recipes", maxCount: 0,
                    renamingIdentifier: "tags"),
            ]),
        ingredient,
        EntityDescription(
            name: "Keyword", className: "Keyword",
            attributes: [AttributeDescription(name: "name", type: .string), syncID],
            relationships: [
                RelationshipDescription(
                    name: "recipes", destination: "Recipe", inverse: "keywords", maxCount: 0)
            ], renamingIdentifier: "Tag"),
    ])

    private static let ingredient = EntityDescription(
        name: "Ingredient", className: "Ingredient",
        attributes: [
            AttributeDescription(name: "amount", type: .decimal),
            AttributeDescription(name: "name", type: .string), syncID,
        ],
        relationships: [
            RelationshipDescription(
                name: "recipe", destination: "Recipe", inverse: "ingredients", maxCount: 1)
        ])

    /// The attribute of every synchronised entity (ticds-remote-format(5), 3.3).
    private static let syncID = AttributeDescription(name: "ticdsSyncID", type: .string, isIndexed: true)

    /// The model as Xcode saves it, the file `contents` in a folder `.xcdatamodel` (core-data-sqlite-store(5), 7.2).
    static func contents(_ model: ManagedObjectModel) -> String {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
            #"<model name="" userDefinedModelVersionIdentifier="">"#,
        ]
        for entity in model.entities {
            let className = entity.className ?? "NSManagedObject"
            lines.append(
                #"    <entity name="\#(entity.name)" representedClassName="\#(className)" syncable="YES""#
                    + "\(renaming(entity.renamingIdentifier))>")
            lines += entity.attributes.map { "        \(element($0))" }
            lines += entity.relationships.map { "        \(element($0))" }
            lines.append("    </entity>")
        }
        return (lines + ["</model>", ""]).joined(separator: "\n")
    }

    private static func renaming(_ identifier: String?) -> String {
        identifier.map { #" elementID="\#($0)""# } ?? ""
    }

    private static func element(_ attribute: AttributeDescription) -> String {
        let indexed = attribute.isIndexed ? #" indexed="YES""# : ""
        let type = typeName(attribute.type)
        let optional = attribute.isOptional ? #" optional="YES""# : ""
        let value = attribute.defaultValue?.integerValue.map { #" defaultValueString="\#($0)""# } ?? ""
        return #"<attribute name="\#(attribute.name)"\#(optional) attributeType="\#(type)""#
            + "\(indexed)\(value)\(renaming(attribute.renamingIdentifier))/>"
    }

    private static func element(_ relationship: RelationshipDescription) -> String {
        let count = relationship.isToMany ? #"toMany="YES""# : #"maxCount="1""#
        let rule = relationship.deleteRule == .cascade ? "Cascade" : "Nullify"
        let destination = relationship.destination
        return
            #"<relationship name="\#(relationship.name)" optional="YES" \#(count) deletionRule="\#(rule)" "#
            + #"destinationEntity="\#(destination)" inverseName="\#(relationship.inverse ?? "")" "#
            + #"inverseEntity="\#(destination)"\#(renaming(relationship.renamingIdentifier))/>"#
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
