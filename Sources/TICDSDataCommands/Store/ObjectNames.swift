import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import TICDSCore

/// Names objects in JSON by their sync IDs. Two states of a document can give one object different primary keys.
struct ObjectNames {
    private let targets: TargetNames
    private let relationships: [String: [String: ExportedEntity.Relationship]]

    /// Names for the objects of a store; nil if primary keys name them.
    init?(_ choice: TargetNames.Choice, _ store: any PersistentStore) throws(FileProblem) {
        if choice == .primaryKeys { return nil }
        let entities = try ExportedEntities(store)
        targets = try TargetNames(choice, store, entities, attribute: StoreChecker.syncIDAttribute)
        guard targets.areSyncIDs else { return nil }
        relationships = Dictionary(
            entities.all.map { entity in
                (entity.name, Dictionary(entity.relationships.map { ($0.name, $0) }) { first, _ in first })
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The names of the targets of a relationship: in its order if it is ordered, otherwise sorted.
    func names(
        of keys: [Int64], by relationship: String, of entity: String
    ) throws(FileProblem) -> [TargetNames.Name] {
        guard let relationship = relationships[entity]?[relationship] else {
            return keys.map { .primaryKey($0) }
        }
        let names = try keys.map { (key) throws(FileProblem) in try targets.name(key, relationship) }
        if relationship.isOrdered { return names }
        return names.map { ($0, $0.text(besideSyncIDs: true)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}

extension StoredObject {
    /// The sync ID; nil if the object has none.
    var syncID: String? {
        for attribute in attributes where attribute.isSyncID {
            if case .string(let text) = attribute.value, !text.isEmpty { return text }
        }
        return nil
    }
}

extension StoredAttribute {
    /// Whether the attribute identifies objects; without a model names are in capitals.
    var isSyncID: Bool { name == SyncID.attribute || name == SyncID.attribute.uppercased() }
}
