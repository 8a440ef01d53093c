public import SystemCalls
public import TICDSCore

/// A fact of the remote on which a plan depends, besides the entries that it changes.
/// A plan is refused as soon as one does not hold, since it could remove what a client still needs.
public enum PlanCondition: Hashable, Sendable, Codable {
    /// A file, or a folder with everything in it, must be as it was `seen`; nil: there must be none.
    case same(path: RemotePath, seen: EntryState?)
    /// A folder must have exactly these files, none of them older than here; without files, it may be missing.
    case notOlder(path: RemotePath, files: [ConditionFile])

    /// The file or folder.
    public var path: RemotePath {
        switch self {
        case .same(let path, _), .notOlder(let path, _): path
        }
    }

    /// A file of a folder, and when it was modified.
    public struct ConditionFile: Hashable, Sendable, Codable {
        /// In its folder.
        public var name: RemoteName
        /// The time that it had.
        public var modified: FileTime

        /// A file with its time.
        public init(name: RemoteName, modified: FileTime) {
            self.name = name
            self.modified = modified
        }
    }
}

extension Plan {
    /// Makes the plan depend on a file, or on all that is in a folder; also on their absence.
    mutating func dependOnContent(of path: RemotePath, in tree: RemoteTree) throws(FileProblem) {
        let seen = try tree[path].whole == nil ? nil : try tree.state(of: path)
        conditions.append(.same(path: path, seen: seen))
    }

    /// Makes the plan depend on what shows which change sets of a document clients still need: its whole stores with their
    /// registers, and the last synchronisation of each client. Clients may synchronise in the meantime.
    mutating func dependOnFetching(of document: RemoteName, in tree: RemoteTree) throws(FileProblem) {
        let folder = RemoteLayout.document(document)
        let stores = folder.appending(RemoteLayout.wholeStore)
        try dependOnContent(of: stores, in: tree)
        let syncs = folder.appending(RemoteLayout.recentSyncs)
        let files = try tree.listing(syncs).whole.map {
            PlanCondition.ConditionFile(name: $0.name, modified: $0.modified)
        }
        conditions.append(.notOlder(path: syncs, files: files))
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
            guard now != nil else { throw .vanished(place, since: event) }
            guard try storage.state(of: path) == seen else { throw .changed(place, since: event) }
        case .notOlder(_, let files):
            let entries = now == nil ? [] : Array(try storage.list(path).whole())
            guard entries.map(\.name) == files.map(\.name),
                zip(entries, files).allSatisfy({ $0.modified >= $1.modified })
            else { throw .changed(place, since: event) }
        }
    }
}
