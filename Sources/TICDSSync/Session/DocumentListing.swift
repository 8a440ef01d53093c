import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations

/// The entries that a client lists before it synchronises (ticds-protocol(7), 1.2, 1.8.1); sizes and times of new sets
/// only.
struct DocumentListing {
    /// A change set of another client.
    struct ListedSet: Hashable {
        var client: RemoteName
        var identifier: String
        var path: RemotePath
        var size: Int64
        var modified: FileTime
        /// The time of sending, which decides the order of application.
        var sent: FileTime { ChangeSetIdentifier.sendingTime(RemoteName(identifier), modified: modified) }
    }

    let document: RemoteName
    let client: RemoteName
    let variant: ReplicaConfiguration.Variant
    /// Names in the folder `IntegrityKey` that clients accept as the key.
    private(set) var integrityKeys: [RemoteName] = []
    let membership: ReplicaSession.Membership
    private(set) var commands: [RemotePath] = []
    private(set) var setsOfOthers = 0
    /// Sets that are not yet in the document, in the order of application: by time of sending.
    private(set) var newSets: [ListedSet] = []
    /// Entries in the folders of change sets that are not change sets.
    private(set) var strays: [RemotePath] = []
    /// Folders that could not be listed, and sets whose content a cloud service has not downloaded.
    private(set) var problems: [FileProblem] = []
    private(set) var others: [RemoteName] = []
    private let known: KnownSets
    let storage: any RemoteStorage

    /// - Parameter known: identifiers of sets that are in the document.
    init(
        of document: RemoteName, as client: RemoteName, _ variant: ReplicaConfiguration.Variant,
        known: KnownSets, in storage: any RemoteStorage
    ) throws(FileProblem) {
        self.document = document
        self.client = client
        self.variant = variant
        self.known = known
        self.storage = storage
        membership = try ReplicaSession.Membership(of: client, in: document, storage)
        try listDocument()
        let folder = RemoteLayout.document(document).appending(RemoteLayout.syncChanges)
        let clients = try storage.list(folder)
        problems += clients.problems
        for entry in clients.listing where entry.name != client {
            if entry.kind == .folder, isListed(entry.name) {
                others.append(entry.name)
                listSets(of: entry.name)
            } else if CloudPlaceholder.original(of: entry) != nil {
                problems.append(CloudPlaceholder.placeholder.problem(place(of: folder.appending(entry.name))))
            } else if let unread = CloudPlaceholder(ofUnread: entry.kind), isListed(entry.name) {
                problems.append(unread.problem(place(of: folder.appending(entry.name))))
            } else {
                strays.append(folder.appending(entry.name))
            }
        }
        newSets.sort { ($0.sent, $0.identifier, $0.client) < ($1.sent, $1.identifier, $1.client) }
        try listCommands()
    }

    private func place(of path: RemotePath) -> FilePath { path.filePath(under: storage.root) }

    private func isListed(_ name: RemoteName) -> Bool {
        variant == .dropbox ? FrameworkLists.isLongEnough(name) : !name.isHidden
    }

    private mutating func listDocument() throws(FileProblem) {
        let path = RemoteLayout.document(document)
        guard try storage.kind(of: path) == .folder else {
            let isDeleted = try storage.kind(of: Tombstones.path(ofDocument: document)) != nil
            throw FileProblem(
                .missing, path: path.filePath(under: storage.root),
                isDeleted ? "the document was deleted from the remote" : "the document is not in the remote",
                advice: "The replica keeps its data; ticds-document restore can restore the document")
        }
        let keys = path.appending(RemoteLayout.integrityKey)
        let listing = try storage.entriesIfPresent(of: keys)
        if let placeholder = listing.first(where: { CloudPlaceholder.original(of: $0) != nil }) {
            throw CloudPlaceholder.placeholder.problem(place(of: keys.appending(placeholder.name)))
        }
        integrityKeys = listing.map(\.name).filter { $0.isUTF8 && FrameworkLists.isLongEnough($0) }
    }

    private mutating func listSets(of other: RemoteName) {
        let folder = RemoteLayout.syncChanges(of: other, in: document)
        var knownSets = 0
        do throws(FileProblem) {
            let contents = try storage.list(folder) { name in
                let isKnown = isKnown(name)
                if isKnown { knownSets += 1 }
                return !isKnown
            }
            problems += contents.problems
            for entry in contents.listing { add(entry, of: other, folder) }
        } catch { problems.append(error) }
        setsOfOthers += knownSets
    }

    private func isKnown(_ name: UnsafeRawBufferPointer) -> Bool {
        let length = name.count - Self.suffix.count
        return length > 0 && known.contains(UnsafeRawBufferPointer(rebasing: name[..<length]))
    }

    private static let suffix = Array(RemoteLayout.changeSetSuffix.utf8)

    private mutating func add(_ entry: FolderEntry, of other: RemoteName, _ folder: RemotePath) {
        let path = folder.appending(entry.name)
        if let absence = absence(of: entry, in: folder) {
            return problems.append(absence.problem(place(of: path)))
        }
        guard isListed(entry.name), let set = set(entry, of: other, folder) else {
            return strays.append(path)
        }
        setsOfOthers += 1
        newSets.append(set)
    }

    /// The reason why the content of a set is not local; nil if it is, and for an empty file, which the fetch reports.
    private func absence(of entry: FolderEntry, in folder: RemotePath) -> CloudPlaceholder? {
        if let unread = CloudPlaceholder(ofUnread: entry.kind) {
            return CloudPlaceholder.isRead(at: folder.appending(entry.name)) ? unread : nil
        }
        return switch CloudPlaceholder.stray(entry, in: folder) {
        case .cloudPlaceholder?: .placeholder
        case .notDownloaded?: entry.size == 1 ? .oneByte : .zeros
        default: nil
        }
    }

    private func set(_ entry: FolderEntry, of client: RemoteName, _ folder: RemotePath) -> ListedSet? {
        guard entry.kind == .file, entry.name.isUTF8,
            let identifier = entry.name.removing(suffix: RemoteLayout.changeSetSuffix)
        else { return nil }
        return ListedSet(
            client: client, identifier: identifier.text, path: folder.appending(entry.name),
            size: entry.size, modified: entry.modified)
    }

    /// Lists sync commands. No version of the framework writes them, so their meaning is unknown.
    private mutating func listCommands() throws(FileProblem) {
        let folder = RemoteLayout.document(document).appending(RemoteLayout.syncCommands)
        for entry in try storage.entriesIfPresent(of: folder) where entry.kind == .folder {
            let path = folder.appending(entry.name)
            for file in try storage.entriesIfPresent(of: path)
            where file.name.removing(suffix: RemoteLayout.commandSetSuffix) != nil {
                commands.append(path.appending(file.name))
            }
        }
    }

    /// Sets that are in the document, including those of this client, and that come after the given set in the order of
    /// application.
    /// - Throws: an error if the sets of a client cannot be listed. Without them the document would differ from other
    ///   replicas.
    func knownSets(after sent: FileTime, _ identifier: String) throws(FileProblem) -> [ListedSet] {
        var known: [ListedSet] = []
        for client in others + [client] {
            let folder = RemoteLayout.syncChanges(of: client, in: document)
            let listing = try unlessMissing { () throws(FileProblem) in
                try storage.list(folder) { isKnown($0) }.whole()
            }
            known += (listing ?? FolderListing()).compactMap { set($0, of: client, folder) }
                .filter { (sent, identifier) < ($0.sent, $0.identifier) }
        }
        return known
    }

    func newest() throws(FileProblem) -> ListedSet? {
        var newest: ListedSet?
        for client in others {
            let folder = RemoteLayout.syncChanges(of: client, in: document)
            for entry in try storage.entriesIfPresent(of: folder)
            where newest.map({ entry.modified > $0.modified }) ?? true {
                newest = set(entry, of: client, folder) ?? newest
            }
        }
        return newest
    }
}

/// Whether a client may synchronise with a document (ticds-protocol(7), 1.8.1).
struct RunPreconditions {
    let folder: ReplicaFolder
    /// The integrity key that the replica remembers; nil if it has none yet.
    let integrityKey: RemoteName?
    let storage: any RemoteStorage

    /// - Throws: `.refused` if it may not synchronise. Local edits are kept, and nothing is changed.
    func check(_ listing: DocumentListing) throws(FileProblem) {
        try checkDocument(listing)
        guard listing.membership == .member else {
            throw refusal(
                RemoteLayout.syncChanges(of: listing.client, in: listing.document),
                listing.membership == .removed
                    ? "this client was removed from the document"
                    : "this client is not registered with the document", expected: nil,
                advice: listing.membership == .removed
                    ? "Change sets that it had not fetched may be gone: create a new replica with ticds-sync clone; this one keeps its edits"
                    : "ticds-sync run registers it")
        }
    }

    /// Checks everything except membership; called before the client is registered.
    func checkDocument(_ listing: DocumentListing) throws(FileProblem) {
        let document = RemoteLayout.document(listing.document)
        try checkKey(listing, document.appending(RemoteLayout.integrityKey))
        if let command = listing.commands.first {
            throw refusal(
                command, "unsupported sync command",
                expected: "none: no version of the framework writes any",
                advice: "Find out who wrote it; after you have moved it away, synchronisation continues")
        }
    }

    private func checkKey(_ listing: DocumentListing, _ place: RemotePath) throws(FileProblem) {
        guard !listing.integrityKeys.isEmpty else {
            throw refusal(
                place, "the document has no integrity key", expected: integrityKey?.text,
                advice: "ticds-integrity reset writes one")
        }
        guard let integrityKey, !listing.integrityKeys.contains(integrityKey) else { return }
        throw refusal(
            place, "the document has another integrity key than when this replica was created",
            expected: integrityKey.text, found: listing.integrityKeys.map(\.text).joined(separator: ", "),
            advice:
                "The document was created again, or its key was reset: create a new replica with ticds-sync clone; this one keeps its edits"
        )
    }

    private func refusal(
        _ path: RemotePath, _ problem: String, expected: String?, found: String? = nil, advice: String
    ) -> FileProblem {
        FileProblem(
            .refused, path: path.filePath(under: storage.root), problem, expected: expected, found: found,
            advice: advice)
    }
}
