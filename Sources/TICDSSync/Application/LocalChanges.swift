public import KeyedArchive
public import TICDSCore

/// Changes of one's own that are not sent yet, as the conflict check looks at them and thins them out.
public struct LocalChanges: Sendable {
    private var changes: [SyncChange?]
    /// Positions by sync ID, in order of type.
    private let positions: [String: [Int]]

    /// Changes in the order in which they were made.
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

    /// What is left to send, in the order in which it was made.
    public var remaining: [SyncChange] { changes.compactMap { $0 } }

    /// Whether none is left.
    var isEmpty: Bool { !changes.contains { $0 != nil } }

    /// The changes of an object that are left, by position, in order of type.
    func changes(of syncID: String) -> [(position: Int, change: SyncChange)] {
        (positions[syncID] ?? []).compactMap { position in
            changes[position].map { (position, $0) }
        }
    }

    /// What is left of a change of another client that was in the document before these were made, when it is to be
    /// applied once more; nil where nothing is.
    func leave(_ change: SyncChange) -> SyncChange? {
        guard let syncID = change.objectSyncID else { return change }
        let mine = changes(of: syncID).map(\.change)
        if mine.isEmpty { return change }
        if mine.contains(where: { $0.type == .delete }) { return nil }
        switch change.type {
        case .insert:
            var left = change
            let keys = Set(mine.filter { $0.type == .attribute }.compactMap(\.key))
            let pairs = change.changedAttributes.pairs ?? []
            left.changedAttributes = .dictionary(pairs.filter { !keys.contains($0.key.stringValue ?? "") })
            return left
        case .attribute, .toOne:
            return mine.contains { $0.type == change.type && $0.key == change.key } ? nil : change
        case .addToMany, .removeFromMany:
            let isMine = mine.contains {
                $0.key == change.key && $0.relatedSyncID == change.relatedSyncID
                    && ($0.type == .addToMany || $0.type == .removeFromMany)
            }
            return isMine ? nil : change
        case .delete: return mine.contains { $0.type == .insert } ? nil : change
        case .unknown: return nil
        }
    }

    mutating func remove(at position: Int) { changes[position] = nil }
}

/// One attribute that was changed here and elsewhere, with different values (ticds-protocol(7), 5.4).
public struct SyncConflict: Sendable, Hashable {
    /// Name of the object's entity.
    public var entity: String
    /// The object's sync ID.
    public var syncID: String
    /// Name of the attribute.
    public var key: String
    /// The value here.
    public var local: ArchivedValue
    /// The value elsewhere.
    public var remote: ArchivedValue
    /// When each was changed, by the clock of its author, in seconds since 2001-01-01 00:00:00 UTC.
    public var localTime: Double?
    /// When it was changed elsewhere; nil where the change does not say.
    public var remoteTime: Double?
}

/// Whose change counts in a conflict.
public enum SyncResolution: Sendable, Hashable {
    /// The change of the other client counts, or the one made here.
    case remote, local
    /// Neither is dropped: the remote change is applied here, and the local one is sent.
    case undecided
}
