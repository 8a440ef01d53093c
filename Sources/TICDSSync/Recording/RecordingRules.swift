import CoreDataStore
import KeyedArchive
import TICDSCore

/// What of a model the framework records (ticds-remote-format(5), 3.3).
struct RecordingRules {
    private let model: ManagedObjectModel
    private var relationships: [String: [String: RelationshipDescription]] = [:]
    private var defaults: [String: [String]] = [:]

    init(_ model: ManagedObjectModel) {
        self.model = model
        for entity in model.entities {
            let recorded = model.relationships(of: entity.name).filter { isRecorded($0) }
            relationships[entity.name] = Dictionary(recorded.map { ($0.name, $0) }) { first, _ in first }
            defaults[entity.name] = model.attributes(of: entity.name).filter {
                !$0.isTransient && $0.defaultValue?.isNil == false
            }.map(\.name)
        }
    }

    /// Whether objects of the entity have sync IDs.
    func isSynchronised(_ entity: String) -> Bool {
        model.attributes(of: entity).contains { $0.name == SyncID.attribute && !$0.isTransient }
    }

    /// The relationship, where its changes are recorded with objects of the entity.
    func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
        relationships[entity]?[name]
    }

    /// Attributes that a new object has a value in, unless it is told otherwise.
    func attributesWithDefault(of entity: String) -> [String] { defaults[entity] ?? [] }

    /// One side of every pair is recorded: the to-one side, or the one whose name sorts first without regard to case;
    /// both where the names are the same.
    private func isRecorded(_ relationship: RelationshipDescription) -> Bool {
        if relationship.isTransient { return false }
        guard let inverse = model.inverse(of: relationship)?.relationship else { return true }
        guard relationship.isToMany == inverse.isToMany else { return !relationship.isToMany }
        return !inverse.name.lowercased().unicodeScalars.lexicographicallyPrecedes(
            relationship.name.lowercased().unicodeScalars)
    }
}
