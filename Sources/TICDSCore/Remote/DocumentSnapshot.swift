public import SystemCalls

/// One document of a remote: `Documents/<document>`.
public struct DocumentSnapshot: Sendable {
    /// The name of the document's folder.
    public var identifier: RemoteName
    /// The path of the document in the remote.
    public var path: RemotePath { RemoteLayout.document(identifier) }
    /// `documentInfo.plist`; nil if it is missing, or unknown if it could not be listed or is not delivered.
    public var documentInfo: Seen<RemoteFile?>
    /// The files whose names are integrity keys. An intact document has one.
    public var integrityKeys: [RemoteFile]
    /// `SyncChanges/<client>`: the clients that are registered with the document.
    public var clients: [ClientChangeSets]
    /// `SyncCommands/<client>`.
    public var syncCommands: [RemoteName]
    /// `RecentSyncs/<client>.recentsync`; the time of the file is the time of the client's last synchronisation.
    public var recentSyncs: [RecentSync]
    /// The time of the folder `RecentSyncs`, which the framework shows as the document's last synchronisation.
    public var recentSyncsFolderModified: FileTime?
    /// The tombstones of removed clients.
    public var deletedClients: [Tombstone]
    /// Whole stores by client, sorted by identifier.
    public var wholeStores: [WholeStoreSnapshot]
    /// `WholeStore/SharedExternalData` of one fork.
    public var sharedExternalData: FileTotals
    /// The remains of uploads in `TemporaryFiles`; no client reads them.
    public var temporaryFiles: [RemoteFile]
    /// Missing folders among those that the framework makes with a document (ticds-remote-format(5), 1.3).
    public var missingFolders: [RemoteName]
    /// The names of these folders, and `documentInfo.plist`, that could not be listed: their existence and content are
    /// unknown.
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

/// The file whose time is the time of a client's last synchronisation (ticds-protocol(7), 1.5).
public struct RecentSync: Hashable, Sendable {
    /// Identifier of the client.
    public var client: RemoteName
    /// The file; only its time counts.
    public var file: RemoteFile
}

/// The upload of a client in `WholeStore/<client>`.
public struct WholeStoreSnapshot: Hashable, Sendable {
    /// Identifier of the client.
    public var client: RemoteName
    /// `Documents/<document>/WholeStore/<client>`
    public var path: RemotePath
    /// `WholeStore.ticdsync`: the file, or the folder with the bytes of all its files; nil if it is missing.
    public var store: RemoteFile?
    /// True for the form of one fork, in which the store is a folder (ticds-field-notes(7), 1).
    public var isFolder: Bool
    /// Files of the store's folder, relative to the remote; empty if the store is a file.
    public var storeFiles: [RemoteFile]
    /// `AppliedSyncChangeSets.ticdsync`
    public var register: RemoteFile?
}
