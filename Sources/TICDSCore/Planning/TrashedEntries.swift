public import SystemCalls

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

    /// By their former paths.
    public var entries: [RemotePath: Entry]
    /// When the operation began; nil without entries.
    public var moved: FileTime?

    /// Entries by their former paths.
    public init(_ entries: [RemotePath: Entry] = [:], moved: FileTime? = nil) {
        self.entries = entries
        self.moved = moved
    }

    /// The entry that was at this path.
    public subscript(path: RemotePath) -> Entry? { entries[path] }
    /// Whether there are none.
    public var isEmpty: Bool { entries.isEmpty }
}

extension Plan {
    /// Restores an entry from the trash if the trash has it and its name is free.
    /// - Returns: whether the plan restores it.
    mutating func addRestoration(
        of path: RemotePath, from trash: TrashedEntries, in tree: RemoteTree
    ) throws(FileProblem) -> Bool {
        guard tree[path] == nil, let entry = trash[path] else { return false }
        try addFolders(to: path.parent, in: tree)
        add(.restore(path: path, slot: entry.slot, seen: entry.seen))
        return true
    }
}

extension TrashedEntries {
    /// What the journal's trash still has of a remote. All entries of a group come from one operation: the newest that
    /// moved any of them to the trash.
    /// - Parameter groups: paths; the operation of the first group gives the time.
    public static func find(
        _ groups: [[RemotePath]], _ state: RemoteState
    ) throws(FileProblem) -> TrashedEntries {
        var found = TrashedEntries()
        guard let journal = try Journal.read(state) else { return found }
        var waiting = groups
        for operation in try journal.operations() where operation.state == .done {
            if waiting.isEmpty { break }
            let trash = try journal.trash(of: operation.number)
            for group in waiting where group.contains(where: { trash[$0] != nil }) {
                for path in group { found.entries[path] = trash[path] }
                if group == groups.first || found.moved == nil { found.moved = operation.started }
            }
            waiting.removeAll { group in group.contains { trash[$0] != nil } }
        }
        return found
    }
}

extension Journal {
    /// The entries that an operation moved to the trash, and that are still there.
    fileprivate func trash(of number: Int64) throws(FileProblem) -> [RemotePath: TrashedEntries.Entry] {
        var entries: [RemotePath: TrashedEntries.Entry] = [:]
        for (position, step) in try steps(of: number).enumerated() where step.hasTrash {
            guard case .moveToTrash(let path, let seen) = step.action.change else { continue }
            let slot = TrashPlace(operation: number, action: position)
            entries[path] = TrashedEntries.Entry(slot: slot, seen: seen)
        }
        return entries
    }
}
