import KeyedArchive
import SystemPackage
import TestSupport

@testable import CoreDataStore
@testable import CoreDataTools

/// A small intact store with every kind of relationship, for tests that damage it.
struct CheckedStore {
    let scratch: ScratchFolder
    let path: FilePath

    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Thing", isAbstract: true,
            attributes: [
                AttributeDescription(name: "ticdsSyncID", type: .string),
                AttributeDescription(name: "name", type: .string, isOptional: false),
            ],
            relationships: [
                RelationshipDescription(name: "label", destination: "Label", inverse: "thing"),
                RelationshipDescription(
                    name: "tags", destination: "Tag", inverse: "things", maxCount: 0, isOrdered: true),
            ]),
        EntityDescription(
            name: "Book", superentity: "Thing",
            attributes: [AttributeDescription(name: "cover", type: .binary, allowsExternalStorage: true)],
            relationships: [RelationshipDescription(name: "shelf", destination: "Shelf", inverse: "books")]),
        EntityDescription(name: "Disc", superentity: "Thing"),
        EntityDescription(
            name: "Label", attributes: [AttributeDescription(name: "ticdsSyncID", type: .string)],
            relationships: [RelationshipDescription(name: "thing", destination: "Thing", inverse: "label")]),
        EntityDescription(
            name: "Shelf", attributes: [AttributeDescription(name: "ticdsSyncID", type: .string)],
            relationships: [
                RelationshipDescription(
                    name: "books", destination: "Book", inverse: "shelf", maxCount: 0, isOrdered: true),
                RelationshipDescription(name: "loose", destination: "Tag", maxCount: 0),
                RelationshipDescription(
                    name: "friends", destination: "Shelf", inverse: "friends", maxCount: 0),
            ]),
        EntityDescription(
            name: "Tag", attributes: [AttributeDescription(name: "ticdsSyncID", type: .string)],
            relationships: [
                RelationshipDescription(name: "things", destination: "Thing", inverse: "tags", maxCount: 0)
            ]),
    ])

    init() throws {
        scratch = try ScratchFolder()
        path = scratch.path.appending("checked.sqlite")
        var writer = try SQLiteStoreWriter(creating: path, model: Self.model)
        for object in Self.objects { try writer.insert(object) }
        try writer.finish()
    }

    static let objects: [StoredObject] = [
        object("Shelf", 1, toMany: ["books": [2, 1], "loose": [2], "friends": [2]]),
        object("Shelf", 2, toMany: ["friends": [1]]),
        object("Tag", 1), object("Tag", 2),
        object("Book", 1, toOne: ["label": 1], toMany: ["tags": [2, 1]]), object("Book", 2),
        object("Disc", 3, toMany: ["tags": [2]]),
        object("Label", 1),
    ]

    static func object(
        _ entity: String, _ key: Int64, toOne: [String: Int64] = [:], toMany: [String: [Int64]] = [:]
    ) -> StoredObject {
        var attributes = [StoredAttribute(name: "ticdsSyncID", value: .string("\(entity)-\(key)"))]
        if ["Book", "Disc"].contains(entity) {
            attributes.append(StoredAttribute(name: "name", value: .string("number \(key)")))
        }
        if entity == "Book" { attributes.append(StoredAttribute(name: "cover", value: .data([1, 2, 3]))) }
        return StoredObject(
            entity: entity, primaryKey: key, attributes: attributes,
            relationships: toOne.map { StoredRelationship(name: $0.key, target: .toOne($0.value)) }
                + toMany.map { StoredRelationship(name: $0.key, target: .toMany($0.value)) })
    }

    func check(withModel: Bool = true) throws -> StoreCheck {
        try StoreChecker.check(try SQLiteStore(path, model: withModel ? Self.model : nil))
    }
}
