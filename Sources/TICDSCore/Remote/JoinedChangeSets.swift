public import SystemCalls

/// A folder of change sets as it will be when the sets of other folders have moved into it.
public struct JoinedChangeSets {
    /// What becomes of the entries of a folder that the joined one does not hold under their names.
    public struct Outcome {
        /// Sets that move.
        public var sets: [FolderEntry] = []
        /// Copies of sets, byte for byte.
        public var copies = 0
        /// Files that only look like copies of others, and names that clients cannot read.
        public var doubtful = 0
        /// The first of those whose names are those of copies, but whose originals are nowhere.
        public var orphan: RemoteName?
        /// The first set that the joined folder holds under the same name, with other bytes.
        public var other: RemoteName?
    }

    private let folder: RemotePath
    private var listing: FolderListing
    /// Where sets lie that have not moved yet.
    private var places: [RemoteName: RemotePath] = [:]

    /// The folder as `tree` has it.
    public init(_ folder: RemotePath, in tree: RemoteTree) {
        self.folder = folder
        listing = tree.listing(folder)
    }

    /// Adds the sets of `other`: what a listing of all of them will take for a copy stays behind.
    /// - Throws: where files cannot be compared.
    public mutating func add(
        _ other: RemotePath, in tree: RemoteTree, _ storage: some RemoteStorage
    ) throws(FileProblem) -> Outcome {
        let added = tree.listing(other).filter { entry in
            listing[entry.name] == nil && entry.kind == .file && entry.size > 0 && !entry.name.isHidden
                && entry.name.removing(suffix: RemoteLayout.changeSetSuffix) != nil
        }
        var places = places
        for entry in added { places[entry.name] = other.appending(entry.name) }
        var joined = listing.with(added)
        let problems = CopiedSets.note(in: &joined, storage) { places[$0] ?? folder.appending($0) }
        if let problem = problems.first { throw problem }
        var outcome = Outcome()
        outcome.other = try differingSet(other, in: tree, storage)
        for entry in added {
            if joined.original(of: entry.name) != nil {
                outcome.copies += 1
            } else if let junk = StrayRules.junk(entry, in: joined) {
                guard junk.kind == .conflictedCopy else { continue }
                outcome.doubtful += 1
                if junk.twin == nil, outcome.orphan == nil { outcome.orphan = entry.name }
            } else if entry.name.isUTF8 {
                outcome.sets.append(entry)
            } else {
                outcome.doubtful += 1
            }
        }
        listing = listing.with(outcome.sets)
        for entry in outcome.sets { self.places[entry.name] = other.appending(entry.name) }
        return outcome
    }

    private func differingSet(
        _ other: RemotePath, in tree: RemoteTree, _ storage: some RemoteStorage
    ) throws(FileProblem) -> RemoteName? {
        for entry in tree.listing(other)
        where entry.kind == .file && entry.name.removing(suffix: RemoteLayout.changeSetSuffix) != nil {
            guard let same = listing[entry.name] else { continue }
            let (path, place) = (other.appending(entry.name), places[entry.name])
            guard same.kind == .file, same.size == entry.size,
                try storage.holdSameBytes(
                    path, place ?? folder.appending(entry.name), size: entry.size, limit: .changeSet)
            else { return entry.name }
        }
        return nil
    }
}
