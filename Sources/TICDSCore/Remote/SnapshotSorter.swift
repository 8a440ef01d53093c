import SystemCalls

/// Sorts the entries of a listed remote by what they are; what belongs nowhere becomes a stray.
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
            let files = fixed(in: path, files: [RemoteLayout.deviceInfo], folders: [])
            devices.append(ClientDevice(identifier: client, deviceInfo: files[RemoteLayout.deviceInfo]))
        }
        return devices
    }

    mutating func deletedDocuments() -> [Tombstone] {
        tombstones(in: [RemoteLayout.information, RemoteLayout.deletedDocuments])
    }

    // MARK: Folders by what they hold

    /// The subfolders of a folder that holds nothing but folders named by identifiers.
    mutating func folders(in folder: RemotePath) -> [RemoteName] {
        accept(in: folder) {
            $0.kind == .folder && !$0.name.isHidden ? nil : Self.misplaced($0, wanted: .folder)
        }
        .map(\.name)
    }

    /// The files of a folder that holds `<identifier><suffix>` and nothing else.
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

    /// The entries of a folder that are data. `problem` says what is wrong with an entry that is no known junk.
    mutating func accept(in folder: RemotePath, _ problem: (FolderEntry) -> Stray.Kind?) -> [FolderEntry] {
        let listing = tree.listing(folder)
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

    /// Notes a file of the framework's that has no content here.
    mutating func addIfAbsent(_ entry: FolderEntry, in folder: RemotePath) {
        if let kind = AbsentContent.stray(entry, in: folder) { add(entry, in: folder, kind) }
    }

    mutating func addTwins(of listing: FolderListing, in folder: RemotePath) {
        for (twin, original) in NameTwins.find(in: listing) {
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
}
