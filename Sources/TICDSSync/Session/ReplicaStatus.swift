import CoreDataStore
import KeyedArchive
public import SystemCalls
import SystemPackage
public import TICDSCore

/// How a replica stands to its remote.
public struct ReplicaStatus: Sendable {
    /// Edits of the document that are not recorded yet, as sync changes.
    public var edits = 0
    /// Recorded changes that are not sent.
    public var changesWaiting = 0
    /// The set under whose name changes were being sent when a run ended early.
    public var sending: String?
    /// When the last run ended after which everything that the others had sent was in the document.
    public var lastRun: FileTime?
    /// Transactions that could not be closed.
    public var transactions: [SyncTransaction] = []
    /// Sets of other clients that are in the document.
    public var setsInDocument = 0
    /// What the remote has; nil where it was not looked at, or could not be.
    public var remote: Remote?

    /// How the remote stands to the replica.
    public struct Remote: Sendable {
        /// How this client stands with the document.
        public var membership: ReplicaSession.Membership
        /// Why this client must not synchronise; nil where it may.
        public var obstacle: FileProblem?
        /// Change sets that other clients have in the remote.
        public var setsOfOthers: Int
        /// Those of them that are not fetched yet.
        public var setsToFetch: Int
        /// Their bytes together.
        public var bytesToFetch: Int64
        /// The newest set of another client.
        public var newest: FileTime?
        /// The oldest set that is not in the document: since then this replica lags behind.
        public var lagsSince: FileTime?
        /// Entries among the sets that are none.
        public var strays: Int
        /// Folders that could not be listed, and files that are not here yet.
        public var problems: [FileProblem]
    }
}

extension ReplicaSession {
    /// Looks, and changes nothing.
    /// - Parameter storage: of the remote; nil where it is not to be looked at.
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
            (
                known: try notes.knownSets(connection), sending: try notes.note(.sending, connection)
            )
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
