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
        let order = document.objects.keys.sorted()
        let keys = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, Int64($0 + 1)) })
        var inverse: [String: [Int64]] = [:]
        for (number, id) in order.enumerated() {
            for related in document.objects[id]?.related.values.flatMap({ $0 }) ?? [] {
                inverse[related, default: []].append(Int64(number + 1))
            }
        }
        return order.lazy.compactMap { [inverse] id in
            guard let object = document.objects[id], let key = keys[id] else { return nil }
            let attributes = DemonstrationModel.model.attributes(of: object.entity).map { attribute in
                StoredAttribute(
                    name: attribute.name, value: attribute.type.stored(object.attributes[attribute.name]))
            }
            let related = object.related.mapValues { $0.compactMap { keys[$0] } }
            return StoredObject(
                entity: object.entity, primaryKey: key, attributes: attributes,
                relationships: relationships(object.entity, related, inverse[id] ?? [], order, document))
        }
    }

    static func bytes(
        of document: DemonstrationDocument, kind: Kind, path: FilePath, _ random: inout SeededGenerator
    ) throws(FileProblem) -> [UInt8] {
        let uuid = random.uuid()
        switch kind {
        case .binary: return try binary(objects(of: document), uuid, path)
        case .sqlite: return try sqlite(objects(of: document), uuid)
        }
    }

    private static func sqlite(
        _ objects: some Sequence<StoredObject>, _ uuid: ArchivedUUID
    ) throws(FileProblem) -> [UInt8] {
        let folder = try TemporaryFolder()
        let file = folder.path.appending("Cookbook.sqlite")
        var writer = try SQLiteStoreWriter(creating: file, model: DemonstrationModel.model, uuid: uuid)
        for object in objects { try writer.insert(object) }
        try writer.finish()
        return try FileBytes.read(file, limit: .binaryStore).array
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
        _ entity: String, _ related: [String: [Int64]], _ inverse: [Int64], _ order: [String],
        _ document: DemonstrationDocument
    ) -> [StoredRelationship] {
        func owners(_ kind: String) -> [Int64] {
            inverse.filter { document.objects[order[Int($0) - 1]]?.entity == kind }
        }
        switch entity {
        case "Recipe":
            return [
                StoredRelationship(name: "ingredients", target: .toMany(owners("Ingredient"))),
                StoredRelationship(name: "tags", target: .toMany(owners("Tag"))),
            ]
        case "Ingredient":
            return [StoredRelationship(name: "recipe", target: .toOne(related["recipe"]?.first))]
        default: return [StoredRelationship(name: "recipes", target: .toMany(related["recipes"] ?? []))]
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
