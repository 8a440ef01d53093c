public import KeyedArchive
public import SystemCalls
public import TICDSCore

/// Compares a change set of another client with the local changes before it is applied (ticds-protocol(7), 2.3).
///
/// nil and NSNull do not conflict here, unlike in the framework.
public struct ConflictCheck {
    /// The local changes that no conflict has dropped.
    public private(set) var local: LocalChanges
    private let resolve: (SyncConflict) throws(FileProblem) -> SyncResolution
    private let onNotice: (SyncNotice) -> Void

    /// - Parameters:
    ///   - resolve: decides a conflict; called several times for an attribute that several changes set.
    ///   - onNotice: gets the warnings of the framework (ticds-protocol(7), 2.5).
    public init(
        _ local: LocalChanges, resolve: @escaping (SyncConflict) throws(FileProblem) -> SyncResolution,
        onNotice: @escaping (SyncNotice) -> Void
    ) {
        self.local = local
        self.resolve = resolve
        self.onNotice = onNotice
    }

    /// The changes of a set that are applied, in the order of the set. Objects are compared in the order of their first
    /// change.
    public mutating func admit(_ set: [SyncChange]) throws(FileProblem) -> [SyncChange] {
        var objects: [String] = []
        var positions: [String: [Int]] = [:]
        for (position, change) in set.enumerated() {
            guard let syncID = change.objectSyncID else { continue }
            if positions[syncID] == nil { objects.append(syncID) }
            positions[syncID, default: []].append(position)
        }
        var dropped: Set<Int> = []
        for syncID in objects {
            let mine = local.changes(of: syncID)
            if mine.isEmpty { continue }
            let theirs = (positions[syncID] ?? []).map { (position: $0, change: set[$0]) }
            checkDeletions(theirs, mine, &dropped)
            try checkAttributes(theirs, mine, &dropped)
        }
        return set.indices.filter { !dropped.contains($0) }.map { set[$0] }
    }

    private typealias Placed = (position: Int, change: SyncChange)

    /// A deletion takes precedence over edits, on either side (5.3, a and b).
    private mutating func checkDeletions(_ theirs: [Placed], _ mine: [Placed], _ dropped: inout Set<Int>) {
        if theirs.contains(where: { $0.change.type == .delete }) {
            for (position, change) in mine {
                switch change.type {
                case .attribute: warn(.deletedRemotely, change)
                case .toOne, .addToMany, .removeFromMany: warn(.relationshipDeletedRemotely, change)
                case .insert, .delete, .unknown: break
                }
                local.remove(at: position)
            }
        }
        guard mine.contains(where: { $0.change.type == .delete }) else { return }
        for (position, change) in theirs {
            switch change.type {
            case .attribute:
                warn(.deletedLocally, change)
                dropped.insert(position)
            case .toOne, .addToMany, .removeFromMany: warn(.relationshipDeletedLocally, change)
            case .insert, .delete, .unknown: break
            }
        }
    }

    /// Compares attributes with attributes (5.3, c), including those that the deletions dropped.
    private mutating func checkAttributes(
        _ theirs: [Placed], _ mine: [Placed], _ dropped: inout Set<Int>
    ) throws(FileProblem) {
        for (remotePosition, remote) in theirs where remote.type == .attribute {
            for (position, own) in mine where own.type == .attribute && own.key == remote.key {
                if own.changedAttributes.isSameValue(as: remote.changedAttributes) {
                    local.remove(at: position)
                    continue
                }
                let conflict = SyncConflict(
                    entity: remote.entity, syncID: remote.objectSyncID ?? "", key: remote.key ?? "",
                    local: own.changedAttributes, remote: remote.changedAttributes,
                    localTime: own.timestamp, remoteTime: remote.timestamp)
                switch try resolve(conflict) {
                case .remote: local.remove(at: position)
                case .local: dropped.insert(remotePosition)
                case .undecided: break
                }
            }
        }
    }

    private func warn(_ kind: SyncNotice.Kind, _ change: SyncChange) {
        let value = change.type == .attribute ? change.changedAttributes : change.changedRelationships
        onNotice(SyncNotice(kind, change, relatedEntity: change.relatedEntity, value: value))
    }
}

extension ArchivedValue {
    /// Whether an app sees the same value: nil equals NSNull, and numbers of different types are equal by value.
    func isSameValue(as other: ArchivedValue) -> Bool {
        if isNil || other.isNil { return isNil && other.isNil }
        switch (self, other) {
        case (.real(let one), .real(let two)): return one == two
        case (.real(let one), .integer(let two)), (.integer(let two), .real(let one)):
            return Int128(exactly: one) == two
        case (.boolean(let one), .integer(let two)), (.integer(let two), .boolean(let one)):
            return two == (one ? 1 : 0)
        default: return self == other
        }
    }
}

/// The unsent local changes. The conflict check removes the changes that lose a conflict.
public struct LocalChanges: Sendable {
    private var changes: [SyncChange?]
    /// Positions by sync ID, in order of type.
    private let positions: [String: [Int]]

    /// - Parameter changes: the changes in the order in which they were made.
    public init(_ changes: [SyncChange]) {
        self.changes = changes
        var positions: [String: [Int]] = [:]
        for (position, change) in changes.enumerated() {
            if let syncID = change.objectSyncID { positions[syncID, default: []].append(position) }
        }
        for syncID in positions.keys {
            positions[syncID]?.sort { (changes[$0].type.number, $0) < (changes[$1].type.number, $1) }
        }
        self.positions = positions
    }

    /// The changes that remain to be sent, in the order in which they were made.
    public var remaining: [SyncChange] { changes.compactMap { $0 } }

    var isEmpty: Bool { !changes.contains { $0 != nil } }

    /// The remaining changes of an object, with their positions, in order of type.
    func changes(of syncID: String) -> [(position: Int, change: SyncChange)] {
        (positions[syncID] ?? []).compactMap { position in changes[position].map { (position, $0) } }
    }

    /// The part of a change that is applied again before these local changes, which were made after it; nil if nothing is
    /// left. Relationships are applied as a whole, since they also change the objects at their other end; the local
    /// changes, which are applied again afterwards, change them back.
    func remainder(of change: SyncChange) -> SyncChange? {
        guard let syncID = change.objectSyncID else { return change }
        let mine = changes(of: syncID).map(\.change)
        if mine.isEmpty { return change }
        let isDeleted = mine.contains { $0.type == .delete }
        switch change.type {
        case .insert:
            if isDeleted { return nil }
            var remainder = change
            let keys = Set(mine.filter { $0.type == .attribute }.compactMap(\.key))
            let pairs = change.changedAttributes.pairs ?? []
            remainder.changedAttributes = .dictionary(
                pairs.filter { !keys.contains($0.key.stringValue ?? "") })
            return remainder
        case .attribute:
            return isDeleted || mine.contains { $0.type == .attribute && $0.key == change.key } ? nil : change
        case .toOne, .addToMany, .removeFromMany: return change
        case .delete: return isDeleted || mine.contains { $0.type == .insert } ? nil : change
        case .unknown: return nil
        }
    }

    mutating func remove(at position: Int) { changes[position] = nil }
}

/// An attribute that this client and another client set to different values (ticds-protocol(7), 2.4).
public struct SyncConflict: Sendable, Hashable {
    /// Name of the object's entity.
    public var entity: String
    /// The object's sync ID.
    public var syncID: String
    /// Name of the attribute.
    public var key: String
    /// The local value.
    public var local: ArchivedValue
    /// The value of the other client.
    public var remote: ArchivedValue
    /// The time at which this client set its value, by its clock, in seconds since 2001-01-01 00:00:00 UTC.
    public var localTime: Double?
    /// The time at which the other client set its value, by its own clock; nil if the change has no time.
    public var remoteTime: Double?
}

/// The decision about a conflict.
public enum SyncResolution: Sendable, Hashable {
    /// The change of the other client wins, or the local change.
    case remote, local
    /// Neither change is dropped: the remote change is applied locally, and the local change is sent.
    case undecided
}

/// A warning of the framework (ticds-protocol(7), 2.5), or a change that makes the framework crash or that it silently
/// ignores.
public struct SyncNotice: Sendable, Hashable {
    /// The kind of problem.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The change sets an attribute of an object that does not exist: warning 1.
        case objectMissingForAttribute
        /// The change sets a relationship from or to an object that does not exist: warning 2.
        case objectMissingForRelationship
        /// The change deletes an object that does not exist: warning 3.
        case objectMissingForDeletion
        /// Another client deleted an object with a local change of an attribute: warning 4.
        case deletedRemotely
        /// Another client deleted an object with a changed relationship: warning 5, which the framework never gives.
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
        /// The document has no entity of this name.
        case unknownEntity
        /// The entity has no property of this name: warning 8, which only the iCloud variant gives.
        case unknownProperty
        /// The document cannot accept this value, target or object; also warning 8.
        case refused
        /// The delete rule Deny would keep the object here; it was deleted nevertheless, as on the client that made the
        /// deletion.
        case deletionDenied
        /// The object was deleted because its owner was deleted, by the delete rule Cascade (ticds-protocol(7), 2.8).
        case removedWithOwner
        /// The change has a type that the framework does not define.
        case unknownType
        /// A change that cannot be read.
        case unreadableChange
        /// A change set that cannot be read.
        case unreadableSet

        /// The number of the framework's warning; nil if the framework gives none.
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

    /// The kind of problem.
    public var kind: Kind
    /// Name of the entity of the notice.
    public var entity: String?
    /// The destination of the relationship.
    public var relatedEntity: String?
    /// The object's sync ID.
    public var syncID: String?
    /// Name of the property.
    public var key: String?
    /// The value in the framework's warning: the value of the attribute, or the sync ID of the related object.
    public var value: ArchivedValue = .none
    /// The reason in words, if there is more to say.
    public var reason: String?
    /// The set that caused it, if it is not the set that is being applied.
    public var source: SyncSource?
}

extension SyncNotice {
    /// A notice about a change, with its entity, sync ID and property.
    init(
        _ kind: Kind, _ change: SyncChange, relatedEntity: String? = nil, value: ArchivedValue = .none,
        reason: String? = nil
    ) {
        self.init(
            kind: kind, entity: change.entity, relatedEntity: relatedEntity, syncID: change.objectSyncID,
            key: change.key, value: value, reason: reason)
    }
}
