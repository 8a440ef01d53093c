import CoreDataStore
import TICDSCore

/// The entities and properties of one version of an app's model, as far as a model or a store shows them.
struct ModelVocabulary {
    /// The amount of information about properties in the source.
    private enum Detail {
        /// A model, which shows all properties.
        case model
        /// The tables of a store, which show stored properties, in capitals.
        case tables
        /// Version hashes, which show no properties.
        case none
    }

    /// The kind of a property.
    enum Kind { case attribute, toOne, toMany }

    private let detail: Detail
    private let properties: [String: Set<String>]
    /// The model, which alone shows the kinds of properties.
    private var model: ManagedObjectModel?

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
        self.model = model
    }

    /// The vocabulary of a store; nil if the store does not show its entities.
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
            tables == nil ? .none : .tables, Dictionary(properties, uniquingKeysWith: { first, _ in first }))
    }

    func has(_ entity: String) -> Bool { properties[entity] != nil }

    /// The kind of a property; nil if the source does not show it, or lacks the property.
    func kind(of property: String, in entity: String) -> Kind? {
        for description in model?.ancestry(of: entity) ?? [] {
            if description.attributes.contains(where: { $0.name == property }) { return .attribute }
            if let found = description.relationships.first(where: { $0.name == property }) {
                return found.isToMany ? .toMany : .toOne
            }
        }
        return nil
    }

    /// Whether the entity has the property that a change of this type names; nil if the source does not show that.
    func has(_ property: String, of entity: String, in type: ChangeType) -> Bool? {
        guard let names = properties[entity] else { return nil }
        switch (detail, type) {
        case (.model, _): return names.contains(property)
        case (.none, _): return nil
        case (.tables, .attribute), (.tables, .toOne): return names.contains(property.uppercased())
        // An insert also has transient attributes, and a to-many relationship may have no column.
        case (.tables, _): return names.contains(property.uppercased()) ? true : nil
        }
    }
}

/// The entities and properties of several whole stores.
struct StoreVocabulary {
    private(set) var models: [ModelVocabulary]

    init(_ models: [ModelVocabulary] = []) { self.models = models }

    mutating func add(_ store: any PersistentStore) {
        if let model = ModelVocabulary(store) { models.append(model) }
    }

    /// The kind of a property; nil if no model shows it, or if models differ.
    func kind(of property: String, in entity: String) -> ModelVocabulary.Kind? {
        let kinds = Set(models.compactMap { $0.kind(of: property, in: entity) })
        return kinds.count == 1 ? kinds.first : nil
    }

    func lacks(_ entity: String) -> Bool { !models.isEmpty && models.allSatisfy { !$0.has(entity) } }

    /// Whether no store has the property, and each store with the entity would show it.
    func lacks(_ property: String, of entity: String, in type: ChangeType) -> Bool {
        has(property, of: entity, in: type) == false
    }

    /// Whether a store has the property that a change of this type names; nil if no store has it but some store would
    /// not show it.
    func has(_ property: String, of entity: String, in type: ChangeType) -> Bool? {
        let answers = models.filter { $0.has(entity) }.map { $0.has(property, of: entity, in: type) }
        if answers.contains(true) { return true }
        return answers.isEmpty || answers.contains(nil) ? nil : false
    }
}
