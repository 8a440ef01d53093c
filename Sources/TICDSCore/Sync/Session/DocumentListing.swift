import SystemCalls
import SystemPackage

/// What a client looks at in the remote before it synchronises a document (ticoredatasync.md, 4.2 and 4.8.1). Only
/// names, sizes and times are read.
struct DocumentListing {
    /// A change set of another client.
    struct ListedSet: Hashable {
        var client: RemoteName
        var identifier: String
        var path: RemotePath
        var size: Int64
        var modified: FileTime
    }

    let document: RemoteName
    let client: RemoteName
    let variant: ReplicaConfiguration.Variant
    /// Names in the folder of the integrity key that clients would take for it.
    private(set) var integrityKeys: [RemoteName] = []
    /// Whether this client has a folder for its sets.
    private(set) var isMember = false
    /// Whether somebody has removed this client from the document.
    private(set) var wasRemoved = false
    private(set) var commands: [RemotePath] = []
    private(set) var setsOfOthers = 0
    /// Sets that are not in the document yet, in the order in which they are applied (3.5).
    private(set) var newSets: [ListedSet] = []
    /// Time of the newest set of another client.
    private(set) var newest: FileTime?
    /// Entries that are no sets, although they lie where sets belong.
    private(set) var strays: [RemotePath] = []
    /// Folders that could not be listed, and sets that are not here yet.
    private(set) var problems: [FileProblem] = []
    private var listings: [RemoteName: FolderListing] = [:]
    private let known: Set<[UInt8]>

    /// - Parameter known: identifiers of sets that are in the document.
    init(
        of document: RemoteName, as client: RemoteName, _ variant: ReplicaConfiguration.Variant,
        known: Set<[UInt8]>, in storage: any RemoteStorage
    ) throws(FileProblem) {
        self.document = document
        self.client = client
        self.variant = variant
        self.known = known
        try lookAtDocument(storage)
        let folder = RemoteLayout.document(document).appending(RemoteLayout.syncChanges)
        for entry in try storage.list(folder).listing {
            let path = folder.appending(entry.name)
            if entry.name == client {
                isMember = entry.kind == .folder
                if isMember { listings[client] = try storage.list(path).listing }
            } else if entry.kind == .folder, isListed(entry.name) {
                try lookAtSets(of: entry.name, storage)
            } else {
                strays.append(path)
            }
        }
        newSets.sort {
            ($0.modified, $0.identifier, $0.client) < ($1.modified, $1.identifier, $1.client)
        }
        try lookForCommands(storage)
    }

    private func isListed(_ name: RemoteName) -> Bool {
        variant == .dropbox ? FrameworkLists.isLongEnough(name) : !name.isHidden
    }

    private mutating func lookAtDocument(_ storage: any RemoteStorage) throws(FileProblem) {
        let path = RemoteLayout.document(document)
        guard (try? storage.status(of: path))?.kind == .folder else {
            let isDeleted = (try? storage.status(of: Tombstones.path(ofDocument: document))) != nil
            throw FileProblem(
                .missing, path: path.filePath(under: storage.root),
                isDeleted ? "the document was deleted from the remote" : "the document is not in the remote",
                advice: "The replica keeps what it has; ticds-document restore can bring the document back")
        }
        let keys = path.appending(RemoteLayout.integrityKey)
        integrityKeys =
            ((try? storage.list(keys))?.listing).map { listing in
                listing.map(\.name).filter { $0.isUTF8 && FrameworkLists.isLongEnough($0) }
            } ?? []
        wasRemoved = (try? storage.status(of: Tombstones.path(of: client, in: document))) != nil
    }

    private mutating func lookAtSets(
        of other: RemoteName, _ storage: any RemoteStorage
    ) throws(FileProblem) {
        let folder = RemoteLayout.syncChanges(of: other, in: document)
        let contents: FolderContents
        do throws(FileProblem) {
            contents = try storage.list(folder)
        } catch {
            return problems.append(error)
        }
        problems += contents.problems
        listings[other] = contents.listing
        for position in contents.listing.indices {
            let isKnown = isKnown(position, contents.listing)
            newest = max(
                newest ?? contents.listing.modified(at: position), contents.listing.modified(at: position))
            setsOfOthers += 1
            if !isKnown { look(at: contents.listing[position], of: other, folder, storage) }
        }
    }

    private func isKnown(_ position: Int, _ listing: FolderListing) -> Bool {
        let suffix = RemoteLayout.changeSetSuffix.utf8.count
        return listing.withName(at: position) {
            $0.count > suffix && known.contains(Array($0.dropLast(suffix)))
        }
    }

    /// Sets that are in the document, one's own included, and come after a moment in the order of application.
    func knownSets(after modified: FileTime, _ identifier: String) -> [ListedSet] {
        var sets: [ListedSet] = []
        for (client, listing) in listings {
            let folder = RemoteLayout.syncChanges(of: client, in: document)
            for position in listing.indices
            where listing.modified(at: position) >= modified && isKnown(position, listing) {
                let entry = listing[position]
                guard let name = entry.name.removing(suffix: RemoteLayout.changeSetSuffix)?.text,
                    (modified, identifier) < (entry.modified, name)
                else { continue }
                sets.append(
                    ListedSet(
                        client: client, identifier: name, path: folder.appending(entry.name),
                        size: entry.size, modified: entry.modified))
            }
        }
        return sets
    }

    private mutating func look(
        at entry: FolderEntry, of other: RemoteName, _ folder: RemotePath, _ storage: any RemoteStorage
    ) {
        let path = folder.appending(entry.name)
        if let absent = entry.name.withoutPlaceholder,
            absent.removing(suffix: RemoteLayout.changeSetSuffix) != nil
        {
            problems.append(
                FileProblem(
                    .missing, path: path.filePath(under: storage.root),
                    "a change set that the cloud service has not brought here yet",
                    advice: "Let the service finish, and run again"))
            return
        }
        guard entry.kind == .file, isListed(entry.name), entry.name.isUTF8,
            let identifier = entry.name.removing(suffix: RemoteLayout.changeSetSuffix)
        else {
            setsOfOthers -= 1
            return strays.append(path)
        }
        newSets.append(
            ListedSet(
                client: other, identifier: identifier.text, path: path, size: entry.size,
                modified: entry.modified))
    }

    /// Nobody has ever written a command, so nobody knows what one would mean.
    private mutating func lookForCommands(_ storage: any RemoteStorage) throws(FileProblem) {
        let folder = RemoteLayout.document(document).appending(RemoteLayout.syncCommands)
        guard let listing = (try? storage.list(folder))?.listing else { return }
        for entry in listing where entry.kind == .folder {
            let path = folder.appending(entry.name)
            guard let inner = (try? storage.list(path))?.listing else { continue }
            for file in inner where file.name.removing(suffix: RemoteLayout.commandSetSuffix) != nil {
                commands.append(path.appending(file.name))
            }
        }
    }
}
