import CoreDataStore

/// The entities of the whole stores of a document, and their properties where a store carries its model.
struct StoreVocabulary {
    private var stores: [Store] = []

    private struct Store {
        var entities: Set<String>
        var model: ManagedObjectModel?
        /// The entities' own properties: every change asks for some.
        var properties: [String: Set<String>]
    }

    mutating func add(_ store: any PersistentStore) {
        var entities = Set(store.metadata.versionHashes.keys)
        if let store = store as? SQLiteStore { entities.formUnion(store.entityNames) }
        guard !entities.isEmpty else { return }
        let own = (store.model?.entities ?? []).map { entity in
            (entity.name, Set(entity.attributes.map(\.name) + entity.relationships.map(\.name)))
        }
        stores.append(
            Store(
                entities: entities, model: store.model,
                properties: Dictionary(own, uniquingKeysWith: { first, _ in first })))
    }

    /// True where no store has the entity.
    func lacks(_ entity: String) -> Bool {
        !stores.isEmpty && stores.allSatisfy { !$0.entities.contains(entity) }
    }

    /// True where every store with the entity carries its model and has no such property.
    func lacks(_ property: String, of entity: String) -> Bool {
        let having = stores.filter { $0.entities.contains(entity) }
        return !having.isEmpty
            && having.allSatisfy { store in
                guard let model = store.model, model[entity] != nil else { return false }
                return !model.ancestry(of: entity).contains { ancestor in
                    store.properties[ancestor.name]?.contains(property) ?? false
                }
            }
    }
}
