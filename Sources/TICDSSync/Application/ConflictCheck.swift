import KeyedArchive
public import SystemCalls
public import TICDSCore

/// Compares a set of another client with changes of one's own before it is applied (ticds-protocol(7), 5.3).
///
/// Unlike the framework it takes nil and NSNull for the same value, and asks nobody about them.
public struct ConflictCheck {
    /// What is left of the changes of one's own.
    public private(set) var local: LocalChanges
    private let resolve: (SyncConflict) throws(FileProblem) -> SyncResolution
    private let onNotice: (SyncNotice) -> Void

    /// - Parameter resolve: decides a conflict; it may be asked about one attribute several times.
    public init(
        _ local: LocalChanges, resolve: @escaping (SyncConflict) throws(FileProblem) -> SyncResolution,
        onNotice: @escaping (SyncNotice) -> Void
    ) {
        self.local = local
        self.resolve = resolve
        self.onNotice = onNotice
    }

    /// The changes of a set that are to be applied, in the order of the set. Objects are looked at in the order of
    /// their first change.
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

    /// Deletion beats edits, in both directions (5.3, a and b).
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

    /// Attributes against attributes (5.3, c), also those that the deletions dropped.
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
        var notice = SyncNotice(kind, change)
        notice.value = change.type == .attribute ? change.changedAttributes : change.changedRelationships
        notice.relatedEntity = change.relatedEntity
        onNotice(notice)
    }
}

extension ArchivedValue {
    /// Whether an app could not tell the two values apart: both forms of nil are one, and so are equal numbers.
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
