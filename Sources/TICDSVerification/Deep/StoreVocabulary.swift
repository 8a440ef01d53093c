import CoreDataStore
import TICDSCore

/// What the models of several whole stores know together.
struct StoreVocabulary {
    private(set) var models: [ModelVocabulary]

    init(_ models: [ModelVocabulary] = []) { self.models = models }

    mutating func add(_ store: any PersistentStore) {
        if let model = ModelVocabulary(store) { models.append(model) }
    }

    /// True where no store has the entity.
    func lacks(_ entity: String) -> Bool { !models.isEmpty && models.allSatisfy { !$0.has(entity) } }

    /// True where no store with the entity has the property, and each of them would tell.
    func lacks(_ property: String, of entity: String, in type: ChangeType) -> Bool {
        has(property, of: entity, in: type) == false
    }

    /// Whether a store has the property that a change of this type names; nil where none does, and not each would tell.
    func has(_ property: String, of entity: String, in type: ChangeType) -> Bool? {
        let answers = models.filter { $0.has(entity) }.map { $0.has(property, of: entity, in: type) }
        if answers.contains(true) { return true }
        return answers.isEmpty || answers.contains(nil) ? nil : false
    }
}
