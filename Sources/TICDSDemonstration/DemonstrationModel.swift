import CoreDataStore
import TICDSCore

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
