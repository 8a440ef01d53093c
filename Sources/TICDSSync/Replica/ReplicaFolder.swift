import SystemCalls
public import SystemPackage
public import TICDSCore

/// The folder of a replica: a document, with the helper files of the framework under their own names
/// (ticds-remote-format(5), 2).
public struct ReplicaFolder: Sendable, Hashable {
    /// The absolute path of the folder.
    public let path: FilePath

    /// The replica in that folder; no file is opened.
    public init(_ path: FilePath) { self.path = path }

    /// Remote, document, client and rules (``ReplicaConfiguration``).
    public var configuration: FilePath { path.appending("Replica.json") }
    /// The document, a Core Data SQLite store. The only file here that is meant to be edited.
    public var store: FilePath { path.appending("Document.sqlite") }
    /// The data model, a file or a folder. It does not exist if the store has its own copy of the model.
    public var model: FilePath { path.appending("Model") }
    /// The store as the other clients know it, and the tables of `ReplicaNotes`.
    public var state: FilePath { path.appending("ReplicaState.sqlite") }
    /// Locked with flock(2) while a command works on the replica.
    public var lock: FilePath { path.appending("lock") }

    /// Edits that are not sent yet.
    public var unsynchronized: FilePath { path.appending("UnsynchronizedSyncChanges.syncchg") }
    /// Edits that are being sent.
    public var beingSynchronized: FilePath { path.appending("SyncChangesBeingSynchronized.syncchg") }
    /// The register of sets that the store contains.
    public var applied: FilePath { path.appending("AppliedSyncChangeSets.ticdsync") }
    /// The register of sets that were fetched and not applied yet.
    public var unapplied: FilePath { path.appending("UnappliedSyncChangeSets.ticdsync") }
    /// Sets that were fetched, decrypted: `<identifier>.syncchg`.
    public var unappliedChanges: FilePath { path.appending("UnappliedSyncChanges") }
    /// A register for each transaction that is not closed: `<UUID>.unsavedticdsync`.
    public var unsavedApplied: FilePath { path.appending("UnsavedAppliedSyncChanges") }
    /// Created and left empty, as the framework does.
    public var unappliedCommands: FilePath { path.appending("UnappliedSyncCommands") }
    /// Contains one file, whose name is the integrity key that the document had when the replica was created.
    public var integrityKey: FilePath { path.appending("IntegrityKey") }

    /// The suffix of the register of a transaction that is not closed.
    public static let unsavedSuffix = ".unsavedticdsync"

    /// The client's own recent-sync file.
    public func recentSync(of client: RemoteName) -> FilePath {
        path.pushing(FilePath(nameBytes: client.bytes + Array(RemoteLayout.recentSyncSuffix.utf8)))
    }
}
