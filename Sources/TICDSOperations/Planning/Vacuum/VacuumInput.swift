import SystemCalls
import TICDSCore

/// The listed facts about a document that a vacuum considers.
struct VacuumInput {
    let document: DocumentSnapshot
    let snapshot: RemoteSnapshot
    let settings: VacuumSettings
    /// The facts by the identifiers of clients.
    let facts: [ClientFacts]

    var path: RemotePath { document.path }

    /// One client, or another entry that left a recent sync or a whole store.
    struct ClientFacts {
        var identifier: RemoteName
        var isMember: Bool
        /// Whether the client has a tombstone, so that it will start again from a whole store (ticds-protocol(7), 1.2).
        var isRemoved: Bool
        var lastSync: FileTime?
        /// `WholeStore/<client>`
        var storeFolder: RemotePath?
        var store: FileTime?
        var register: RemoteFile?
        var isNewestStore = false

        /// Whether it fetches sets. A client whose folder is gone without a tombstone continues to receive
        /// (ticds-protocol(7), 4.2).
        var receives: Bool { isMember || (lastSync != nil && !isRemoved) }
    }

    init(_ document: DocumentSnapshot, _ snapshot: RemoteSnapshot, _ settings: VacuumSettings) {
        self.document = document
        self.snapshot = snapshot
        self.settings = settings
        let removed = Set(document.deletedClients.map(\.identifier))
        var facts: [RemoteName: ClientFacts] = [:]
        func change(_ client: RemoteName, _ body: (inout ClientFacts) -> Void) {
            body(
                &facts[
                    client,
                    default: ClientFacts(
                        identifier: client, isMember: false, isRemoved: removed.contains(client))])
        }
        for client in document.clients { change(client.identifier) { $0.isMember = true } }
        for sync in document.recentSyncs { change(sync.client) { $0.lastSync = sync.file.modified } }
        for (client, store) in Self.stores(document.path.appending(RemoteLayout.wholeStore), snapshot.tree) {
            change(client) {
                $0.storeFolder = store.folder
                $0.store = store.modified
                $0.register = store.register
            }
        }
        let newest = facts.values.compactMap(\.store).max()
        self.facts = facts.values.sorted { $0.identifier < $1.identifier }.map { client in
            var client = client
            client.isNewestStore = client.store != nil && client.store == newest
            return client
        }
    }

    /// The folders that a client may take for that of a whole store: also conflicted copies, but not hidden folders
    /// (ticds-remote-format(5), 1.5; ticds-protocol(7), 1.7).
    private static func stores(_ folder: RemotePath, _ tree: RemoteTree) -> [(
        RemoteName, (folder: RemotePath, modified: FileTime?, register: RemoteFile?)
    )] {
        tree.listing(folder).part.compactMap { entry in
            guard entry.kind == .folder, !entry.name.isHidden, entry.name != RemoteLayout.sharedExternalData
            else { return nil }
            let path = folder.appending(entry.name)
            let inside = tree.listing(path).part
            let store = inside[RemoteLayout.wholeStoreFile]
            let register = inside[RemoteLayout.appliedSyncChangeSets].flatMap {
                $0.kind == .file
                    ? RemoteFile(path: path.appending(RemoteLayout.appliedSyncChangeSets), $0) : nil
            }
            let isStore = store?.kind == .file || store?.kind == .folder
            return (entry.name, (path, isStore ? store?.modified : nil, register))
        }
    }

    func isIgnored(_ client: ClientFacts) -> Bool { settings.ignored.contains(client.identifier) }

    /// Whether new clients may start from the store of a client. The store that they download by default counts even if
    /// the client is ignored.
    func storeCounts(_ client: ClientFacts) -> Bool {
        guard client.store != nil else { return false }
        return client.isNewestStore || !(isIgnored(client) || settings.countsNewestStoreOnly)
    }

    /// Seconds by which the clocks of two machines may disagree: a day.
    private static let futureTolerance: Int64 = 86_400

    func isInFuture(_ time: FileTime) -> Bool { time.before(Self.futureTolerance) > settings.now }
}
