public import SystemCalls
public import TICDSCore

/// A fact of the remote on which a plan depends, besides the entries that it changes.
///
/// A plan is refused as soon as one does not hold, since it could remove what a client still needs. Files that desktops and
/// sync services leave in every folder, such as `.DS_Store`, do not count.
public enum PlanCondition: Hashable, Sendable, Codable {
    /// A file, or a folder with everything in it, must be as it was `seen`; nil: there must be none.
    case same(path: RemotePath, seen: EntryState?)
    /// A folder must have exactly these entries, none of them older than here; without entries, it may be missing.
    case notOlder(path: RemotePath, entries: [ConditionEntry])

    /// The file or folder.
    public var path: RemotePath {
        switch self {
        case .same(let path, _), .notOlder(let path, _): path
        }
    }

    /// An entry of a folder, and when it was modified.
    public struct ConditionEntry: Hashable, Sendable, Codable {
        /// Its name in the folder.
        public var name: RemoteName
        /// The time that it had.
        public var modified: FileTime

        /// An entry with its time.
        public init(name: RemoteName, modified: FileTime) {
            self.name = name
            self.modified = modified
        }
    }
}

extension Plan {
    /// Makes the plan depend on a file, or on all that is in a folder; also on their absence.
    mutating func dependOnContent(of path: RemotePath, in tree: RemoteTree) throws(FileProblem) {
        guard let entry = try tree[path].whole else {
            return conditions.append(.same(path: path, seen: nil))
        }
        let seen =
            entry.kind == .folder
            ? try EntryState(counted: path) { (folder) throws(FileProblem) in try tree.listing(folder).whole }
            : try tree.state(of: path)
        conditions.append(.same(path: path, seen: seen))
    }

    /// Makes the plan depend on all that is in a folder now.
    mutating func dependOnContent(of folder: RemotePath, in storage: any RemoteStorage) throws(FileProblem) {
        let isThere = try storage.kind(of: folder) == .folder
        conditions.append(
            .same(path: folder, seen: isThere ? try EntryState(counted: folder, in: storage) : nil))
    }

    /// Makes the plan depend on the names in a folder, and on no entry becoming older.
    mutating func dependOnNames(in folder: RemotePath, _ tree: RemoteTree) throws(FileProblem) {
        let entries = try tree.listing(folder).whole.withoutSystemFiles.map {
            PlanCondition.ConditionEntry(name: $0.name, modified: $0.modified)
        }
        conditions.append(.notOlder(path: folder, entries: entries))
    }

    /// Makes the plan depend on the last synchronisation of each client, in the documents whose change sets it replaces or
    /// removes. Clients that synchronised before never get what is new.
    package mutating func dependOnSyncs(in tree: RemoteTree) {
        let documents = Set(
            actions.compactMap { action in
                FileRole(of: action.kind.path, kind: .file) == .changeSet ? action.kind.path.document : nil
            })
        for document in documents.sorted() {
            let folder = RemoteLayout.document(document).appending(RemoteLayout.recentSyncs)
            // try?: what could not be listed shows no synchronisation; the repair does not need it
            try? dependOnNames(in: folder, tree)
        }
    }

    /// Makes the plan depend on what shows which change sets of a document clients still need: its clients, its whole stores
    /// with their registers, and the last synchronisation of each client. Clients may synchronise in the meantime.
    mutating func dependOnFetching(of document: RemoteName, in tree: RemoteTree) throws(FileProblem) {
        let folder = RemoteLayout.document(document)
        try dependOnContent(of: folder.appending(RemoteLayout.wholeStore), in: tree)
        try dependOnNames(in: folder.appending(RemoteLayout.recentSyncs), tree)
        try dependOnNames(in: folder.appending(RemoteLayout.syncChanges), tree)
    }
}

extension PlanCondition {
    /// - Parameter event: since when it must hold, for the error; nil if the caller says it.
    /// - Throws: `.refused` where it does not hold any more.
    func check(_ storage: any RemoteStorage, since event: String?) throws(FileProblem) {
        let place = path.filePath(under: storage.root)
        let now = try storage.statusIfPresent(of: path)
        switch self {
        case .same(_, let seen):
            guard let seen else {
                if now != nil { throw .changed(place, since: event) }
                return
            }
            guard let now else { throw .vanished(place, since: event) }
            let state =
                now.kind == .folder
                ? try EntryState(counted: path, in: storage) : try storage.state(of: path)
            guard state == seen else { throw .changed(place, since: event) }
        case .notOlder(_, let wanted):
            let entries = now == nil ? FolderListing() : try storage.list(path).whole().withoutSystemFiles
            let names = Set(wanted.map(\.name))
            if let new = entries.first(where: { !names.contains($0.name) }) {
                throw .changed(path.appending(new.name).filePath(under: storage.root), since: event)
            }
            for entry in wanted {
                let place = path.appending(entry.name).filePath(under: storage.root)
                guard let found = entries[entry.name] else {
                    throw .vanished(place, since: event)
                }
                guard found.modified >= entry.modified else { throw .changed(place, since: event) }
            }
        }
    }
}

extension EntryState {
    /// The state of a folder without the files that do not count.
    fileprivate init(
        counted folder: RemotePath, _ list: (RemotePath) throws(FileProblem) -> FolderListing
    ) throws(FileProblem) {
        try self.init(folder: folder) { (folder) throws(FileProblem) in try list(folder).withoutSystemFiles }
    }

    fileprivate init(counted folder: RemotePath, in storage: any RemoteStorage) throws(FileProblem) {
        try self.init(counted: folder) { (folder) throws(FileProblem) in try storage.list(folder).whole() }
    }
}

extension FolderListing {
    /// The entries but those that desktops and sync services leave in every folder.
    var withoutSystemFiles: FolderListing {
        FolderListing(filter { StrayRules.junk($0, in: self)?.kind != .systemFile })
    }
}
