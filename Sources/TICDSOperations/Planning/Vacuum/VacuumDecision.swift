public import SystemCalls
public import TICDSCore

/// The decision about one document: which sets can be removed, which must stay, and which clients hold them back.
public struct VacuumDecision: Sendable {
    /// Identifier of the document.
    public var document: RemoteName
    /// The rule behind the decision.
    public var rule: VacuumSettings.Rule
    /// With the framework's rule, the time before which sets are removed; otherwise the time of the oldest set that stays,
    /// or nil if none stays.
    public var horizon: FileTime?
    /// The clients, by identifier: members of the document, and all that have left a recent sync or a whole store
    /// there.
    public var clients: [VacuumClient]
    /// Sets that stay because they are younger than the margin, even if a client holds them back as well.
    public var young: FileTotals
    /// The remains of uploads in `TemporaryFiles`, removable or not.
    public var leftovers: [VacuumLeftover]
    /// Leftovers that the settings do not remove, although nothing prevents it.
    public var keptLeftovers = FileTotals()
    /// The reasons why the horizon is unsafe. No plan is made while there are any.
    public var obstacles: [VacuumObstacle]
    /// Obstacles that the user allowed.
    public var allowed: [VacuumObstacle]
    /// The reason why a folder or file on which the decision depends, for any client, could not be listed or read. No
    /// plan is made then.
    public var unread: FileProblem?
    /// Sets that the framework's rule removes although a client has not synchronised since they were uploaded.
    public var unfetched: FileTotals

    /// Sets of all clients that can be removed.
    public var removable: FileTotals { clients.reduce(into: FileTotals()) { $0.add($1.removable) } }
    /// Sets of all clients that stay.
    public var kept: FileTotals { clients.reduce(into: FileTotals()) { $0.add($1.kept) } }
    /// Whether the result is known. An obstacle may hide a client or a whole store that needs sets: fewer may then be
    /// removable.
    public var isKnown: Bool { unread == nil && !obstacles.contains(where: \.hidesNeeds) }
    /// Whether it is known what a client holds back: nothing that is hidden concerns it, or all clients.
    public func knowsHold(of client: RemoteName) -> Bool {
        unread == nil
            && obstacles.allSatisfy {
                !$0.hidesNeeds || ($0.client != client && $0.client != nil && !$0.isOfSets)
            }
    }
    /// Whether there is nothing to remove, and no obstacle.
    public var takesNothing: Bool {
        removable.count == 0 && obstacles.isEmpty && leftovers.allSatisfy { $0.reason != nil }
    }
}

extension [VacuumDecision] {
    /// Leftovers in all documents that the settings do not remove, although nothing prevents it.
    public var keptLeftovers: FileTotals { reduce(into: FileTotals()) { $0.add($1.keptLeftovers) } }
}

/// One client of a document, as a vacuum sees it.
public struct VacuumClient: Sendable {
    /// Identifier of the client.
    public var identifier: RemoteName
    /// Whether `SyncChanges/<client>` exists.
    public var isMember: Bool
    /// Whether the user told the vacuum to ignore it.
    public var isIgnored: Bool
    /// Whether the whole store of the client counts: sets that its register does not name then stay.
    public var storeCounts: Bool
    /// The time of its recent sync; nil if unknown.
    public var lastSync: FileTime?
    /// The time of its whole store.
    public var store: FileTime?
    /// The time of the register beside its whole store.
    public var register: FileTime?
    /// Its own sets that can be removed.
    public var removable = FileTotals()
    /// Its own sets that stay.
    public var kept = FileTotals()
    /// The sets that the client holds back.
    public var hold = HeldSets()
    /// For an ignored client, the removed sets that it would have held back.
    public var missed = HeldSets()
    /// The positions of its removable sets in the listing of `SyncChanges/<client>`.
    var positions: [UInt32] = []
}

/// Sets that must stay because of one client.
public struct HeldSets: Hashable, Sendable {
    /// All sets that must stay.
    public var sets = FileTotals()
    /// The sets that no other client holds back.
    public var alone = FileTotals()
    /// Sets that the client itself may not have.
    public var notSynchronised = 0
    /// Sets that clients which start from this client's whole store may need.
    public var notInStore = 0
    /// The time of the oldest of the sets: the later of its two times.
    public var oldest: FileTime?

    mutating func add(_ entry: VacuumEntry, _ role: NeededBy) {
        sets.add(entry.size)
        if role.contains(.client) { notSynchronised += 1 }
        if role.contains(.store) { notInStore += 1 }
        if oldest.map({ entry.latest < $0 }) ?? true { oldest = entry.latest }
    }
}

/// The remains of an upload in `TemporaryFiles`.
public struct VacuumLeftover: Sendable {
    /// The file or folder.
    public var path: RemotePath
    /// The files in it.
    public var files: FileTotals
    /// The latest time in it.
    public var modified: FileTime
    /// The reason why it stays; nil if it is removed.
    public var reason: String?
}
