import SystemPackage

/// A model with attributes of all types, inheritance and all kinds of relationships, as a file.
enum ImportedModel {
    static func write(_ scratch: Scratch) throws -> String {
        try scratch.write("imported.contents", Array(text.utf8))
    }

    private static func attribute(_ name: String, _ type: String, _ more: String = "optional=\"YES\"")
        -> String
    {
        "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(more)/>"
    }

    private static func relationship(
        _ name: String, _ destination: String, _ inverse: String?, many: Bool = false, ordered: Bool = false
    ) -> String {
        let back = inverse.map { " inverseName=\"\($0)\" inverseEntity=\"\(destination)\"" } ?? ""
        return "<relationship name=\"\(name)\" optional=\"YES\" destinationEntity=\"\(destination)\"\(back) "
            + "deletionRule=\"Nullify\"\(many ? " toMany=\"YES\"" : " maxCount=\"1\"")"
            + "\(ordered ? " ordered=\"YES\"" : "")/>"
    }

    static let text = """
        <?xml version="1.0" encoding="UTF-8"?><model>\
        <entity name="Author">\(attribute("name", "String", "defaultValueString=\"nobody\""))\
        \(attribute("ticdsSyncID", "String"))\(relationship("notes", "Note", "author", many: true, ordered: true))\
        \(relationship("friends", "Author", "friends", many: true))</entity>\
        <entity name="Note">\(attribute("big", "Integer 64"))\(attribute("blob", "Binary"))\
        \(attribute("count", "Integer 32"))\(attribute("flag", "Boolean"))\(attribute("link", "URI"))\
        \(attribute("made", "Date"))\(attribute("photo", "Binary", "optional=\"YES\" allowsExternalBinaryDataStorage=\"YES\""))\
        \(attribute("price", "Decimal"))\(attribute("ratio", "Double"))\(attribute("share", "Float"))\
        \(attribute("small", "Integer 16", "optional=\"YES\" defaultValueString=\"7\""))\(attribute("text", "String"))\
        \(attribute("thing", "Transformable"))\(attribute("ticdsSyncID", "String"))\
        \(attribute("title", "String", "optional=\"NO\""))\(attribute("unique", "UUID"))\
        \(relationship("author", "Author", "notes"))\(relationship("cover", "Cover", "note"))\
        \(relationship("tags", "Tag", "notes", many: true))</entity>\
        <entity name="Special" parentEntity="Note">\(attribute("extra", "String"))</entity>\
        <entity name="Cover">\(attribute("colour", "String"))\(relationship("note", "Note", "cover"))</entity>\
        <entity name="Tag">\(attribute("name", "String"))\(attribute("ticdsSyncID", "String"))\
        \(relationship("notes", "Note", "tags", many: true, ordered: true))</entity>\
        <entity name="Shelf">\(attribute("name", "String"))\(relationship("tags", "Tag", nil, many: true))</entity>\
        </model>
        """
}
