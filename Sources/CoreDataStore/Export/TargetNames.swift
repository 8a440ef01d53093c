public import SystemCalls

/// How exports name the objects that relationships lead to: by sync ID where there are any, else by primary key.
public struct TargetNames: Sendable {
    /// What to name them by.
    public enum Choice: String, Sendable, CaseIterable {
        /// Sync IDs where any object has one, else primary keys.
        case auto
        /// Always sync IDs; objects without one by primary key.
        case syncIDs = "sync-ids"
        /// Always primary keys.
        case primaryKeys = "primary-keys"
    }

    /// One target.
    public enum Name: Sendable, Hashable {
        /// The sync ID of the target.
        case syncID(String)
        /// The primary key, where keys are wanted or the object has no sync ID.
        case primaryKey(Int64)

        /// As text: the sync ID, or the key; beside sync IDs `#` and the key.
        public func text(besideSyncIDs: Bool) -> String {
            switch self {
            case .syncID(let id): id
            case .primaryKey(let key): besideSyncIDs ? "#\(key)" : "\(key)"
            }
        }
    }

    nonisolated(unsafe) private let index: SyncIDIndex?
    /// Whether targets stand as sync IDs.
    public var areSyncIDs: Bool { index != nil }

    /// - Throws: `.unknownName` where sync IDs are wanted and no object has one.
    public init(
        _ choice: Choice, _ store: any PersistentStore, _ entities: ExportedEntities, attribute: String
    ) throws(FileProblem) {
        guard choice != .primaryKeys else {
            index = nil
            return
        }
        let made = try SyncIDIndex(store, entities, attribute: attribute)
        if made.count == 0, choice == .syncIDs {
            throw FileProblem(
                .unknownName, path: store.path, "no object has a sync ID",
                expected: "an attribute \(attribute)",
                advice: "Name relationships by primary keys, or give the model of the store")
        }
        index = made.count == 0 ? nil : made
    }

    /// The name of the object with this key.
    public func name(
        _ key: Int64, _ relationship: ExportedEntity.Relationship
    ) throws(FileProblem) -> Name {
        try index?.id(key, of: relationship.destination).map { .syncID($0) } ?? .primaryKey(key)
    }
}
