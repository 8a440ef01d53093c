public import KeyedArchive

/// One recorded edit of one object (ticds-remote-format(5), 3.1 and 3.3).
public struct SyncChange: Sendable, Hashable {
    /// The type of the change.
    public var type: ChangeType
    /// Name of the entity of the edited object; empty if the change has none, which crashes the clients that receive
    /// it.
    public var entity: String
    /// The object's `ticdsSyncID`. A change without one may crash the clients that receive it.
    public var objectSyncID: String?
    /// Name of the property; nil for an insert and a delete.
    public var key: String?
    /// The relationship's destination entity, which need not be the related object's own.
    public var relatedEntity: String?
    /// For an insert, a dictionary of all attributes that are not nil; for an attribute change, the new value.
    public var changedAttributes: ArchivedValue
    /// For changes of relationships, the related object's sync ID, or nil if a to-one was cleared.
    public var changedRelationships: ArchivedValue
    /// The time by the writer's clock, in seconds since 2001-01-01 00:00:00 UTC.
    public var timestamp: Double?
    /// The change's own key in its file.
    public var primaryKey: Int64

    /// A change; omit what its type does not need (ticds-remote-format(5), 3.3).
    public init(
        type: ChangeType, entity: String, objectSyncID: String?, key: String? = nil,
        relatedEntity: String? = nil,
        changedAttributes: ArchivedValue = .none, changedRelationships: ArchivedValue = .none,
        timestamp: Double?,
        primaryKey: Int64 = 0
    ) {
        self.type = type
        self.entity = entity
        self.objectSyncID = objectSyncID
        self.key = key
        self.relatedEntity = relatedEntity
        self.changedAttributes = changedAttributes
        self.changedRelationships = changedRelationships
        self.timestamp = timestamp
        self.primaryKey = primaryKey
    }

    /// The sync ID of the related object, for changes of relationships.
    public var relatedSyncID: String? { changedRelationships.stringValue }
}

/// The effect of a sync change on its object (ticds-remote-format(5), 3.2).
public enum ChangeType: Hashable, Sendable {
    /// The six types that the framework applies; stored as 1 to 5, and 10 for a deletion.
    case insert, attribute, toOne, addToMany, removeFromMany, delete
    /// A number that the framework does not define.
    case unknown(Int)

    /// The type that the framework stores as `number`.
    public init(number: Int) {
        switch number {
        case 1: self = .insert
        case 2: self = .attribute
        case 3: self = .toOne
        case 4: self = .addToMany
        case 5: self = .removeFromMany
        case 10: self = .delete
        default: self = .unknown(number)
        }
    }

    /// The number that the framework stores. It also determines the order of application within a set.
    public var number: Int {
        switch self {
        case .insert: 1
        case .attribute: 2
        case .toOne: 3
        case .addToMany: 4
        case .removeFromMany: 5
        case .delete: 10
        case .unknown(let number): number
        }
    }

    /// The name in text and JSON.
    public var name: String {
        switch self {
        case .insert: "insert"
        case .attribute: "attribute"
        case .toOne: "toOne"
        case .addToMany: "addToMany"
        case .removeFromMany: "removeFromMany"
        case .delete: "delete"
        case .unknown: "unknown"
        }
    }
}

/// The attribute that identifies an object on all clients (ticds-remote-format(5), 3.3).
public enum SyncID {
    /// Name of the attribute.
    public static let attribute = "ticdsSyncID"
}

extension SyncChange {
    /// A different sync ID that the change gives to its object, so that clients no longer agree on the sync ID. Nil for
    /// all changes of the framework: if an object gets a sync ID late, it records that under the same sync ID
    /// (ticds-protocol(7), 1.6).
    public var givenSyncID: ArchivedValue? {
        let given: ArchivedValue
        switch type {
        case .insert:
            let pairs = changedAttributes.pairs ?? []
            guard let pair = pairs.last(where: { $0.key == .string(SyncID.attribute) }) else { return nil }
            given = pair.value
        case .attribute:
            guard key == SyncID.attribute else { return nil }
            given = changedAttributes
        default: return nil
        }
        guard let objectSyncID, given != .string(objectSyncID) else { return nil }
        return given
    }

    /// The fault of a change of the sync ID, in words.
    public var syncIDFault: String? {
        givenSyncID.map { value in
            let given = value.isNil ? "none" : value.stringValue.map { "“\($0.prefix(200))”" } ?? "no text"
            return "the sync ID \(given) for the object “\((objectSyncID ?? "").prefix(200))”"
        }
    }
}

/// The parts that a sync change has, without its values. They show whether it has all that its type needs
/// (ticds-remote-format(5), 3.3).
public struct ChangeOutline: Sendable, Hashable {
    /// The type of the change.
    public var type: ChangeType
    /// Name of the entity of the edited object; empty if the change has none.
    public var entity: String
    /// Whether the change has a sync ID.
    public var hasSyncID: Bool
    /// Whether the change has the name of a property.
    public var hasKey: Bool
    /// Whether the change has the name of a related entity.
    public var hasRelatedEntity: Bool
    /// Whether the changed attributes are a dictionary.
    public var hasAttributes: Bool
    /// Whether the change has the sync ID of a related object.
    public var hasRelatedSyncID: Bool
    /// Key of the change in its store.
    public var primaryKey: Int64
}

extension ChangeOutline {
    init(_ change: SyncChange) {
        self.init(
            type: change.type, entity: change.entity, hasSyncID: change.objectSyncID != nil,
            hasKey: change.key != nil, hasRelatedEntity: change.relatedEntity != nil,
            hasAttributes: change.changedAttributes.pairs != nil,
            hasRelatedSyncID: change.relatedSyncID != nil, primaryKey: change.primaryKey)
    }
}
