import CoreDataStore
import TICDSCore

/// The entities of one version of an application's model, and their properties, as far as a model or a store tells.
struct ModelVocabulary {
    /// How much the source tells of properties.
    private enum Detail {
        /// A model: all of them.
        case model
        /// The tables of a store: those that are stored, in capitals.
        case tables
        /// Version hashes: nothing.
        case none
    }

    private let detail: Detail
    private let properties: [String: Set<String>]

    private init(_ detail: Detail, _ properties: [String: Set<String>]) {
        self.detail = detail
        self.properties = properties
    }

    init(_ model: ManagedObjectModel) {
        var properties: [String: Set<String>] = [:]
        for entity in model.entities {
            let line = model.ancestry(of: entity.name)
            let names = line.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
            // A change may name a parent of the object's entity.
            for ancestor in line { properties[ancestor.name, default: []].formUnion(names) }
        }
        self.init(.model, properties)
    }

    /// Nil where the store does not even tell its entities.
    init?(_ store: any PersistentStore) {
        if let model = store.model {
            self.init(model)
            return
        }
        let tables = store as? SQLiteStore
        let names = tables?.entityNames ?? Array(store.metadata.versionHashes.keys)
        guard !names.isEmpty else { return nil }
        let properties = names.map { ($0, tables?.propertyNames(of: $0) ?? []) }
        self.init(
            tables == nil ? .none : .tables,
            Dictionary(properties, uniquingKeysWith: { first, _ in first }))
    }

    func has(_ entity: String) -> Bool { properties[entity] != nil }

    /// Whether the entity has the property that a change of this type names; nil where the source does not tell.
    func has(_ property: String, of entity: String, in type: ChangeType) -> Bool? {
        guard let names = properties[entity] else { return nil }
        switch (detail, type) {
        case (.model, _): return names.contains(property)
        case (.none, _): return nil
        case (.tables, .attribute), (.tables, .toOne): return names.contains(property.uppercased())
        // An insert brings transient attributes, too, and a to-many may have no place of its own.
        case (.tables, _): return names.contains(property.uppercased()) ? true : nil
        }
    }
}
