public import SystemCalls
public import SystemPackage

/// The content of a remote as of one listing: names, kinds, sizes and times. All other code works from it.
public struct RemoteSnapshot: Sendable {
    /// All folders as they were listed.
    public var tree: RemoteTree
    /// The name of the remote's folder.
    public var applicationIdentifier: RemoteName
    /// `ReadMe.txt`; nil if it is missing.
    public var readMe: RemoteFile?
    /// `Encryption/salt.ticdsync`; clients take only its presence as the sign of encryption (ticds-protocol(7), 3.5).
    public var salt: RemoteFile?
    /// `Encryption/test.ticdsync`; nil if it is missing.
    public var encryptionTest: RemoteFile?
    /// Clients of the app, sorted by identifier.
    public var clientDevices: [ClientDevice]
    /// Sorted by identifier.
    public var documents: [DocumentSnapshot]
    /// Tombstones of deleted documents, sorted by identifier.
    public var deletedDocuments: [Tombstone]
    /// Sorted by path.
    public var strays: [Stray]
    /// The strays that replace another file or folder, by its path: it is missing everywhere else in this value. A link
    /// or special file replaces the entry that clients read there.
    private let replaced: [(path: RemotePath, stray: Stray)]
    /// The problems of listing.
    public var problems: [FileProblem]

    /// The folder of the remote.
    public var root: FilePath { tree.root }
    /// Whether the remote has a salt: clients then treat it as encrypted.
    public var isEncrypted: Bool { salt != nil }

    /// The document with this identifier.
    public func document(_ identifier: RemoteName) -> DocumentSnapshot? {
        documents.first { $0.identifier == identifier }
    }

    /// The listing, with the first error of listing. An entry that has vanished is not an error.
    public var listed: Seen<RemoteSnapshot> { Seen(self, problems.first(where: \.isUnread)) }

    /// Lists a remote and classifies its entries.
    /// - Parameter countsSets: whether ordinary change sets are only counted, for reports that do not name them.
    public static func take(
        _ storage: some RemoteStorage, countsSets: Bool = false
    ) throws(FileProblem) -> RemoteSnapshot {
        RemoteSnapshot(try RemoteScanner.scan(storage, countsSets: countsSets))
    }

    /// Classifies the entries of a listed remote.
    public init(_ tree: RemoteTree) {
        var sorter = SnapshotSorter(tree: tree)
        self.tree = tree
        applicationIdentifier = RemoteName(ofRemoteAt: tree.root)
        clientDevices = sorter.clientDevices()
        documents = sorter.documents()
        deletedDocuments = sorter.tombstones(in: [RemoteLayout.information, RemoteLayout.deletedDocuments])
        (readMe, salt, encryptionTest) = sorter.rootFiles()
        strays = sorter.strays.sorted { ($0.path, $0.kind.rawValue) < ($1.path, $1.kind.rawValue) }
        replaced = strays.compactMap { stray in
            if stray.absence?.isDeliverable == false { return (stray.path, stray) }
            guard stray.kind.standsForAnother, let name = stray.originalName else { return nil }
            return (stray.path.parent.appending(name), stray)
        }
        problems = tree.problems
    }
}

extension RemoteSnapshot {
    /// The reason why there may be more at `path`, or directly in it, than was listed: a folder that could not be
    /// listed, a file that a sync service has not delivered, or a link; nil if there is none.
    public func gap(at path: RemotePath) -> FileProblem? {
        tree.gap(at: path) ?? absence { path.names.starts(with: $0.names) || $0.parent == path }
    }

    /// The reason why a folder may have entries that were not listed; nil if all their names are known.
    public func gap(inNamesOf folder: RemotePath) -> FileProblem? {
        tree.gap(inNamesOf: folder) ?? absence { folder.names.starts(with: $0.names) }
    }

    /// The reason why a folder, with everything below it, may have entries that were not listed; nil if all are known.
    public func gap(below folder: RemotePath) -> FileProblem? {
        tree.gap(below: folder)
            ?? absence { $0.names.starts(with: folder.names) || folder.names.starts(with: $0.names) }
    }

    /// The reason why documents may be missing: `Documents` could not be listed, or it or a document is a link or a
    /// special file.
    public var hiddenDocument: FileProblem? {
        let documents: RemotePath = [RemoteLayout.documents]
        if let gap = gap(inNamesOf: documents) { return gap }
        let links: Set<Stray.Kind> = [.symbolicLink, .specialFile]
        let stray = absentFiles.first { links.contains($0.kind) && $0.path.parent == documents }
        return stray.flatMap { stray in stray.absence?.problem(stray.path.filePath(under: root)) }
    }

    private func absence(where isPlace: (RemotePath) -> Bool) -> FileProblem? {
        guard let stray = replaced.first(where: { isPlace($0.path) })?.stray else { return nil }
        return stray.absentContent?.problem(stray.path.filePath(under: root))
    }
}

/// A client of the app: `ClientDevices/<client>`.
public struct ClientDevice: Hashable, Sendable {
    /// The name of the client's folder.
    public var identifier: RemoteName
    /// `deviceInfo.plist`; nil if it is missing, or unknown if it could not be listed or is not delivered.
    public var deviceInfo: Seen<RemoteFile?>
}

/// The record of a removed client (`DeletedClients/<client>.plist`) or a deleted document.
public struct Tombstone: Hashable, Sendable {
    /// The identifier of the removed client or document.
    public var identifier: RemoteName
    /// The tombstone itself.
    public var file: RemoteFile
}
