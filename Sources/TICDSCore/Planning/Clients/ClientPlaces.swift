/// Where a client has something in a document, in the order in which the framework removes it
/// (ticds-protocol(7), 4.10).
struct ClientPlaces {
    let syncChanges: RemotePath
    let syncCommands: RemotePath
    let recentSync: RemotePath
    let wholeStore: RemotePath
    /// What uploads left behind. The framework never removes it.
    let temporaryFiles: RemotePath

    init(of client: RemoteName, in document: RemoteName) {
        typealias Layout = RemoteLayout
        let folder = Layout.document(document)
        syncChanges = Layout.syncChanges(of: client, in: document)
        syncCommands = folder.appending(Layout.syncCommands).appending(client)
        recentSync = folder.appending(Layout.recentSyncs)
            .appending(RemoteName(client.bytes + Layout.recentSyncSuffix.utf8))
        wholeStore = Layout.wholeStore(of: client, in: document)
        temporaryFiles = RemotePath(
            folder.names + [Layout.temporaryFiles, Layout.wholeStore, client])
    }

    /// What the framework removes.
    var removed: [RemotePath] { [syncChanges, syncCommands, recentSync, wholeStore] }
}
