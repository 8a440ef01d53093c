import SystemCalls

extension SnapshotSorter {
    /// The whole stores of a document, and what the shared blobs of one fork come to.
    mutating func wholeStores(in folder: RemotePath) -> ([WholeStoreSnapshot], FileTotals) {
        var shared = FileTotals()
        var stores: [WholeStoreSnapshot] = []
        for name in folders(in: folder) {
            let path = folder.appending(name)
            if name == RemoteLayout.sharedExternalData {
                for file in allFiles(below: path) { shared.add(file.size) }
            } else {
                stores.append(wholeStore(of: name, in: path))
            }
        }
        return (stores, shared)
    }

    private mutating func wholeStore(of client: RemoteName, in path: RemotePath) -> WholeStoreSnapshot {
        let storePath = path.appending(RemoteLayout.wholeStoreFile)
        let isFolder = tree[storePath]?.kind == .folder
        let fileNames = [RemoteLayout.wholeStoreFile, RemoteLayout.appliedSyncChangeSets]
        let folderNames = isFolder ? [RemoteLayout.wholeStoreFile] : []
        let files = fixed(in: path, files: fileNames, folders: folderNames)
        var store = files[RemoteLayout.wholeStoreFile]
        var storeFiles: [RemoteFile] = []
        if isFolder, let entry = tree[storePath] {
            storeFiles = allFiles(below: storePath)
            let totals = storeFiles.reduce(into: FileTotals()) { $0.add($1.size) }
            store = RemoteFile(path: storePath, size: totals.bytes, modified: entry.modified)
        }
        return WholeStoreSnapshot(
            client: client, path: path, store: store, isFolder: isFolder, storeFiles: storeFiles,
            register: files[RemoteLayout.appliedSyncChangeSets])
    }

    mutating func temporaryFiles(in folder: RemotePath) -> [RemoteFile] { allFiles(below: folder) }

    /// Every plain file below a folder whose inside is nobody's business but its maker's; only links are strays.
    private mutating func allFiles(below folder: RemotePath) -> [RemoteFile] {
        var files: [RemoteFile] = []
        for entry in tree.listing(folder) {
            let path = folder.appending(entry.name)
            switch entry.kind {
            case .file:
                files.append(RemoteFile(path: path, entry))
                if entry.holdsOnlyZeros || AbsentContent.original(of: entry) != nil {
                    addIfAbsent(entry, in: folder)
                }
            case .folder: files += allFiles(below: path)
            case .symbolicLink: add(entry, in: folder, .symbolicLink)
            case .special: add(entry, in: folder, .specialFile)
            }
        }
        return files
    }
}
