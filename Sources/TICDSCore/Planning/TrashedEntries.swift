public import SystemCalls

/// Entries of a remote that one operation moved to the trash, and that are still there.
public struct TrashedEntries: Sendable, Hashable {
    public struct Entry: Sendable, Hashable {
        public var slot: TrashSlot
        /// What the entry was like when it was moved.
        public var seen: EntryState

        public init(slot: TrashSlot, seen: EntryState) {
            self.slot = slot
            self.seen = seen
        }
    }

    /// By the place where they were.
    public var entries: [RemotePath: Entry]
    /// When the operation began; nil without entries.
    public var moved: FileTime?

    public init(_ entries: [RemotePath: Entry] = [:], moved: FileTime? = nil) {
        self.entries = entries
        self.moved = moved
    }

    public subscript(path: RemotePath) -> Entry? { entries[path] }
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
