public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Entries of a remote that operations moved to the trash, and that are still there.
public struct TrashedEntries: Sendable, Hashable {
    /// One entry in the trash.
    public struct Entry: Sendable, Hashable {
        /// Its place in the trash.
        public var slot: TrashPlace
        /// Its state when it was moved.
        public var seen: EntryState

        /// An entry in `slot`.
        public init(slot: TrashPlace, seen: EntryState) {
            self.slot = slot
            self.seen = seen
        }
    }

    /// A file, link or folder inside a folder in the trash.
    public struct Content: Sendable, Hashable {
        /// The local path of the entry.
        public var place: FilePath
        /// The present state of the entry.
        public var seen: EntryState
    }

    /// The entries, by their former paths.
    public var entries: [RemotePath: Entry]
    /// The contents of the folders among them, by their former paths.
    public var contents: [RemotePath: Content] = [:]
    /// When the operation began; nil without entries.
    public var moved: FileTime?
    /// Entries of the first group that earlier operations moved to the trash, the newest first.
    public var earlier: [TrashedEntries] = []

    /// Entries by their former paths.
    public init(_ entries: [RemotePath: Entry] = [:], moved: FileTime? = nil) {
        self.entries = entries
        self.moved = moved
    }

    /// The entry that was at this path.
    public subscript(path: RemotePath) -> Entry? { entries[path] }
    /// Whether there are no entries.
    public var isEmpty: Bool { entries.isEmpty }

    /// Files and links inside the folder that was at this path, in the order of their paths.
    func files(below path: RemotePath) -> [(path: RemotePath, content: Content)] {
        contents.filter { $0.key.names.starts(with: path.names) && $0.value.seen.kind != .folder }
            .map { (path: $0.key, content: $0.value) }.sorted { $0.path < $1.path }
    }
}

extension Plan {
    /// Restores an entry from the trash if the trash has it and its name is free.
    /// - Returns: whether the plan restores it.
    mutating func addRestoration(
        of path: RemotePath, from trash: TrashedEntries, in tree: RemoteTree
    ) throws(FileProblem) -> Bool {
        guard try tree[path].whole == nil, let entry = trash[path] else { return false }
        try addFolders(to: path.parent, in: tree)
        add(.restore(path: path, slot: entry.slot, seen: entry.seen))
        return true
    }

    /// Copies the former content of a folder that exists again out of the trash, as far as the names are free.
    /// - Returns: the number of restored files, and the paths that are taken.
    mutating func addRestoration(
        ofContentsOf folder: RemotePath, from trash: TrashedEntries, in tree: RemoteTree
    ) throws(FileProblem) -> (restored: Int, taken: [RemotePath]) {
        var restored = 0
        var taken: [RemotePath] = []
        for (path, content) in trash.files(below: folder) {
            guard try tree[path].whole == nil, content.seen.kind == .file,
                try hasFolder(above: path, below: folder, in: tree)
            else {
                let isRestored =
                    try tree[path].whole == nil ? false : content.isSame(as: tree.state(of: path))
                if !isRestored { taken.append(path) }
                continue
            }
            try addFolders(to: path.parent, in: tree)
            add(
                .writeFile(
                    path: path,
                    content: .file(path: PlannedBytes(content.place.bytes), seen: content.seen),
                    modified: content.seen.modified), because: "from the trash")
            restored += 1
        }
        return (restored, taken)
    }

    /// Whether the folders of a path exist or can be made, because no other entry has one of their names.
    private func hasFolder(above path: RemotePath, below top: RemotePath, in tree: RemoteTree)
        throws(FileProblem) -> Bool
    {
        var folder = path.parent
        while folder.names.count >= top.names.count {
            if let entry = try tree[folder].whole, entry.kind != .folder { return false }
            folder = folder.parent
        }
        return true
    }
}

extension TrashedEntries.Content {
    /// Whether an entry of the remote is this entry, restored.
    func isSame(as state: EntryState) -> Bool {
        seen.kind == state.kind && seen.size == state.size && seen.modified == state.modified
    }
}

extension TrashedEntries {
    /// Finds the entries of a remote that are still in the journal's trash. All entries of a group come from one
    /// operation: the newest that moved any of them to the trash.
    /// - Parameter groups: paths; the operation of the first group gives the time.
    public static func find(
        _ groups: [[RemotePath]], _ state: RemoteState
    ) throws(FileProblem) -> TrashedEntries {
        var found = TrashedEntries()
        guard let journal = try Journal.read(state) else { return found }
        var waiting = groups
        for operation in try journal.operations() where operation.state == .done {
            let trash = try journal.trash(of: operation.number)
            if let first = groups.first, !waiting.contains(first), first.contains(where: { trash[$0] != nil })
            {
                var earlier = TrashedEntries(
                    trash.filter { first.contains($0.key) }, moved: operation.started)
                try earlier.list(state)
                found.earlier.append(earlier)
            }
            for group in waiting where group.contains(where: { trash[$0] != nil }) {
                for path in group { found.entries[path] = trash[path] }
                if group == groups.first || found.moved == nil { found.moved = operation.started }
            }
            waiting.removeAll { group in group.contains { trash[$0] != nil } }
        }
        try found.list(state)
        return found
    }

    /// Lists the contents of the folders.
    private mutating func list(_ state: RemoteState) throws(FileProblem) {
        for (path, entry) in entries where entry.seen.kind == .folder {
            let slot = EntryPlace.trash(entry.slot, state).path
            try list(LocalStorage(root: slot), .root, path)
        }
    }

    private mutating func list(
        _ storage: LocalStorage, _ folder: RemotePath, _ path: RemotePath
    ) throws(FileProblem) {
        // The framework's folders of a client have two levels.
        guard folder.names.count < 16 else { return }
        for entry in try storage.list(folder).whole() {
            let inside = folder.appending(entry.name)
            let original = path.appending(entry.name)
            contents[original] = Content(
                place: inside.filePath(under: storage.root),
                seen: EntryState(kind: entry.kind, size: entry.size, modified: entry.modified))
            if entry.kind == .folder { try list(storage, inside, original) }
        }
    }
}

extension Journal {
    /// The entries that an operation moved to the trash, and that are still there.
    fileprivate func trash(of number: Int64) throws(FileProblem) -> [RemotePath: TrashedEntries.Entry] {
        var entries: [RemotePath: TrashedEntries.Entry] = [:]
        for (position, step) in try steps(of: number).enumerated() where step.hasTrash {
            guard case .moveToTrash(let path, let seen) = step.action.kind else { continue }
            let slot = TrashPlace(operation: number, action: position)
            entries[path] = TrashedEntries.Entry(slot: slot, seen: seen)
        }
        return entries
    }
}
