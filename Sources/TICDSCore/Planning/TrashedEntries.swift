public import SystemCalls

/// Entries of a remote that one operation moved to the trash, and that are still there.
public struct TrashedEntries: Sendable, Hashable {
    /// One entry in the trash.
    public struct Entry: Sendable, Hashable {
        /// Where it lies in the trash.
        public var slot: TrashPlace
        /// What the entry was like when it was moved.
        public var seen: EntryState

        /// An entry that lies in `slot`.
        public init(slot: TrashPlace, seen: EntryState) {
            self.slot = slot
            self.seen = seen
        }
    }

    /// By the place where they were.
    public var entries: [RemotePath: Entry]
    /// When the operation began; nil without entries.
    public var moved: FileTime?

    /// Entries by the place where they were.
    public init(_ entries: [RemotePath: Entry] = [:], moved: FileTime? = nil) {
        self.entries = entries
        self.moved = moved
    }

    /// What was at that place.
    public subscript(path: RemotePath) -> Entry? { entries[path] }
    /// Whether nothing is in the trash.
    public var isEmpty: Bool { entries.isEmpty }
}

extension Plan {
    /// Brings an entry back from the trash where it is there and nothing has its name.
    /// - Returns: whether it comes back.
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
    /// What the journal's trash still has of a remote. Of each group of places everything comes from one operation: the
    /// newest that left any of them in the trash.
    /// - Parameter groups: the first tells the time of the whole.
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
    /// What an operation moved to the trash and is still there.
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
