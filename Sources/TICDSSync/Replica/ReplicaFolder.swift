import SystemCalls
public import SystemPackage
public import TICDSCore

/// The folder of a replica: a document as a client of one's own keeps it, with the framework's helper files by their
/// own names (ticds-remote-format(5), 2).
public struct ReplicaFolder: Sendable, Hashable {
    /// Absolute.
    public let path: FilePath

    /// The replica in that folder; nothing is looked at.
    public init(_ path: FilePath) { self.path = path }

    /// Remote, document, client and rules (``ReplicaConfiguration``).
    public var configuration: FilePath { path.appending("Replica.json") }
    /// The document, a Core Data SQLite store. The only file here that is meant to be edited.
    public var store: FilePath { path.appending("Document.sqlite") }
    /// The model that was given for it, a file or a folder; where there is none, the store has its own copy.
    public var model: FilePath { path.appending("Model") }
    /// The store as the other clients know it, and what is to be remembered of transactions.
    public var state: FilePath { path.appending("ReplicaState.sqlite") }
    /// Held while the replica is being worked on.
    public var lock: FilePath { path.appending("lock") }

    /// Edits that are not sent yet.
    public var unsynchronized: FilePath { path.appending("UnsynchronizedSyncChanges.syncchg") }
    /// Edits that are being sent.
    public var beingSynchronized: FilePath { path.appending("SyncChangesBeingSynchronized.syncchg") }
    /// The register of sets that are in the store.
    public var applied: FilePath { path.appending("AppliedSyncChangeSets.ticdsync") }
    /// The register of sets that were fetched and are not in the store yet.
    public var unapplied: FilePath { path.appending("UnappliedSyncChangeSets.ticdsync") }
    /// Sets that were fetched, decrypted: `<identifier>.syncchg`.
    public var unappliedChanges: FilePath { path.appending("UnappliedSyncChanges") }
    /// A register for each transaction that is not closed: `<UUID>.unsavedticdsync`.
    public var unsavedApplied: FilePath { path.appending("UnsavedAppliedSyncChanges") }
    /// Made and left empty, as by the framework.
    public var unappliedCommands: FilePath { path.appending("UnappliedSyncCommands") }
    /// Holds one file, whose name is the integrity key that the document had when the replica was made.
    public var integrityKey: FilePath { path.appending("IntegrityKey") }

    /// Ends the name of the register of a transaction that is not closed.
    public static let unsavedSuffix = ".unsavedticdsync"

    /// The client's own recent-sync file.
    public func recentSync(of client: RemoteName) -> FilePath {
        path.pushing(FilePath(nameBytes: client.bytes + Array(RemoteLayout.recentSyncSuffix.utf8)))
    }
}
