public import SystemCalls

/// A folder of change sets as it will be after the sets of other folders have moved into it.
public struct JoinedChangeSets {
    /// The result for the entries of another folder whose names this one does not contain.
    public struct Outcome {
        /// Sets that move.
        public var sets: [FolderEntry] = []
        /// Copies of sets, byte for byte.
        public var copies = 0
        /// Files whose names look like those of copies, and files whose names clients cannot read.
        public var doubtful = 0
        /// The first file with the name of a copy whose original is in neither folder.
        public var orphan: RemoteName?
        /// The first set whose name exists in this folder with different bytes.
        public var other: RemoteName?
    }

    private let folder: RemotePath
    private var listing: FolderListing
    /// The present paths of the sets that have not moved yet.
    private var places: [RemoteName: RemotePath] = [:]

    /// The folder as it is listed in `tree`.
    /// - Throws: the reason why the folder may contain more than was listed.
    public init(_ folder: RemotePath, in tree: RemoteTree) throws(FileProblem) {
        self.folder = folder
        listing = try tree.listing(folder).whole
    }

    /// Adds the sets of `other`. A set that would be a copy of another set in the joined folder is not added.
    /// - Throws: an error if files cannot be compared.
    public mutating func add(
        _ other: RemotePath, in tree: RemoteTree, _ storage: some RemoteStorage
    ) throws(FileProblem) -> Outcome {
        let added = try tree.listing(other).whole.filter { entry in
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
        for entry in try tree.listing(other).whole
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
