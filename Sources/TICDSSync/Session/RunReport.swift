import Base
import CoreDataStore
public import SystemCalls
public import TICDSCore

/// A change set that cannot be applied. It does not count as applied.
public struct BadSet: Sendable, Hashable {
    /// Identifier of the client that uploaded it.
    public var client: String
    /// Identifier of the set.
    public var identifier: String
    /// The reason why it cannot be applied.
    public var problem: FileProblem
}

/// The result of a run, or of its simulation.
public struct RunReport: Sendable {
    /// A copy of another set; its changes were applied once.
    public struct Duplicate: Sendable, Hashable {
        /// Identifier of the client that uploaded it.
        public var client: String
        /// Identifier of the set.
        public var identifier: String
        /// The identifier of the set with the same contents that was applied.
        public var original: String
    }

    /// The set that this client sent.
    public struct Sent: Sendable, Hashable {
        /// Identifier of the set.
        public var identifier: String
        /// The number of its changes.
        public var changes: Int
    }

    /// Whether this dry run would first register the client.
    public var registers = false
    /// Edits of the document that were recorded, counted as sync changes.
    public var editsRecorded = 0
    /// Repairs of rows that another program had edited, one sentence each.
    public var tidied: [String] = []
    /// The number of fetched sets.
    public var setsFetched = 0
    /// The number of sets that were applied for the first time.
    public var setsApplied = 0
    /// The number of changes that took effect.
    public var changesApplied = 0
    /// The number of sets in the document that were applied again, because an earlier set arrived.
    public var setsAppliedAgain = 0
    /// The number of objects that were deleted with their owners; the deletions are sent.
    public var removedWithOwner = 0
    /// Copies of other sets.
    public var duplicates: [Duplicate] = []
    /// Sets that could not be applied.
    public var badSets: [BadSet] = []
    /// Sets that are in the document, but neither in the remote nor in all whole stores: sets that this replica sent,
    /// and sets of any client that a run would have to apply again.
    public var goneSets: [GoneSet] = []
    /// Identifiers of sets in the folder of this client that this replica did not send. Their changes are not in the
    /// document.
    public var unknownSets: [String] = []
    /// Sets that could not be applied and were removed from the remote; later runs ignore them.
    public var forgotten: [BadSet] = []
    /// The number of sets that were not applied because an earlier set could not be applied.
    public var setsHeldBack = 0
    /// Paths, in the remote, of entries in the folders of change sets that are not change sets.
    public var strays: [String] = []
    /// Folders that could not be listed, and sets whose content a cloud service has not downloaded.
    public var problems: [FileProblem] = []
    /// The number of conflicts.
    public var conflicts = 0
    /// The number of warnings.
    public var warnings = 0
    /// Conflicts and warnings, at most ``eventLimit``.
    public var events: [SyncEvent] = []
    /// The set that was sent; nil if there was nothing to send.
    public var sent: Sent?
    /// The number of unsent local changes.
    public var changesWaiting = 0
    /// Whether the recent-sync file was written.
    public var wroteRecentSync = false
    /// Transactions that could not be closed.
    public var transactions: [SyncTransaction] = []
    /// Whether this was a dry run, which changed nothing.
    public var isDryRun = false
    /// The largest number of events of one run that are kept.
    public static let eventLimit = 100_000

    /// Whether every set of the other clients is in the document.
    public var isComplete: Bool {
        badSets.isEmpty && setsHeldBack == 0 && problems.isEmpty && unknownSets.isEmpty
    }
}

/// Options of a run.
public struct RunOptions: Sendable {
    /// The direction of the changes.
    public enum Direction: String, Sendable, CaseIterable {
        /// Fetch and send, fetch only, send only.
        case both, pull, push
    }

    /// Fetch and send by default.
    public var direction = Direction.both
    /// Whether to report what a run would do, without changing anything.
    public var isDryRun = false
    /// A value that overrides `onBadSet` of the configuration; nil keeps it.
    public var onBadSet: ReplicaConfiguration.BadSetChoice?
    /// A policy that overrides the one of the configuration; nil keeps it.
    public var conflicts: ConflictPolicy?
    /// Seconds to wait for another program that is changing the remote.
    public var lockWait: Int64 = 0

    /// Options to fetch and send according to the configuration.
    public init() {}
}

/// A conflict that the user must decide.
public struct OpenConflict: Sendable, Hashable {
    /// The two values, and the time of each.
    public var conflict: SyncConflict
    /// Identifier of the client that made the remote change.
    public var client: String
    /// Identifier of the set that has the change.
    public var changeSet: String
}

/// The state of a replica: what it has to send, and what the remote has for it.
public struct ReplicaStatus: Sendable {
    /// The number of unrecorded edits of the document, counted as sync changes.
    public var edits = 0
    /// The number of recorded unsent changes.
    public var changesWaiting = 0
    /// The identifier of the change set that an interrupted run was sending; nil if there is none.
    public var sending: String?
    /// The end of the last run that omitted no set of another client; nil if there was none.
    public var lastRun: FileTime?
    /// Transactions that could not be closed.
    public var transactions: [SyncTransaction] = []
    /// Sets of other clients that are in the document.
    public var setsInDocument = 0
    /// The state of the remote; nil if it was not read.
    public var remote: Remote?

    /// The state of the remote for the replica.
    public struct Remote: Sendable {
        /// Whether this client is registered with the document.
        public var membership: ReplicaSession.Membership
        /// The reason why this client may not synchronise; nil if it may.
        public var obstacle: FileProblem?
        /// Change sets of other clients in the remote.
        public var setsOfOthers: Int
        /// Change sets of other clients that are not yet in the document.
        public var setsToFetch: Int
        /// The bytes of these sets.
        public var bytesToFetch: Int64
        /// Modification time of the newest set of another client.
        public var newest: FileTime?
        /// Modification time of the oldest set that is not in the document; nil if none is missing.
        public var lagsSince: FileTime?
        /// Entries in the folders of change sets that are not change sets.
        public var strays: Int
        /// Folders that could not be listed, and sets whose content a cloud service has not downloaded.
        public var problems: [FileProblem]
        /// Sets that this replica sent, and that are neither in the remote nor in all whole stores.
        public var goneSets: [GoneSet] = []
        /// Identifiers of sets in the folder of this client that this replica did not send.
        public var unknownSets: [String] = []
    }
}

extension ReplicaSession {
    /// Reads the replica, and the remote if `storage` is given; changes nothing.
    public func status(_ storage: (any RemoteStorage)?) throws(FileProblem) -> ReplicaStatus {
        var status = ReplicaStatus()
        status.edits = try editCount()
        status.changesWaiting = try unsentChanges
        status.transactions = transactions
        let state = try ReplicaState(folder.state)
        let notes = ReplicaDatabase.alone
        let noted = try state.read { connection throws(SQLiteError) in
            (known: try notes.knownSets(connection), sending: try notes.note(.sending, connection))
        }
        status.setsInDocument = noted.known.count
        status.sending = noted.sending.map { String(decoding: $0, as: UTF8.self) }
        let recentSync = folder.recentSync(of: RemoteName(configuration.client))
        status.lastRun = try FileStatus.ifPresent(recentSync)?.modified
        if let storage { status.remote = try remoteStatus(storage, noted.known) }
        return status
    }

    /// The number of unrecorded edits. Their changes are not kept, however large they are.
    private func editCount() throws(FileProblem) -> Int {
        if try isUnchanged() { return 0 }
        let waiting =
            try OutgoingChanges.read(folder.beingSynchronized) + OutgoingChanges.read(folder.unsynchronized)
        var report = RunReport()
        _ = try ApplyTransaction.transaction(folder, isDryRun: true) { (store) throws(FileProblem) in
            try ApplyTransaction.record(store, after: waiting, now: 0, &report) { _ in }
        }
        return report.editsRecorded
    }

    private func remoteStatus(
        _ storage: any RemoteStorage, _ known: KnownSets
    ) throws(FileProblem) -> ReplicaStatus.Remote {
        let listing = try listing(known, storage)
        var remote = ReplicaStatus.Remote(
            membership: listing.membership, setsOfOthers: listing.setsOfOthers,
            setsToFetch: listing.newSets.count, bytesToFetch: listing.newSets.reduce(0) { $0 +| $1.size },
            newest: try listing.newest()?.modified, lagsSince: listing.newSets.map(\.modified).min(),
            strays: listing.strays.count, problems: listing.problems)
        do throws(FileProblem) {
            let key = try expectedKey(among: listing.integrityKeys)
            try RunPreconditions(folder: folder, integrityKey: key, storage: storage).check(listing)
        } catch { remote.obstacle = error }
        // The old sets are irrelevant for a document with a different key.
        if remote.obstacle == nil || listing.membership == .unregistered {
            let own = try ownSets(listing, known)
            remote.goneSets = own.gone
            remote.unknownSets = own.unknown
            remote.problems += own.problems
        }
        return remote
    }
}
