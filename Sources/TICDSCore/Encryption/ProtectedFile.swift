import SystemCalls

/// A file that is encrypted in an encrypted remote (ticds-remote-format(5), 1.4).
public struct ProtectedFile: Hashable, Sendable {
    /// The file.
    public var file: RemoteFile
    /// The purpose of the file.
    public var role: FileRole
    /// False for strays, and for files in a place that the framework does not know: only a test decryption shows
    /// whether such a file is encrypted.
    public var isExpected: Bool
}

extension RemoteSnapshot {
    /// The files that clients encrypt, in the order of their paths. Files that are never encrypted are left out (the
    /// salt, `ReadMe.txt`, integrity keys, recent syncs and registers), and the test file, which is written and removed
    /// with the salt.
    public func protectedFiles() -> ProtectedFiles {
        var strays: Set<RemotePath> = []
        for stray in self.strays where !Self.isData(stray.kind) { strays.insert(stray.path) }
        return ProtectedFiles(below: .root, in: tree) { path, role in
            Self.isProtected(path, role).map { $0 && !strays.contains(path) }
        }
    }

    /// Whether a file in this place is encrypted; nil if it never is.
    private static func isProtected(_ path: RemotePath, _ role: FileRole) -> Bool? {
        switch role {
        case .readMe, .salt, .encryptionTest, .integrityKey, .recentSync, .register: nil
        case .deviceInfo, .documentInfo, .wholeStore, .sharedExternalData: true
        case .changeSet: path.last?.removing(suffix: RemoteLayout.changeSetSuffix) != nil
        case .tombstone: path.last?.removing(suffix: RemoteLayout.propertyListSuffix) != nil
        case .temporaryFile:
            path.last == RemoteLayout.appliedSyncChangeSets
                ? nil : path.names.contains(RemoteLayout.wholeStoreFile)
        case .folder, .commandSet, .symbolicLink, .special, .unknown: false
        }
    }

    /// Whether a stray is a file of the framework: a copy of one, or one without content.
    private static func isData(_ kind: Stray.Kind) -> Bool {
        switch kind {
        case .conflictedCopy, .emptyFile, .notDownloaded, .nameTwin: true
        default: false
        }
    }
}

/// Files of a listed remote. A file takes 8 bytes beside the listing, and is made on request.
public struct ProtectedFiles: RandomAccessCollection, Sendable {
    private var folders: [(path: RemotePath, listing: FolderListing)] = []
    private var places: [Place] = []

    private struct Place {
        var folder: UInt32
        /// The position in the listing of the folder, doubled; odd if the file is expected to be encrypted.
        var position: UInt32
    }

    /// No files.
    public init() {}

    /// - Parameter isExpected: whether a file is expected to be encrypted; nil for one that does not belong to these.
    init(
        below folder: RemotePath, in tree: RemoteTree, _ isExpected: (RemotePath, FileRole) -> Bool?
    ) {
        add(folder, tree, isExpected)
    }

    private mutating func add(
        _ folder: RemotePath, _ tree: RemoteTree, _ isExpected: (RemotePath, FileRole) -> Bool?
    ) {
        let listing = tree.listing(folder).part
        let number = UInt32(clamping: folders.count)
        folders.append((folder, listing))
        for position in listing.indices {
            let kind = listing.kind(at: position)
            guard kind == .file || kind == .folder else { continue }
            let path = folder.appending(listing[position].name)
            if kind == .folder {
                add(path, tree, isExpected)
            } else if let isExpected = isExpected(path, FileRole(of: path, kind: .file)) {
                let place = UInt32(clamping: position) << 1 | (isExpected ? 1 : 0)
                places.append(Place(folder: number, position: place))
            }
        }
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of files.
    public var endIndex: Int { places.count }

    /// The file at a position.
    public subscript(position: Int) -> ProtectedFile {
        let place = places[position]
        let (folder, listing) = folders[Int(place.folder)]
        let entry = listing[Int(place.position >> 1)]
        let path = folder.appending(entry.name)
        return ProtectedFile(
            file: RemoteFile(path: path, entry), role: FileRole(of: path, kind: .file),
            isExpected: place.position & 1 == 1)
    }

    /// Leaves only the files at the positions that `isWanted` admits.
    mutating func keep(where isWanted: (Int) -> Bool) {
        places = places.indices.filter(isWanted).map { places[$0] }
    }
}
