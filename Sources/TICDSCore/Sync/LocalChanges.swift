public import KeyedArchive

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

    /// The changes of an object that are left, by position, in order of type.
    func changes(of syncID: String) -> [(position: Int, change: SyncChange)] {
        (positions[syncID] ?? []).compactMap { position in
            changes[position].map { (position, $0) }
        }
    }

    mutating func remove(at position: Int) { changes[position] = nil }
}

/// One attribute that was changed here and elsewhere, with different values (ticoredatasync.md, 5.4).
public struct SyncConflict: Sendable, Hashable {
    public var entity: String
    public var syncID: String
    /// Name of the attribute.
    public var key: String
    public var local: ArchivedValue
    public var remote: ArchivedValue
}

/// Whose change counts in a conflict.
public enum SyncResolution: Sendable, Hashable {
    case remote, local
    /// Neither is dropped: the remote change is applied here, and the local one is sent.
    case undecided
}
