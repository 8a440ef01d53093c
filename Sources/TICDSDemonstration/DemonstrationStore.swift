import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// The whole store of a document of the demonstration, as the app would have it on disk.
enum DemonstrationStore {
    enum Kind { case sqlite, binary }

    /// The objects with primary keys, sorted by sync ID so that the keys are the same each time. Each is made when it is
    /// written.
    static func objects(of document: DemonstrationDocument) -> some Sequence<StoredObject> {
        let keys = ObjectKeys(of: document)
        return keys.order.lazy.map { object in
            let (entity, id, values) = contents(of: object, in: document)
            let attributes = DemonstrationModel.model.attributes(of: entity).map { attribute in
                let value = attribute.name == "ticdsSyncID" ? .string(id.text) : values[attribute.name]
                return StoredAttribute(name: attribute.name, value: attribute.type.stored(value))
            }
            return StoredObject(
                entity: entity, primaryKey: keys.key(of: object), attributes: attributes,
                relationships: relationships(of: object, keys, document))
        }
    }

    private static func contents(
        of object: ObjectNumber, in document: DemonstrationDocument
    ) -> (entity: String, id: DemonstrationIdentifier, values: [String: ArchivedValue]) {
        switch object {
        case .recipe(let number):
            ("Recipe", document.recipe(number).id, document.attributes(ofRecipe: number))
        case .ingredient(let number):
            ("Ingredient", document.ingredient(number).id, document.attributes(ofIngredient: number))
        case .tag(let number):
            ("Tag", document.tags[number].id, ["name": .string(document.tags[number].name)])
        }
    }

    /// Writes the file `path`, which must not exist.
    static func write(
        _ document: DemonstrationDocument, kind: Kind, to path: FilePath, _ random: inout SeededGenerator
    ) throws(FileProblem) {
        let uuid = random.uuid()
        switch kind {
        case .binary: try NewFile.write(try binary(objects(of: document), uuid, path), to: path)
        case .sqlite:
            var writer = try SQLiteStoreWriter(creating: path, model: DemonstrationModel.model, uuid: uuid)
            for object in objects(of: document) { try writer.insert(object) }
            try writer.finish()
        }
    }

    private static func binary(
        _ objects: some Sequence<StoredObject>, _ uuid: ArchivedUUID, _ path: FilePath
    ) throws(FileProblem) -> [UInt8] {
        let model = DemonstrationModel.model
        do throws(PropertyListError) {
            var writer = BinaryStoreWriter(metadata: StoreMetadata.binary(of: model, uuid: uuid))
            for object in objects {
                let slots = model.slots(of: object.entity).map { slot in
                    object.attributes.first { $0.name == slot.persistentAttribute?.name }?.value.asInteger
                        ?? .null
                }
                let related = object.relationships.map { relationship in
                    switch relationship.target {
                    case .toOne(let key):
                        BinaryStoreWriter.Related(
                            name: relationship.name, keys: key.map { [$0] } ?? [], isToMany: false)
                    case .toMany(let keys):
                        BinaryStoreWriter.Related(name: relationship.name, keys: keys, isToMany: true)
                    }
                }
                try writer.append(
                    entity: object.entity, primaryKey: object.primaryKey, slots: slots, related: related)
            }
            return try writer.finish()
        } catch { throw FileProblem(error, path: path) }
    }

    private static func relationships(
        of object: ObjectNumber, _ keys: ObjectKeys, _ document: DemonstrationDocument
    ) -> [StoredRelationship] {
        switch object {
        case .recipe(let number):
            let tags = document.tags.indices.filter { document.recipe(number).has(tag: $0) }
            return [
                StoredRelationship(
                    name: "ingredients",
                    target: .toMany(document.parts(of: number).map { keys.key(of: .ingredient($0)) }.sorted())
                ),
                StoredRelationship(
                    name: "tags", target: .toMany(tags.map { keys.key(of: .tag($0)) }.sorted())),
            ]
        case .ingredient(let number):
            let recipe = document.ingredient(number).recipe
            return [StoredRelationship(name: "recipe", target: .toOne(keys.key(of: .recipe(recipe))))]
        case .tag(let number):
            let recipes = document.tags[number].recipes.map { keys.key(of: .recipe($0)) }
            return [StoredRelationship(name: "recipes", target: .toMany(recipes))]
        }
    }
}

/// An object of the document by its entity and number.
private enum ObjectNumber {
    case recipe(UInt32), ingredient(UInt32), tag(Int)
}

/// The primary keys of the objects that exist.
private struct ObjectKeys {
    /// The objects in the order of their keys, which begin with 1.
    private(set) var order: [ObjectNumber]
    private var recipes: [UInt32]
    private var ingredients: [UInt32]
    private var tags: [UInt32]

    init(of document: DemonstrationDocument) {
        order = document.recipes.map { .recipe($0) } + document.ingredients.map { .ingredient($0) }
        order += document.tags.indices.map { .tag($0) }
        order.sort { Self.id(of: $0, in: document) < Self.id(of: $1, in: document) }
        recipes = Array(repeating: 0, count: document.recipeLimit)
        ingredients = Array(repeating: 0, count: document.ingredientLimit)
        tags = Array(repeating: 0, count: document.tags.count)
        for (place, object) in order.enumerated() {
            let key = UInt32(clamping: place + 1)
            switch object {
            case .recipe(let number): recipes[Int(number)] = key
            case .ingredient(let number): ingredients[Int(number)] = key
            case .tag(let number): tags[number] = key
            }
        }
    }

    func key(of object: ObjectNumber) -> Int64 {
        switch object {
        case .recipe(let number): Int64(recipes[Int(number)])
        case .ingredient(let number): Int64(ingredients[Int(number)])
        case .tag(let number): Int64(tags[number])
        }
    }

    private static func id(
        of object: ObjectNumber, in document: DemonstrationDocument
    ) -> DemonstrationIdentifier {
        switch object {
        case .recipe(let number): document.recipe(number).id
        case .ingredient(let number): document.ingredient(number).id
        case .tag(let number): document.tags[number].id
        }
    }
}

extension ArchivedValue {
    /// A boolean as 0 or 1, which is how a binary store contains it (core-data-binary-store(5), 2).
    fileprivate var asInteger: ArchivedValue {
        if case .boolean(let flag) = self { .integer(flag ? 1 : 0) } else { self }
    }
}

extension AttributeType {
    /// Converts the value of a sync change, in which a boolean is a number, to the value in a store.
    fileprivate func stored(_ value: ArchivedValue?) -> ArchivedValue {
        switch (self, value) {
        case (_, nil), (_, .null?), (_, ArchivedValue.none?): .null
        case (.boolean, .integer(let number)?): .boolean(number != 0)
        case (_, let value?): value
        }
    }
}
