import SystemCalls
import TICDSCore

/// What each variant makes of the folders of a document (ticds-remote-format(5), 1.5). Names that are not UTF-8 are not
/// seen by Macs.
struct VariantListing {
    let tree: RemoteTree
    let variant: Variant
    let document: RemotePath

    private var isDropbox: Bool { variant == .dropbox }

    func folder(_ name: RemoteName) -> RemotePath { document.appending(name) }

    /// Nil where the folder cannot be listed.
    private func entries(_ folder: RemotePath) -> [FolderEntry]? {
        tree.folders[folder].map { $0.filter(\.name.isUTF8) }
    }

    /// Entries that may be taken for the key, dot files too.
    var integrityKeys: [FolderEntry]? {
        entries(folder(RemoteLayout.integrityKey))?.filter { FrameworkLists.isLongEnough($0.name) }
    }

    /// Entries of `SyncChanges` that count as clients before a synchronisation; files count.
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

    /// Entries of `WholeStore` that are asked for a store.
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

    /// Entries of `RecentSyncs` that hold the vacuum back.
    var recentSyncs: [FolderEntry] {
        (entries(folder(RemoteLayout.recentSyncs)) ?? []).filter {
            !isDropbox || $0.name.text.hasSuffix(RemoteLayout.recentSyncSuffix)
        }
    }

    /// All that a vacuum looks at in a client's own folder.
    func ownEntries(of client: RemoteName) -> [FolderEntry]? {
        entries(folder(RemoteLayout.syncChanges).appending(client))
    }
}
