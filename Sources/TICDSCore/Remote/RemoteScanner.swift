import Base
public import SystemCalls

/// Lists a whole remote. A folder that cannot be listed becomes a problem of the tree; the rest is listed.
public enum RemoteScanner {
    /// Levels of folders that are listed. A remote has five, and a few more with a whole store that is a folder.
    public static let deepestFolder = 48

    /// The number of folders up to which one thread lists a level.
    private static let fewFolders = 8

    /// Lists every folder, level by level. A folder below the deepest level counts as unreadable.
    /// - Parameter countsSets: whether ordinary change sets are only counted, so that they take no memory.
    /// - Throws: only if the root itself cannot be listed.
    public static func scan(
        _ storage: some RemoteStorage, countsSets: Bool = false
    ) throws(FileProblem) -> RemoteTree {
        let top = try storage.list(.root)
        var folders: [RemotePath: FolderListing] = [.root: top.listing]
        var problems = top.problems
        var level = subfolders(of: .root, top.listing)
        for _ in 0..<deepestFolder where !level.isEmpty {
            var next: [RemotePath] = []
            for (folder, outcome) in zip(level, list(level, in: storage, countsSets)) {
                switch outcome {
                case .success(let contents):
                    folders[folder] = contents.listing
                    problems += contents.problems
                    next += subfolders(of: folder, contents.listing)
                case .failure(let problem): problems.append(problem)
                }
            }
            level = next
        }
        problems += level.map { folder in
            FileProblem(
                .unreadable, path: folder.filePath(under: storage.root),
                "nested too deep to be part of a remote",
                expected: "at most \(deepestFolder) folders", advice: "Find out what put it there")
        }
        problems.sort { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
        return RemoteTree(root: storage.root, folders: folders, problems: problems)
    }

    /// Lists each of these folders, many of them with several threads.
    private static func list(
        _ level: [RemotePath], in storage: some RemoteStorage, _ countsSets: Bool
    ) -> [Result<FolderContents, FileProblem>] {
        let workers = level.count < fewFolders ? 1 : storage.workers
        return ParallelWork.results(below: level.count, workers: workers) { (number) throws(FileProblem) in
            if countsSets, level[number].isFolderOfSets, let counted = storage.countSets(in: level[number]) {
                return FolderContents(listing: FolderListing(counted))
            }
            var contents = try storage.list(level[number])
            CopiedSets.note(in: &contents, of: level[number], storage)
            return contents
        }
    }

    private static func subfolders(of folder: RemotePath, _ listing: FolderListing) -> [RemotePath] {
        listing.indices.filter { listing.kind(at: $0) == .folder }.map { folder.appending(listing[$0].name) }
    }
}
