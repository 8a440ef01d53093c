import SystemPackage

/// The model of the demonstration's app as a file.
enum CookbookModel {
    static func write(_ scratch: Scratch) throws -> String {
        func attribute(_ name: String, _ type: String) -> String {
            "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\"/>"
        }
        func relationship(_ name: String, _ destination: String, _ inverse: String, many: Bool) -> String {
            "<relationship name=\"\(name)\" optional=\"YES\" destinationEntity=\"\(destination)\" "
                + "inverseName=\"\(inverse)\" inverseEntity=\"\(destination)\" deletionRule=\"Nullify\""
                + (many ? " toMany=\"YES\"/>" : " maxCount=\"1\"/>")
        }
        let id = attribute("ticdsSyncID", "String")
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><model>\
            <entity name="Recipe">\(attribute("created", "Date"))\(attribute("isFavorite", "Boolean"))\
            \(attribute("photo", "Binary"))\(attribute("servings", "Integer 16"))\(attribute("steps", "String"))\(id)\
            \(attribute("title", "String"))\(relationship("ingredients", "Ingredient", "recipe", many: true))\
            \(relationship("tags", "Tag", "recipes", many: true))</entity>\
            <entity name="Ingredient">\(attribute("amount", "Decimal"))\(attribute("name", "String"))\(id)\
            \(relationship("recipe", "Recipe", "ingredients", many: false))</entity>\
            <entity name="Tag">\(attribute("name", "String"))\(id)\
            \(relationship("recipes", "Recipe", "tags", many: true))</entity></model>
            """
        return try scratch.write("cookbook.contents", Array(text.utf8))
    }
}
