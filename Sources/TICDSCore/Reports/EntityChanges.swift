/// How much is written about each entity: changes by kind, and the bytes of their values.
public struct EntityChanges: Sendable, Hashable {
    /// What was counted of one entity.
    public struct Counts: Sendable, Hashable {
        /// By the name of the type: insert, attribute, toOne, addToMany, removeFromMany, delete, unknown.
        public var byType: [String: Int] = [:]
        /// Bytes of texts and data among the values.
        public var bytes = 0

        /// Changes of all types.
        public var changes: Int { byType.values.reduce(0, +) }
    }

    /// By name of the entity.
    public private(set) var entities: [String: Counts] = [:]

    /// Nothing counted yet.
    public init() {}

    /// Counts one more change.
    public mutating func add(_ change: SyncChange) {
        entities[change.entity, default: Counts()].byType[change.type.name, default: 0] += 1
        entities[change.entity]?.bytes += change.changedAttributes.payloadSize
    }

    /// Changes of all entities.
    public var total: Int { entities.values.reduce(0) { $0 + $1.changes } }

    /// The entities with the most changes first, then by name.
    public var largestFirst: [(entity: String, counts: Counts)] {
        entities.map { ($0.key, $0.value) }.sorted { one, other in
            let (first, second) = (one.1.changes, other.1.changes)
            return first == second ? one.0 < other.0 : first > second
        }
    }
}
