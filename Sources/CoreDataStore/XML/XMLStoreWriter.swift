public import KeyedArchive

/// Writes an XML store as Core Data does (core-data-xml-store(5), 10). The content is in memory until `finish`.
public struct XMLStoreWriter {
    private var objects: [UInt8] = []
    private var lastNumber: Int64 = 0
    private let metadata: StoreMetadata

    /// A writer of a store with this metadata. The UUID has an element of its own.
    public init(metadata: StoreMetadata) { self.metadata = metadata }

    /// Adds an object of an entity of the model, whose keys are unique in the whole store. Nil values are left out. The
    /// value of a transformable attribute is the data of its transformer.
    public mutating func append(
        _ object: StoredObject, model: ManagedObjectModel
    ) throws(PropertyListError) {
        var element = XMLStoreObject(
            type: object.entity.uppercased(), id: Self.id(object.primaryKey), offset: 0)
        let values = Dictionary(object.attributes.map { ($0.name, $0.value) }) { _, last in last }
        // Core Data writes a new object's attributes backwards: its own before the inherited ones.
        for attribute in model.attributes(of: object.entity).reversed() {
            guard let type = attribute.type.nameInXMLStore, !attribute.isTransient,
                let value = values[attribute.name], !value.isNil
            else { continue }
            element.attributes.append(
                XMLStoreObject.Attribute(name: attribute.name.lowercased(), type: type, value: value))
        }
        let targets = Dictionary(object.relationships.map { ($0.name, $0.target) }) { _, last in last }
        let kept = model.relationships(of: object.entity).filter { !$0.isTransient }
        for relationship in kept.filter({ !$0.isToMany }) + kept.filter(\.isToMany) {
            let keys: [Int64] =
                switch targets[relationship.name] {
                case .toOne(let key): key.map { [$0] } ?? []
                case .toMany(let keys): keys
                case nil: []
                }
            element.relationships.append(
                XMLStoreObject.Relationship(
                    name: relationship.name.lowercased(),
                    counts: "\(max(relationship.minCount, 0))/\(max(relationship.maxCount, 0))",
                    destination: relationship.destination.uppercased(), targets: keys.map(Self.id)))
        }
        try append(element)
        lastNumber = max(lastNumber, object.primaryKey)
    }

    private static func id(_ key: Int64) -> String { "z\(key)" }

    /// Adds an object as it is in a file.
    mutating func append(_ object: XMLStoreObject) throws(PropertyListError) {
        func tag(_ name: String, _ attributes: [(String, String?)]) throws(PropertyListError) {
            objects += "<\(name)".utf8
            for (name, value) in attributes {
                guard let value else { continue }
                objects += " \(name)=\"".utf8
                try Self.append(name: value, to: &objects)
                objects += "\"".utf8
            }
            objects += ">".utf8
        }
        objects += "    ".utf8
        try tag("object", [("type", object.type), ("id", object.id)])
        objects += "\n".utf8
        for attribute in object.attributes {
            objects += "        ".utf8
            try tag("attribute", [("name", attribute.name), ("type", attribute.type)])
            guard XMLStoreValue.append(attribute.value, type: attribute.type, to: &objects) else {
                throw PropertyListError(
                    offset: 0, expected: "a value of type \(attribute.type) that an XML store can contain",
                    found: attribute.value.kindName)
            }
            objects += "</attribute>\n".utf8
        }
        for relationship in object.relationships {
            let ids = relationship.targets.joined(separator: " ")
            objects += "        ".utf8
            try tag(
                "relationship",
                [
                    ("name", relationship.name), ("type", relationship.counts),
                    ("destination", relationship.destination), ("idrefs", ids.isEmpty ? nil : ids),
                ])
            objects += "</relationship>\n".utf8
        }
        objects += "    </object>\n".utf8
    }

    /// Appends a name in quotes. Throws for characters that XML cannot contain there.
    private static func append(name: String, to bytes: inout [UInt8]) throws(PropertyListError) {
        for scalar in name.unicodeScalars {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case "\"": bytes += "&quot;".utf8
            case _ where scalar.value < 0x20, "\u{FFFE}", "\u{FFFF}":
                throw PropertyListError(
                    offset: 0, expected: "a name that XML can contain", found: "U+\(scalar.value)")
            default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
    }

    /// Returns the bytes of the file. Its counter is at least the highest key in use, and at least 101, from which Core
    /// Data counts.
    public func finish(lastNumber: Int64 = 101) throws(PropertyListError) -> [UInt8] {
        var file = Array(
            """
            <?xml version="1.0"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>134481920</version>
                    <UUID>
            """.utf8)
        try Self.append(name: metadata.uuid ?? "", to: &file)
        file += "</UUID>\n        <nextObjectID>\(max(self.lastNumber, lastNumber))</nextObjectID>\n".utf8
        file += "        <metadata>\n            <plist version=\"1.0\">\n".utf8
        let own = [StoreMetadata.uuidKey, StoreMetadata.typeKey]
        let list = (metadata.all.pairs ?? []).filter { !own.contains($0.key.stringValue ?? "") }
        file += try XMLPropertyListWriter.element(of: .dictionary(list), indentation: 4)
        file += "            </plist>\n        </metadata>\n    </databaseInfo>\n".utf8
        file += objects
        file += "</database>".utf8
        return file
    }
}
