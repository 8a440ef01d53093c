/// How the version hashes of a model compare with those a store was last saved with.
public struct VersionHashComparison: Sendable, Hashable {
    /// How the two sides stand about one entity.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Both have the entity, and the hashes are equal, or not.
        case same, differs
        /// The store has the entity, the model does not.
        case missingInModel
        /// The model has the entity, the store does not.
        case missingInStore
        /// Both have the entity, but the model's hash cannot be computed (derived attributes).
        case notComputable
    }

    /// An entity, and what the comparison says of it.
    public struct Entry: Sendable, Hashable {
        /// Name of the entity.
        public var entity: String
        /// What came out.
        public var outcome: Outcome
    }

    /// One entry for each entity of either side, sorted by name in code-point order.
    public let entries: [Entry]

    /// Compares `model` with the hashes from a store's metadata.
    public init(model: ManagedObjectModel, storeHashes: [String: [UInt8]]) {
        let names = Set(model.entities.map(\.name)).union(storeHashes.keys)
        entries = names.sorted { $0.precedesInCodePoints($1) }.map { name in
            Entry(entity: name, outcome: Self.outcome(name, model, storeHashes[name]))
        }
    }

    /// Whether the store was saved with this model: nothing differs and nothing is missing on either side.
    /// Entities whose hash cannot be computed get the benefit of the doubt.
    public var fits: Bool {
        entries.allSatisfy { $0.outcome == .same || $0.outcome == .notComputable }
    }

    /// The entities with this outcome.
    public func entities(_ outcome: Outcome) -> [String] {
        entries.filter { $0.outcome == outcome }.map(\.entity)
    }

    private static func outcome(
        _ name: String, _ model: ManagedObjectModel, _ stored: [UInt8]?
    ) -> Outcome {
        guard let stored else { return .missingInStore }
        guard model[name] != nil else { return .missingInModel }
        guard let computed = model.versionHash(of: name) else { return .notComputable }
        return computed == stored ? .same : .differs
    }
}
