public import KeyedArchive
import TICDSCore

/// Something that came up while changes were applied: a warning of the framework's (ticds-protocol(7), 5.5), or what
/// the framework passes over in silence or crashes at.
public struct SyncNotice: Sendable, Hashable {
    /// What came up.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An attribute was changed of an object that is not there: warning 1.
        case objectMissingForAttribute
        /// A relationship was changed of an object that is not there, or to one: warning 2.
        case objectMissingForRelationship
        /// An object was deleted that is not there: warning 3.
        case objectMissingForDeletion
        /// Attributes that were changed here belong to an object that was deleted elsewhere: warning 4.
        case deletedRemotely
        /// A relationship that was changed here belongs to an object that was deleted elsewhere: warning 5, which the
        /// framework never gives.
        case relationshipDeletedRemotely
        /// Attributes that were changed elsewhere belong to an object that was deleted here: warning 6.
        case deletedLocally
        /// A relationship that was changed elsewhere belongs to an object that was deleted here: warning 7, which the
        /// framework never gives. Warning 2 follows when it is applied.
        case relationshipDeletedLocally
        /// The target of a to-one relationship is not there, so that the relationship was cleared.
        case targetMissing
        /// A change does not say which object it is about.
        case withoutSyncID
        /// The attributes of an insertion lack the sync ID; that of the change was taken.
        case insertedWithoutSyncID
        /// The document has no entity of that name.
        case unknownEntity
        /// Warning 8, which only the iCloud variant gives.
        case unknownProperty
        /// The document cannot have this value, target or object: warning 8, too.
        case refused
        /// A delete rule Deny kept the object.
        case deletionDenied
        /// A type of change that nobody knows.
        case unknownType
        /// A change that cannot be read.
        case unreadableChange
        /// A change set that cannot be read.
        case unreadableSet
    }

    /// What came up.
    public var kind: Kind
    /// Name of the entity that the notice is about.
    public var entity: String?
    /// The destination of the relationship.
    public var relatedEntity: String?
    /// The object's sync ID.
    public var syncID: String?
    /// Name of the property.
    public var key: String?
    /// What the framework's warning holds: the value of the attribute, or the sync ID of the related object.
    public var value: ArchivedValue
    /// More, in words.
    public var reason: String?

    /// A notice; what does not apply is left out.
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
    /// A notice about what a change asks for.
    init(_ kind: Kind, _ change: SyncChange, reason: String? = nil) {
        self.init(
            kind, entity: change.entity, syncID: change.objectSyncID, key: change.key, reason: reason)
    }
}
