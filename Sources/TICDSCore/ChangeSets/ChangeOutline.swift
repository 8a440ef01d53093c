import KeyedArchive

/// What a sync change has, without its values: enough to tell whether it has all that its type needs
/// (ticoredatasync.md, 3.3).
public struct ChangeOutline: Sendable, Hashable {
    public var type: ChangeType
    /// Name of the entity of the edited object.
    public var entity: String
    public var hasSyncID: Bool
    public var hasKey: Bool
    public var hasRelatedEntity: Bool
    /// Whether the changed attributes are a dictionary.
    public var hasAttributes: Bool
    public var hasRelatedSyncID: Bool
    public var primaryKey: Int64

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
