import SystemCalls
import SystemPackage

/// What a client looks at in the remote before it synchronises a document (ticoredatasync.md, 4.2 and 4.8.1). Only
/// names are read, and sizes and times of what is new.
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
    let membership: ReplicaSession.Membership
    private(set) var commands: [RemotePath] = []
    private(set) var setsOfOthers = 0
    /// Sets that are not in the document yet, in the order in which they are applied (3.5).
    private(set) var newSets: [ListedSet] = []
    /// Entries that are no sets, although they lie where sets belong.
    private(set) var strays: [RemotePath] = []
    /// Folders that could not be listed, and sets that are not here yet.
    private(set) var problems: [FileProblem] = []
    private var others: [RemoteName] = []
    private let known: Set<[UInt8]>
    private let storage: any RemoteStorage

    /// - Parameter known: identifiers of sets that are in the document.
    init(
        of document: RemoteName, as client: RemoteName, _ variant: ReplicaConfiguration.Variant,
        known: Set<[UInt8]>, in storage: any RemoteStorage
    ) throws(FileProblem) {
        self.document = document
        self.client = client
        self.variant = variant
        self.known = known
        self.storage = storage
        membership = ReplicaSession.Membership(of: client, in: document, storage)
        try lookAtDocument()
        let folder = RemoteLayout.document(document).appending(RemoteLayout.syncChanges)
        for entry in try storage.list(folder).listing where entry.name != client {
            if entry.kind == .folder, isListed(entry.name) {
                others.append(entry.name)
                lookAtSets(of: entry.name)
            } else {
                strays.append(folder.appending(entry.name))
            }
        }
        newSets.sort {
            ($0.modified, $0.identifier, $0.client) < ($1.modified, $1.identifier, $1.client)
        }
        lookForCommands()
    }

    private func isListed(_ name: RemoteName) -> Bool {
        variant == .dropbox ? FrameworkLists.isLongEnough(name) : !name.isHidden
    }

    private mutating func lookAtDocument() throws(FileProblem) {
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
    }

    private mutating func lookAtSets(of other: RemoteName) {
        let folder = RemoteLayout.syncChanges(of: other, in: document)
        var knownSets = 0
        do throws(FileProblem) {
            let contents = try storage.list(folder) { name in
                let isKnown = isKnown(name)
                if isKnown { knownSets += 1 }
                return !isKnown
            }
            problems += contents.problems
            for entry in contents.listing { look(at: entry, of: other, folder) }
        } catch {
            problems.append(error)
        }
        setsOfOthers += knownSets
    }

    private func isKnown(_ name: UnsafeRawBufferPointer) -> Bool {
        name.count > Self.suffix.count && known.contains(Array(name.dropLast(Self.suffix.count)))
    }

    private static let suffix = Array(RemoteLayout.changeSetSuffix.utf8)

    private mutating func look(at entry: FolderEntry, of other: RemoteName, _ folder: RemotePath) {
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
        guard isListed(entry.name), let set = set(entry, of: other, folder) else {
            return strays.append(path)
        }
        setsOfOthers += 1
        newSets.append(set)
    }

    private func set(_ entry: FolderEntry, of client: RemoteName, _ folder: RemotePath) -> ListedSet? {
        guard entry.kind == .file, entry.name.isUTF8,
            let identifier = entry.name.removing(suffix: RemoteLayout.changeSetSuffix)
        else { return nil }
        return ListedSet(
            client: client, identifier: identifier.text, path: folder.appending(entry.name),
            size: entry.size, modified: entry.modified)
    }

    /// Nobody has ever written a command, so nobody knows what one would mean.
    private mutating func lookForCommands() {
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

extension DocumentListing {
    /// Sets that are in the document, one's own included, and come after a moment in the order of application.
    func knownSets(after modified: FileTime, _ identifier: String) -> [ListedSet] {
        (others + [client]).flatMap { client -> [ListedSet] in
            let folder = RemoteLayout.syncChanges(of: client, in: document)
            guard let listing = (try? storage.list(folder) { isKnown($0) })?.listing else { return [] }
            return listing.compactMap { set($0, of: client, folder) }
                .filter { (modified, identifier) < ($0.modified, $0.identifier) }
        }
    }

    /// The newest set of another client.
    func newest() -> ListedSet? {
        var newest: ListedSet?
        for client in others {
            let folder = RemoteLayout.syncChanges(of: client, in: document)
            for entry in (try? storage.list(folder))?.listing ?? FolderListing()
            where newest.map({ entry.modified > $0.modified }) ?? true {
                newest = set(entry, of: client, folder) ?? newest
            }
        }
        return newest
    }
}
