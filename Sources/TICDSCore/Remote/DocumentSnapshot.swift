public import SystemCalls

/// One document of a remote: `Documents/<document>`.
public struct DocumentSnapshot: Sendable {
    /// The name of the document's folder.
    public var identifier: RemoteName
    /// Where the document lies in the remote.
    public var path: RemotePath { RemoteLayout.document(identifier) }
    /// `documentInfo.plist`; nil where it is missing, or unknown where it could not be listed or is not delivered.
    public var documentInfo: Seen<RemoteFile?>
    /// The name of the file is the key. A sound document has one.
    public var integrityKeys: [RemoteFile]
    /// `SyncChanges/<client>`: the clients that are registered with the document.
    public var clients: [ClientChangeSets]
    /// `SyncCommands/<client>`.
    public var syncCommands: [RemoteName]
    /// `RecentSyncs/<client>.recentsync`; the time of the file is that of the client's last synchronisation.
    public var recentSyncs: [RecentSync]
    /// The time of the folder `RecentSyncs`, which the framework shows as the document's last synchronisation.
    public var recentSyncsFolderModified: FileTime?
    /// The tombstones of removed clients.
    public var deletedClients: [Tombstone]
    /// Whole stores by client, sorted by identifier.
    public var wholeStores: [WholeStoreSnapshot]
    /// `WholeStore/SharedExternalData` of one fork.
    public var sharedExternalData: FileTotals
    /// What uploads left in `TemporaryFiles`; no client reads it.
    public var temporaryFiles: [RemoteFile]
    /// Missing folders among those that the framework makes with a document (ticds-remote-format(5), 1.3).
    public var missingFolders: [RemoteName]
    /// Names of these folders, and `documentInfo.plist`, that could not be listed: nobody knows whether they exist, or what
    /// they contain.
    public var unlisted: [RemoteName]

    /// The client with this identifier, and its change sets.
    public func client(_ identifier: RemoteName) -> ClientChangeSets? {
        clients.first { $0.identifier == identifier }
    }
    /// The recent-sync file of a client.
    public func recentSync(of client: RemoteName) -> RecentSync? {
        recentSyncs.first { $0.client == client }
    }
    /// The whole store that a client uploaded.
    public func wholeStore(of client: RemoteName) -> WholeStoreSnapshot? {
        wholeStores.first { $0.client == client }
    }
}

/// A client of a document and the change sets it uploaded.
public struct ClientChangeSets: Sendable {
    /// The name of the client's folder.
    public var identifier: RemoteName
    /// `Documents/<document>/SyncChanges/<client>`
    public var path: RemotePath
    /// The change sets in it.
    public var changeSets: ChangeSetList
}

/// The file whose time is that of a client's last synchronisation (ticds-protocol(7), 1.5).
public struct RecentSync: Hashable, Sendable {
    /// Identifier of the client.
    public var client: RemoteName
    /// The file; only its time counts.
    public var file: RemoteFile
}

/// What a client uploaded to `WholeStore/<client>`.
public struct WholeStoreSnapshot: Hashable, Sendable {
    /// Identifier of the client.
    public var client: RemoteName
    /// `Documents/<document>/WholeStore/<client>`
    public var path: RemotePath
    /// `WholeStore.ticdsync`: the file, or the folder with the bytes of all its files; nil where it is missing.
    public var store: RemoteFile?
    /// True for the form of one fork, where the store is a folder (ticds-field-notes(7), 1).
    public var isFolder: Bool
    /// Files of the folder form, relative to the remote; empty otherwise.
    public var storeFiles: [RemoteFile]
    /// `AppliedSyncChangeSets.ticdsync`
    public var register: RemoteFile?
}
