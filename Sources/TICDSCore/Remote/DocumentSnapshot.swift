public import SystemCalls

/// One document of a remote: `Documents/<document>`.
public struct DocumentSnapshot: Sendable {
    public var identifier: RemoteName
    public var path: RemotePath { RemoteLayout.document(identifier) }
    /// `documentInfo.plist`; nil where it is missing.
    public var documentInfo: RemoteFile?
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
    public var deletedClients: [Tombstone]
    public var wholeStores: [WholeStoreSnapshot]
    /// `WholeStore/SharedExternalData` of one fork.
    public var sharedExternalData: FileTotals
    /// What uploads left behind in `TemporaryFiles`; no client reads it.
    public var temporaryFiles: [RemoteFile]
    /// Folders that the framework makes with a document (ticoredatasync.md, 1.3) and that are not there.
    public var missingFolders: [RemoteName]

    public func client(_ identifier: RemoteName) -> ClientChangeSets? {
        clients.first { $0.identifier == identifier }
    }
    public func recentSync(of client: RemoteName) -> RecentSync? {
        recentSyncs.first { $0.client == client }
    }
    public func wholeStore(of client: RemoteName) -> WholeStoreSnapshot? {
        wholeStores.first { $0.client == client }
    }
}

/// A client of a document and the change sets it uploaded.
public struct ClientChangeSets: Sendable {
    public var identifier: RemoteName
    /// `Documents/<document>/SyncChanges/<client>`
    public var path: RemotePath
    public var changeSets: ChangeSetList
}

public struct RecentSync: Hashable, Sendable {
    public var client: RemoteName
    public var file: RemoteFile
}

/// What a client uploaded to `WholeStore/<client>`.
public struct WholeStoreSnapshot: Hashable, Sendable {
    public var client: RemoteName
    /// `Documents/<document>/WholeStore/<client>`
    public var path: RemotePath
    /// `WholeStore.ticdsync`: the file, or the folder with the bytes of all its files; nil where it is missing.
    public var store: RemoteFile?
    /// True for the form of one fork, where the store is a folder (operator-needs.md, "Four layouts").
    public var isFolder: Bool
    /// Files of the folder form, relative to the remote; empty otherwise.
    public var storeFiles: [RemoteFile]
    /// `AppliedSyncChangeSets.ticdsync`
    public var register: RemoteFile?
}
