import SystemCalls

/// Classifies the entries of a listed remote. Entries that do not belong in their place become strays.
struct SnapshotSorter {
    let tree: RemoteTree
    private(set) var strays: [Stray] = []

    init(tree: RemoteTree) { self.tree = tree }

    mutating func rootFiles() -> (readMe: RemoteFile?, salt: RemoteFile?, encryptionTest: RemoteFile?) {
        let layout = RemoteLayout.self
        let root = fixed(
            in: .root, files: [layout.readMe],
            folders: [layout.clientDevices, layout.documents, layout.encryption, layout.information])
        let encryption = fixed(
            in: [layout.encryption], files: [layout.salt, layout.encryptionTest], folders: [])
        _ = fixed(
            in: [layout.information], files: [], folders: [layout.deletedDocuments, layout.deletedClients])
        _ = tombstones(in: [layout.information, layout.deletedClients])
        return (root[layout.readMe], encryption[layout.salt], encryption[layout.encryptionTest])
    }

    mutating func clientDevices() -> [ClientDevice] {
        var devices: [ClientDevice] = []
        for client in folders(in: [RemoteLayout.clientDevices]) {
            let path: RemotePath = [RemoteLayout.clientDevices, client]
            let earlier = strays.count
            let files = fixed(in: path, files: [RemoteLayout.deviceInfo], folders: [])
            let info = seen(files[RemoteLayout.deviceInfo], RemoteLayout.deviceInfo, in: path, earlier)
            devices.append(ClientDevice(identifier: client, deviceInfo: info))
        }
        return devices
    }

    /// A file of a folder, or the reason why it is unknown whether it exists.
    /// - Parameter earlier: the number of strays before those of this folder.
    private func seen(
        _ file: RemoteFile?, _ name: RemoteName, in folder: RemotePath, _ earlier: Int
    ) -> Seen<RemoteFile?> {
        if let file { return .all(file) }
        let placeholder = strays[earlier...].first {
            $0.kind.standsForAnother && $0.path.parent == folder && $0.originalName == name
        }
        return Seen(
            nil,
            tree.gap(at: folder.appending(name))
                ?? placeholder.flatMap { $0.absentContent?.problem($0.path.filePath(under: tree.root)) })
    }

    // MARK: Folders by what they hold

    /// The subfolders of a folder that contains only folders named by identifiers.
    mutating func folders(in folder: RemotePath) -> [RemoteName] {
        accept(in: folder) {
            $0.kind == .folder && !$0.name.isHidden ? nil : Self.misplaced($0, wanted: .folder)
        }
        .map(\.name)
    }

    /// The files of a folder that contains only entries of the form `<identifier><suffix>`.
    mutating func files(in folder: RemotePath, suffix: String) -> [(identifier: RemoteName, file: RemoteFile)]
    {
        let entries = accept(in: folder) {
            $0.name.removing(suffix: suffix) == nil || $0.name.isHidden
                ? .unknown : Self.misplaced($0, wanted: .file)
        }
        return entries.compactMap { entry in
            entry.name.removing(suffix: suffix).map {
                ($0, RemoteFile(path: folder.appending(entry.name), entry))
            }
        }
    }

    mutating func tombstones(in folder: RemotePath) -> [Tombstone] {
        files(in: folder, suffix: RemoteLayout.propertyListSuffix).map { Tombstone(identifier: $0, file: $1) }
    }

    /// The files of a folder whose names are all fixed.
    mutating func fixed(
        in folder: RemotePath, files: [RemoteName], folders: [RemoteName]
    ) -> [RemoteName: RemoteFile] {
        let entries = accept(in: folder) {
            if folders.contains($0.name) { return Self.misplaced($0, wanted: .folder) }
            return files.contains($0.name) ? Self.misplaced($0, wanted: .file) : .unknown
        }
        return entries.reduce(into: [:]) { found, entry in
            if entry.kind == .file {
                found[entry.name] = RemoteFile(path: folder.appending(entry.name), entry)
            }
        }
    }

    static func misplaced(_ entry: FolderEntry, wanted: FileKind) -> Stray.Kind? {
        if entry.kind == wanted { return nil }
        return entry.kind == .folder || entry.kind == .file ? .wrongKind : .unknown
    }

    /// The entries of a folder that are data. `problem` returns the kind of stray of an entry that is not known junk.
    mutating func accept(in folder: RemotePath, _ problem: (FolderEntry) -> Stray.Kind?) -> [FolderEntry] {
        let listing = tree.listing(folder).part
        var accepted: [FolderEntry] = []
        for entry in listing {
            if let junk = StrayRules.junk(entry, in: listing) {
                add(entry, in: folder, junk.kind, twin: junk.twin)
            } else if let kind = problem(entry) {
                add(entry, in: folder, kind)
            } else {
                accepted.append(entry)
                addIfAbsent(entry, in: folder)
            }
        }
        addTwins(of: listing, in: folder)
        return accepted
    }

    /// Adds a stray for a file of the framework whose content is not local.
    mutating func addIfAbsent(_ entry: FolderEntry, in folder: RemotePath) {
        if let kind = CloudPlaceholder.stray(entry, in: folder) { add(entry, in: folder, kind) }
    }

    mutating func addTwins(of listing: FolderListing, in folder: RemotePath) {
        for (twin, original) in NameCollisions.find(in: listing) {
            add(listing[twin], in: folder, .nameTwin, twin: listing[original].name)
        }
    }

    mutating func add(
        _ entry: FolderEntry, in folder: RemotePath, _ kind: Stray.Kind, twin: RemoteName? = nil
    ) {
        strays.append(
            Stray(
                path: folder.appending(entry.name), kind: kind, fileKind: entry.kind,
                size: entry.kind == .folder ? 0 : entry.size, modified: entry.modified, twin: twin))
    }

    mutating func documents() -> [DocumentSnapshot] {
        var documents: [DocumentSnapshot] = []
        for identifier in folders(in: [RemoteLayout.documents]) { documents.append(document(identifier)) }
        return documents
    }

    private mutating func document(_ identifier: RemoteName) -> DocumentSnapshot {
        let path = RemoteLayout.document(identifier)
        let recentSyncs = path.appending(RemoteLayout.recentSyncs)
        let earlier = strays.count
        let files = fixed(in: path, files: [RemoteLayout.documentInfo], folders: RemoteLayout.documentFolders)
        let info = seen(files[RemoteLayout.documentInfo], RemoteLayout.documentInfo, in: path, earlier)
        let (wholeStores, shared) = wholeStores(in: path.appending(RemoteLayout.wholeStore))
        let unlisted = ([RemoteLayout.documentInfo] + RemoteLayout.documentFolders).filter {
            tree.gap(at: path.appending($0)) != nil
        }
        return DocumentSnapshot(
            identifier: identifier, documentInfo: info,
            integrityKeys: integrityKeys(in: path.appending(RemoteLayout.integrityKey)),
            clients: clients(in: path.appending(RemoteLayout.syncChanges)),
            syncCommands: syncCommands(in: path.appending(RemoteLayout.syncCommands)),
            recentSyncs: self.files(in: recentSyncs, suffix: RemoteLayout.recentSyncSuffix)
                .map { RecentSync(client: $0, file: $1) },
            recentSyncsFolderModified: tree[recentSyncs].part.flatMap {
                $0.kind == .folder ? $0.modified : nil
            },
            deletedClients: tombstones(in: path.appending(RemoteLayout.deletedClients)),
            wholeStores: wholeStores, sharedExternalData: shared,
            temporaryFiles: allFiles(below: path.appending(RemoteLayout.temporaryFiles)),
            missingFolders: RemoteLayout.documentFolders.filter {
                tree[path.appending($0)].part?.kind != .folder && !unlisted.contains($0)
            }, unlisted: unlisted)
    }

    private mutating func integrityKeys(in folder: RemotePath) -> [RemoteFile] {
        accept(in: folder) { $0.name.isHidden ? .unknown : Self.misplaced($0, wanted: .file) }
            .map { RemoteFile(path: folder.appending($0.name), $0) }
    }

    private mutating func syncCommands(in folder: RemotePath) -> [RemoteName] {
        let clients = folders(in: folder)
        for client in clients {
            _ = files(in: folder.appending(client), suffix: RemoteLayout.commandSetSuffix)
        }
        return clients
    }

    private mutating func clients(in folder: RemotePath) -> [ClientChangeSets] {
        var clients: [ClientChangeSets] = []
        for client in folders(in: folder) {
            let path = folder.appending(client)
            clients.append(ClientChangeSets(identifier: client, path: path, changeSets: changeSets(in: path)))
        }
        return clients
    }

    /// The change sets of a folder. There may be very many, so only names with a character that the framework never
    /// puts into an identifier are compared with the names of junk.
    private mutating func changeSets(in folder: RemotePath) -> ChangeSetList {
        let listing = tree.listing(folder).part
        let suffix = Array(RemoteLayout.changeSetSuffix.utf8)
        var positions: [UInt32] = []
        positions.reserveCapacity(listing.count)
        for position in listing.indices {
            let isOrdinary =
                listing.kind(at: position) == .file && listing.size(at: position) > 1
                && !listing.holdsOnlyZeros(at: position) && listing.original(at: position) == nil
            if isOrdinary && listing.withName(at: position, { isPlainName($0, endingIn: suffix) }) {
                positions.append(UInt32(clamping: position))
                continue
            }
            let entry = listing[position]
            if let junk = StrayRules.junk(entry, in: listing) {
                add(entry, in: folder, junk.kind, twin: junk.twin)
            } else if entry.kind != .file || entry.name.isHidden
                || entry.name.removing(suffix: RemoteLayout.changeSetSuffix) == nil
            {
                add(entry, in: folder, Self.misplaced(entry, wanted: .file) ?? .unknown)
            } else {
                positions.append(UInt32(clamping: position))
                addIfAbsent(entry, in: folder)
            }
        }
        addTwins(of: listing, in: folder)
        return ChangeSetList(listing: listing, positions: positions)
    }

    /// Whether a name has only hexadecimal digits, `-`, `,` and `.` before the suffix, and no dot at the beginning.
    /// Words of sync services contain other letters.
    private func isPlainName(_ name: UnsafeRawBufferPointer, endingIn suffix: [UInt8]) -> Bool {
        guard name.count > suffix.count, name[0] != UInt8(ascii: "."),
            name.suffix(suffix.count).elementsEqual(suffix)
        else { return false }
        return name.dropLast(suffix.count).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
                UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: ","), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
    }

    /// The whole stores of a document, and the totals of the blobs that one fork shares.
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
        let isFolder = tree[storePath].part?.kind == .folder
        let fileNames = [RemoteLayout.wholeStoreFile, RemoteLayout.appliedSyncChangeSets]
        let folderNames = isFolder ? [RemoteLayout.wholeStoreFile] : []
        let files = fixed(in: path, files: fileNames, folders: folderNames)
        var store = files[RemoteLayout.wholeStoreFile]
        var storeFiles: [RemoteFile] = []
        if isFolder, let entry = tree[storePath].part {
            storeFiles = allFiles(below: storePath)
            let totals = storeFiles.reduce(into: FileTotals()) { $0.add($1.size) }
            store = RemoteFile(path: storePath, size: totals.bytes, modified: entry.modified)
        }
        return WholeStoreSnapshot(
            client: client, path: path, store: store, isFolder: isFolder, storeFiles: storeFiles,
            register: files[RemoteLayout.appliedSyncChangeSets])
    }

    /// Every regular file below a folder that may contain any files; only links and special files are strays there.
    private mutating func allFiles(below folder: RemotePath) -> [RemoteFile] {
        var files: [RemoteFile] = []
        for entry in tree.listing(folder).part {
            let path = folder.appending(entry.name)
            switch entry.kind {
            case .file:
                files.append(RemoteFile(path: path, entry))
                if entry.holdsOnlyZeros || CloudPlaceholder.original(of: entry) != nil {
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
