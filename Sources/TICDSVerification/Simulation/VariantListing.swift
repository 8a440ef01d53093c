import SystemCalls
import TICDSCore

/// Lists the folders of a document as a variant of the framework does (ticds-remote-format(5), 1.5). Leaves out names that
/// are not UTF-8, which Macs do not show.
struct VariantListing {
    let tree: RemoteTree
    let variant: Variant
    let document: RemotePath

    private var isDropbox: Bool { variant == .dropbox }

    func folder(_ name: RemoteName) -> RemotePath { document.appending(name) }

    /// Nil if the folder does not exist or could not be listed.
    private func entries(_ folder: RemotePath) -> [FolderEntry]? {
        tree.folders[folder].map { $0.filter(\.name.isUTF8) }
    }

    /// Entries that clients accept as the integrity key, hidden files included.
    var integrityKeys: [FolderEntry]? {
        entries(folder(RemoteLayout.integrityKey))?.filter { FrameworkLists.isLongEnough($0.name) }
    }

    /// Entries of `SyncChanges` that count as clients, files included.
    var clients: [FolderEntry]? {
        entries(folder(RemoteLayout.syncChanges))?.filter {
            isDropbox ? FrameworkLists.isLongEnough($0.name) : !$0.name.isHidden
        }
    }

    /// Entries of a client's folder that count as change sets, by identifier: the name without its last extension.
    func changeSets(of client: RemoteName) -> [(identifier: RemoteName, entry: FolderEntry)]? {
        entries(folder(RemoteLayout.syncChanges).appending(client))?.compactMap { entry in
            let identifier = entry.name.withoutExtension
            let counts = isDropbox ? FrameworkLists.isLongEnough(identifier) : !entry.name.isHidden
            return counts ? (identifier, entry) : nil
        }
    }

    /// Entries of `WholeStore` in which the client looks for a store.
    var storeFolders: [FolderEntry]? {
        entries(folder(RemoteLayout.wholeStore))?.filter {
            isDropbox ? $0.kind == .folder : !$0.name.isHidden
        }
    }

    /// `WholeStore.ticdsync` of a client, file or folder.
    func store(of client: RemoteName) -> (path: RemotePath, entry: FolderEntry)? {
        let path = folder(RemoteLayout.wholeStore).appending(client).appending(RemoteLayout.wholeStoreFile)
        return tree[path].map { (path, $0) }
    }

    /// Entries of `RecentSyncs` that limit the vacuum.
    var recentSyncs: [FolderEntry] {
        (entries(folder(RemoteLayout.recentSyncs)) ?? []).filter {
            !isDropbox || $0.name.text.hasSuffix(RemoteLayout.recentSyncSuffix)
        }
    }

    /// The entries of the client's own folder that a vacuum checks.
    func ownEntries(of client: RemoteName) -> [FolderEntry]? {
        entries(folder(RemoteLayout.syncChanges).appending(client))
    }
}
