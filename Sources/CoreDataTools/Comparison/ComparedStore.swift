import CoreDataStore
import KeyedArchive
import SystemCalls

/// An object in the form for comparison.
struct ComparedObject: Hashable {
    struct Property: Hashable {
        var name: String
        var json: String
    }

    var entity: String
    var key: String
    var primaryKey: Int64
    /// The properties with a value, in the order of the entity.
    var properties: [Property]
}

/// One of the two stores of a comparison.
struct ComparedStore {
    let store: any PersistentStore
    let entities: ExportedEntities
    let key: StoreComparison.Key
    let targets: TargetNames
    let json: (ArchivedValue) -> String

    /// Calls `body` with every object, and with nil for an object without an identifier.
    func forEachObject(_ body: (ComparedObject?) throws(FileProblem) -> Void) throws(FileProblem) {
        // The caller reports tables that are missing.
        let tables = store as? SQLiteStore
        for entity in entities.all where tables?.hasTable(ofEntity: entity.name) != false {
            try store.forEachObject(
                entity: entity.name, onDamage: { problem throws(FileProblem) in throw problem },
                { (object) throws(FileProblem) in try body(try compared(object, entity)) })
        }
    }

    /// The relationships that are not compared, since their targets are unknown.
    var blind: [String] {
        entities.all.flatMap { entity in
            entity.relationships.filter { !targets.canName($0) }.map { "\(entity.name).\($0.name)" }
        }
    }

    private func compared(
        _ object: StoredObject, _ entity: ExportedEntity
    ) throws(FileProblem) -> ComparedObject? {
        var found: String?
        var properties: [ComparedObject.Property] = []
        for attribute in object.attributes {
            if case .attribute(let name) = key, SyncIDIndex.isNamed(attribute.name, name, store) {
                found = attribute.value.stringValue
            } else if !attribute.value.isNil {
                properties.append(ComparedObject.Property(name: attribute.name, json: json(attribute.value)))
            }
        }
        for relationship in entity.relationships where targets.canName(relationship) {
            var names: [String] = []
            for key in object.target(relationship.name).keys {
                names.append(try targets.name(key, relationship).text(besideSyncIDs: targets.areSyncIDs))
            }
            guard !names.isEmpty else { continue }
            if !relationship.isOrdered { names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
            let values = names.map { ArchivedValue.string($0) }
            properties.append(
                ComparedObject.Property(
                    name: relationship.name, json: json(relationship.isToMany ? .array(values) : values[0])))
        }
        if key == .primaryKey { found = "\(object.primaryKey)" }
        guard let found, !found.isEmpty else { return nil }
        return ComparedObject(
            entity: object.entity, key: found, primaryKey: object.primaryKey, properties: properties)
    }
}
