public import CoreDataStore
public import SystemCalls

/// Names the targets of relationships in exports: by sync ID if the store has any, otherwise by primary key.
public struct TargetNames: Sendable {
    /// The choices of the user.
    public enum Choice: String, Sendable, CaseIterable {
        /// Sync IDs if any object has one, otherwise primary keys.
        case auto
        /// Sync IDs; the primary key for an object without one.
        case syncIDs = "sync-ids"
        /// Primary keys.
        case primaryKeys = "primary-keys"
    }

    /// The name of one target.
    public enum Name: Sendable, Hashable {
        /// The sync ID of the target.
        case syncID(String)
        /// The primary key: by choice, or because the object has no sync ID.
        case primaryKey(Int64)

        /// The name as text. A primary key among sync IDs has a `#` before it.
        public func text(besideSyncIDs: Bool) -> String {
            switch self {
            case .syncID(let id): id
            case .primaryKey(let key): besideSyncIDs ? "#\(key)" : "\(key)"
            }
        }
    }

    nonisolated(unsafe) private let index: SyncIDIndex?
    /// Whether targets are named by sync IDs.
    public var areSyncIDs: Bool { index != nil }

    /// - Parameter exported: the entities whose relationships are named; nil for all.
    /// - Throws: `.unknownName` if sync IDs are required and no object has one.
    public init(
        _ choice: Choice, _ store: any PersistentStore, _ entities: ExportedEntities,
        of exported: ExportedEntities? = nil, attribute: String
    ) throws(FileProblem) {
        guard choice != .primaryKeys else {
            index = nil
            return
        }
        let destinations = (exported ?? entities).all.flatMap(\.relationships).compactMap(\.destination)
        let made = try SyncIDIndex(
            store, entities, roots: Set(destinations.map { entities.root(of: $0) }), attribute: attribute)
        if made.count == 0, choice == .syncIDs {
            throw FileProblem(
                .unknownName, path: store.path, "no object has a sync ID",
                expected: "an attribute \(attribute)",
                advice: "Name relationships by primary keys, or give the model of the store")
        }
        index = made.count == 0 ? nil : made
    }

    /// Whether the objects of a relationship can be named in the chosen way: not by sync IDs if the targets of the
    /// relationship are unknown.
    func canName(_ relationship: ExportedEntity.Relationship) -> Bool {
        index.map { $0.hasOneKeySequence || relationship.destination != nil } ?? true
    }

    /// The name of the object with the primary key `key`.
    public func name(
        _ key: Int64, _ relationship: ExportedEntity.Relationship
    ) throws(FileProblem) -> Name {
        try index?.id(key, of: relationship.destination).map { .syncID($0) } ?? .primaryKey(key)
    }
}
