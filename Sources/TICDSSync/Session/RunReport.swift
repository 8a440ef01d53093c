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
    /// Why it cannot be applied.
    public var problem: FileProblem
}

/// What a run did, or would do.
public struct RunReport: Sendable {
    /// A copy of another set; its changes were applied once.
    public struct Duplicate: Sendable, Hashable {
        /// Identifier of the client that uploaded it.
        public var client: String
        /// Identifier of the set.
        public var identifier: String
        /// Identifier of the set that has the same contents and was applied.
        public var original: String
    }

    /// The set that this client sent.
    public struct Sent: Sendable, Hashable {
        /// Identifier of the set.
        public var identifier: String
        /// How many changes it has.
        public var changes: Int
    }

    /// Whether this dry run would first register the client.
    public var registers = false
    /// Edits of the document that were recorded, counted as sync changes.
    public var editsRecorded = 0
    /// Repairs of rows that another program had edited, one sentence each.
    public var tidied: [String] = []
    /// Sets that were fetched.
    public var setsFetched = 0
    /// Sets that were applied for the first time.
    public var setsApplied = 0
    /// Changes that took effect.
    public var changesApplied = 0
    /// Sets in the document that were applied again, because a set arrived that comes before them.
    public var setsAppliedAgain = 0
    /// Objects that were deleted because their owner was; the deletions are sent.
    public var removedWithOwner = 0
    /// Copies of other sets.
    public var duplicates: [Duplicate] = []
    /// Sets that could not be applied.
    public var badSets: [BadSet] = []
    /// Sets that are in the document, and neither in the remote nor in every whole store: those that this replica sent,
    /// and those of any client that a run would have to apply again.
    public var goneSets: [GoneSet] = []
    /// Identifiers of sets in the folder of this client that this replica did not send. Their changes are not in the
    /// document.
    public var unknownSets: [String] = []
    /// Sets that could not be applied and that somebody has removed from the remote; later runs ignore them.
    public var forgotten: [BadSet] = []
    /// Sets that were not applied because a set before them could not be applied.
    public var setsHeldBack = 0
    /// Paths, in the remote, of entries in the folders of change sets that are not change sets.
    public var strays: [String] = []
    /// Folders that could not be listed, and sets whose content a cloud service has not downloaded.
    public var problems: [FileProblem] = []
    /// How many conflicts there were.
    public var conflicts = 0
    /// How many warnings there were.
    public var warnings = 0
    /// Conflicts and warnings, at most ``eventLimit``.
    public var events: [SyncEvent] = []
    /// The set that was sent; nil if there was nothing to send.
    public var sent: Sent?
    /// Local changes that are not sent yet.
    public var changesWaiting = 0
    /// Whether the recent-sync file was written.
    public var wroteRecentSync = false
    /// Transactions that could not be closed.
    public var transactions: [SyncTransaction] = []
    /// Whether this was a dry run, which changed nothing.
    public var isDryRun = false
    /// How many events of one run are kept.
    public static let eventLimit = 100_000

    /// Whether every set of the other clients is in the document.
    public var isComplete: Bool {
        badSets.isEmpty && setsHeldBack == 0 && problems.isEmpty && unknownSets.isEmpty
    }
}

/// Options of a run.
public struct RunOptions: Sendable {
    /// Which way changes go.
    public enum Direction: String, Sendable, CaseIterable {
        /// Fetch and send, fetch only, send only.
        case both, pull, push
    }

    /// Fetch and send by default.
    public var direction = Direction.both
    /// Whether to report what a run would do, and change nothing.
    public var isDryRun = false
    /// Overrides `onBadSet` of the configuration; nil does not.
    public var onBadSet: ReplicaConfiguration.BadSetChoice?
    /// Overrides the policy of the configuration; nil does not.
    public var conflicts: ConflictPolicy?
    /// Seconds to wait for another program that is changing the remote.
    public var lockWait: Int64 = 0

    /// Fetch and send, as the configuration says.
    public init() {}
}

/// A conflict that a person is asked about.
public struct OpenConflict: Sendable, Hashable {
    /// The two values, and when each was set.
    public var conflict: SyncConflict
    /// Identifier of the client that made the remote change.
    public var client: String
    /// Identifier of the set that has the change.
    public var changeSet: String
}

/// What a replica has to send, and what the remote has for it.
public struct ReplicaStatus: Sendable {
    /// Edits of the document that are not recorded yet, counted as sync changes.
    public var edits = 0
    /// Recorded changes that are not sent yet.
    public var changesWaiting = 0
    /// The identifier of the change set that an interrupted run was sending; nil if there is none.
    public var sending: String?
    /// When the last run ended that left no set of another client out; nil if there was none.
    public var lastRun: FileTime?
    /// Transactions that could not be closed.
    public var transactions: [SyncTransaction] = []
    /// Sets of other clients that are in the document.
    public var setsInDocument = 0
    /// What the remote has; nil if it was not read.
    public var remote: Remote?

    /// What the remote has for the replica.
    public struct Remote: Sendable {
        /// Whether this client is registered with the document.
        public var membership: ReplicaSession.Membership
        /// Why this client may not synchronise; nil if it may.
        public var obstacle: FileProblem?
        /// Change sets of other clients in the remote.
        public var setsOfOthers: Int
        /// Change sets of other clients that are not in the document yet.
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
        /// Sets that this replica sent, and that are neither in the remote nor in every whole store.
        public var goneSets: [GoneSet] = []
        /// Identifiers of sets in the folder of this client that this replica did not send.
        public var unknownSets: [String] = []
    }
}

extension ReplicaSession {
    /// Reads the replica, and the remote if `storage` is given; changes nothing.
    public func status(_ storage: (any RemoteStorage)?) throws(FileProblem) -> ReplicaStatus {
        var status = ReplicaStatus()
        status.edits = try commit(isDryRun: true).editsRecorded
        status.changesWaiting =
            try OutgoingChanges.read(folder.beingSynchronized).count
            + OutgoingChanges.read(folder.unsynchronized).count
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
        // Of a document with another key, the old sets say nothing.
        if remote.obstacle == nil || listing.membership == .unregistered {
            let own = try ownSets(listing, known)
            remote.goneSets = own.gone
            remote.unknownSets = own.unknown
            remote.problems += own.problems
        }
        return remote
    }
}
