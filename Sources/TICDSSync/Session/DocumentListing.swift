import SystemCalls
import SystemPackage
import TICDSCore

/// What a client looks at in the remote before it synchronises a document (ticds-protocol(7), 4.2 and 4.8.1). Only
/// names are read, and sizes and times of what is new.
struct DocumentListing {
    /// A change set of another client.
    struct ListedSet: Hashable {
        var client: RemoteName
        var identifier: String
        var path: RemotePath
        var size: Int64
        var modified: FileTime
        /// What the order of application goes by.
        var sent: FileTime { ChangeSetIdentifier.sendingTime(RemoteName(identifier), modified: modified) }
    }

    let document: RemoteName
    let client: RemoteName
    let variant: ReplicaConfiguration.Variant
    /// Names in the folder of the integrity key that clients would take for it.
    private(set) var integrityKeys: [RemoteName] = []
    let membership: ReplicaSession.Membership
    private(set) var commands: [RemotePath] = []
    private(set) var setsOfOthers = 0
    /// Sets that are not in the document yet, in the order in which they are applied: that of sending.
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
        membership = try ReplicaSession.Membership(of: client, in: document, storage)
        try lookAtDocument()
        let folder = RemoteLayout.document(document).appending(RemoteLayout.syncChanges)
        let clients = try storage.list(folder)
        problems += clients.problems
        for entry in clients.listing where entry.name != client {
            if entry.kind == .folder, isListed(entry.name) {
                others.append(entry.name)
                lookAtSets(of: entry.name)
            } else if AbsentContent.original(of: entry) != nil {
                problems.append(AbsentContent.placeholder.problem(place(of: folder.appending(entry.name))))
            } else {
                strays.append(folder.appending(entry.name))
            }
        }
        newSets.sort { ($0.sent, $0.identifier, $0.client) < ($1.sent, $1.identifier, $1.client) }
        try lookForCommands()
    }

    private func place(of path: RemotePath) -> FilePath { path.filePath(under: storage.root) }

    private func isListed(_ name: RemoteName) -> Bool {
        variant == .dropbox ? FrameworkLists.isLongEnough(name) : !name.isHidden
    }

    private mutating func lookAtDocument() throws(FileProblem) {
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
        if let placeholder = listing.first(where: { AbsentContent.original(of: $0) != nil }) {
            throw AbsentContent.placeholder.problem(place(of: keys.appending(placeholder.name)))
        }
        integrityKeys = listing.map(\.name).filter { $0.isUTF8 && FrameworkLists.isLongEnough($0) }
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
        if let absence = absence(of: entry, in: folder) {
            return problems.append(absence.problem(place(of: path)))
        }
        guard isListed(entry.name), let set = set(entry, of: other, folder) else {
            return strays.append(path)
        }
        setsOfOthers += 1
        newSets.append(set)
    }

    /// Why a set is not here. One without a byte may be cut off: whoever fetches it looks into that.
    private func absence(of entry: FolderEntry, in folder: RemotePath) -> AbsentContent? {
        switch AbsentContent.stray(entry, in: folder) {
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

    /// Nobody has ever written a command, so nobody knows what one would mean.
    private mutating func lookForCommands() throws(FileProblem) {
        let folder = RemoteLayout.document(document).appending(RemoteLayout.syncCommands)
        for entry in try storage.entriesIfPresent(of: folder) where entry.kind == .folder {
            let path = folder.appending(entry.name)
            for file in try storage.entriesIfPresent(of: path)
            where file.name.removing(suffix: RemoteLayout.commandSetSuffix) != nil {
                commands.append(path.appending(file.name))
            }
        }
    }
}

extension DocumentListing {
    /// Sets that are in the document, one's own included, and come after a moment in the order of application.
    /// - Throws: where a client's sets cannot be listed: applied without them, the document would be another one.
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

    /// The newest set of another client.
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
