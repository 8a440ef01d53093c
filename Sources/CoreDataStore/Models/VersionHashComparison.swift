import SystemCalls

/// Compares the version hashes of a model with those of a store.
public struct VersionHashComparison: Sendable, Hashable {
    /// The result for one entity.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Both have the entity, with equal or different hashes.
        case same, differs
        /// Only the store has the entity.
        case missingInModel
        /// Only the model has the entity.
        case missingInStore
        /// Both have the entity, but its hash cannot be computed (derived attributes).
        case notComputable

        /// The result in words for people.
        var text: String {
            switch self {
            case .same: "same hash"
            case .differs: "differs"
            case .missingInModel: "only in the store"
            case .missingInStore: "only in the model"
            case .notComputable: "hash not computable"
            }
        }
    }

    /// An entity with its result.
    public struct Entry: Sendable, Hashable {
        /// The name of the entity.
        public var entity: String
        /// The result.
        public var outcome: Outcome
    }

    /// The results of all entities, sorted by name in code-point order.
    public let entries: [Entry]

    /// Compares `model` with the hashes in the metadata of a store.
    public init(model: ManagedObjectModel, storeHashes: [String: [UInt8]]) {
        let names = Set(model.entities.map(\.name)).union(storeHashes.keys)
        entries = names.sorted { $0.precedesInCodePoints($1) }.map { name in
            Entry(entity: name, outcome: Self.outcome(name, model, storeHashes[name]))
        }
    }

    /// Whether the model matches the store: all hashes are equal and no entity is missing.
    public var fits: Bool { entries.allSatisfy { $0.outcome == .same } }

    /// Whether the model may match the store: all hashes that can be computed are equal, and no entity is missing.
    public var mayFit: Bool { entries.allSatisfy { $0.outcome == .same || $0.outcome == .notComputable } }

    /// The number of entities whose hash cannot be computed.
    public var unknownCount: Int { entries.count { $0.outcome == .notComputable } }

    /// The number of hashes that cannot be computed, with the first entity and the reason.
    func unknown(in model: ManagedObjectModel) -> String {
        let number = "\(unknownCount) of \(entries.count) version hashes cannot be computed"
        guard let first = entries.first(where: { $0.outcome == .notComputable }),
            let reason = model.versionHashObstacle(of: first.entity)
        else { return number }
        return "\(number) (\(first.entity): \(reason))"
    }

    /// The entities that do not match, the first five by name.
    var differences: String {
        let others = entries.filter { $0.outcome != .same && $0.outcome != .notComputable }
        return others.map { "\($0.entity) (\($0.outcome.text))" }.listed()
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
