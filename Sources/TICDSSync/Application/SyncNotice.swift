public import KeyedArchive
import TICDSCore

/// A problem with a change that was applied: a warning of the framework (ticds-protocol(7), 5.5), or a change that the
/// framework silently ignores or that makes it crash.
public struct SyncNotice: Sendable, Hashable {
    /// The sort of problem.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The change sets an attribute of an object that does not exist: warning 1.
        case objectMissingForAttribute
        /// The change sets a relationship from or to an object that does not exist: warning 2.
        case objectMissingForRelationship
        /// The change deletes an object that does not exist: warning 3.
        case objectMissingForDeletion
        /// Another client deleted an object with a local change of an attribute: warning 4.
        case deletedRemotely
        /// Another client deleted an object with a local change of a relationship: warning 5, which the framework never
        /// gives.
        case relationshipDeletedRemotely
        /// Another client changed an attribute of an object that was deleted locally: warning 6.
        case deletedLocally
        /// Another client changed a relationship of an object that was deleted locally: warning 7, which the framework
        /// never gives. Warning 2 follows when the change is applied.
        case relationshipDeletedLocally
        /// The target of a to-one relationship does not exist; the relationship was cleared.
        case targetMissing
        /// The change has no sync ID.
        case withoutSyncID
        /// The attributes of an insertion lack the sync ID; the sync ID of the change was used.
        case insertedWithoutSyncID
        /// The document has no entity of that name.
        case unknownEntity
        /// The entity has no property of that name: warning 8, which only the iCloud variant gives.
        case unknownProperty
        /// The document cannot take this value, target or object; also warning 8.
        case refused
        /// A delete rule Deny kept the object.
        case deletionDenied
        /// The change has a type that the framework does not define.
        case unknownType
        /// A change that cannot be read.
        case unreadableChange
        /// A change set that cannot be read.
        case unreadableSet
    }

    /// The sort of problem.
    public var kind: Kind
    /// Name of the entity that the notice is about.
    public var entity: String?
    /// The destination of the relationship.
    public var relatedEntity: String?
    /// The object's sync ID.
    public var syncID: String?
    /// Name of the property.
    public var key: String?
    /// The value in the framework's warning: that of the attribute, or the sync ID of the related object.
    public var value: ArchivedValue
    /// The reason in words, if there is more to say.
    public var reason: String?

    /// A notice; leave out what does not apply.
    public init(
        _ kind: Kind, entity: String? = nil, relatedEntity: String? = nil, syncID: String? = nil,
        key: String? = nil, value: ArchivedValue = .none, reason: String? = nil
    ) {
        self.kind = kind
        self.entity = entity
        self.relatedEntity = relatedEntity
        self.syncID = syncID
        self.key = key
        self.value = value
        self.reason = reason
    }
}

extension SyncNotice.Kind {
    /// The number of the framework's warning; nil where the framework gives none.
    public var warningNumber: Int? {
        switch self {
        case .objectMissingForAttribute: 1
        case .objectMissingForRelationship: 2
        case .objectMissingForDeletion: 3
        case .deletedRemotely: 4
        case .relationshipDeletedRemotely: 5
        case .deletedLocally: 6
        case .relationshipDeletedLocally: 7
        case .unknownProperty, .refused: 8
        default: nil
        }
    }
}

extension SyncNotice {
    /// A notice about a change, with its entity, sync ID and property.
    init(_ kind: Kind, _ change: SyncChange, reason: String? = nil) {
        self.init(
            kind, entity: change.entity, syncID: change.objectSyncID, key: change.key, reason: reason)
    }
}
