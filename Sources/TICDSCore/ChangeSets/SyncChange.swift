public import KeyedArchive

/// One recorded edit of one object (ticds-remote-format(5), 3.1 and 3.3).
public struct SyncChange: Sendable, Hashable {
    /// What the change does.
    public var type: ChangeType
    /// Name of the entity of the edited object; empty where the change names none, which crashes the clients that
    /// receive it.
    public var entity: String
    /// The object's `ticdsSyncID`. A change without one may crash the clients that receive it.
    public var objectSyncID: String?
    /// Name of the property; nil for an insert and a delete.
    public var key: String?
    /// The relationship's destination entity, which need not be the related object's own.
    public var relatedEntity: String?
    /// An insert: a dictionary of all attributes that are not nil. An attribute change: the new value.
    public var changedAttributes: ArchivedValue
    /// Changes of relationships: the related object's sync ID, or nil where a to-one was cleared.
    public var changedRelationships: ArchivedValue
    /// By the writer's clock, in seconds since 2001-01-01 00:00:00 UTC.
    public var timestamp: Double?
    /// The change's own key in its file.
    public var primaryKey: Int64

    /// A change; what its type does not need is left out (ticds-remote-format(5), 3.3).
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
