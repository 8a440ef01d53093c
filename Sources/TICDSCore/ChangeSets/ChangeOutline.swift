import KeyedArchive

/// What a sync change has, without its values: enough to tell whether it has all that its type needs
/// (ticds-remote-format(5), 3.3).
public struct ChangeOutline: Sendable, Hashable {
    /// What the change does.
    public var type: ChangeType
    /// Name of the entity of the edited object; empty where the change names none.
    public var entity: String
    /// Whether it says which object it is about.
    public var hasSyncID: Bool
    /// Whether it names a property.
    public var hasKey: Bool
    /// Whether it names the entity of a related object.
    public var hasRelatedEntity: Bool
    /// Whether the changed attributes are a dictionary.
    public var hasAttributes: Bool
    /// Whether it says which object is related.
    public var hasRelatedSyncID: Bool
    /// Key of the change in its store.
    public var primaryKey: Int64

    /// An outline of these parts.
    public init(
        type: ChangeType, entity: String, hasSyncID: Bool, hasKey: Bool, hasRelatedEntity: Bool,
        hasAttributes: Bool, hasRelatedSyncID: Bool, primaryKey: Int64
    ) {
        self.type = type
        self.entity = entity
        self.hasSyncID = hasSyncID
        self.hasKey = hasKey
        self.hasRelatedEntity = hasRelatedEntity
        self.hasAttributes = hasAttributes
        self.hasRelatedSyncID = hasRelatedSyncID
        self.primaryKey = primaryKey
    }

    init(_ change: SyncChange) {
        self.init(
            type: change.type, entity: change.entity, hasSyncID: change.objectSyncID != nil,
            hasKey: change.key != nil, hasRelatedEntity: change.relatedEntity != nil,
            hasAttributes: change.changedAttributes.pairs != nil,
            hasRelatedSyncID: change.relatedSyncID != nil, primaryKey: change.primaryKey)
    }
}
