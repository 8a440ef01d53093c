import CoreDataStore
import KeyedArchive
public import SystemCalls
import SystemPackage
public import TICDSCore

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
    }
}

extension ReplicaSession {
    /// Reads the replica and its remote, and changes nothing.
    /// - Parameter storage: reads the remote; nil to leave the remote out.
    public func status(_ storage: (any RemoteStorage)?) throws(FileProblem) -> ReplicaStatus {
        var status = ReplicaStatus()
        status.edits = try commit(isDryRun: true).editsRecorded
        status.changesWaiting =
            try OutgoingChanges.read(folder.beingSynchronized).count
            + OutgoingChanges.read(folder.unsynchronized).count
        status.transactions = transactions
        let state = try ReplicaState(folder.state)
        let notes = ReplicaNotes.alone
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
        _ storage: any RemoteStorage, _ known: Set<[UInt8]>
    ) throws(FileProblem) -> ReplicaStatus.Remote {
        let listing = try listing(known, storage)
        var remote = ReplicaStatus.Remote(
            membership: listing.membership, setsOfOthers: listing.setsOfOthers,
            setsToFetch: listing.newSets.count, bytesToFetch: listing.newSets.reduce(0) { $0 +| $1.size },
            newest: try listing.newest()?.modified, lagsSince: listing.newSets.map(\.modified).min(),
            strays: listing.strays.count, problems: listing.problems)
        do throws(FileProblem) {
            try Admission(folder: folder, integrityKey: try integrityKey, storage: storage).check(listing)
        } catch {
            remote.obstacle = error
        }
        return remote
    }
}
