public import SystemCalls

/// Lists a whole remote. A folder that cannot be read becomes a problem of the tree; the rest is listed all the same.
public enum RemoteScanner {
    /// Folders nested deeper than this are not entered: a remote needs five, a whole store in a folder a few more.
    public static let deepestFolder = 48

    /// Lists every folder. Throws only where the root itself cannot be listed.
    public static func scan(_ storage: some RemoteStorage) throws(FileProblem) -> RemoteTree {
        let top = try storage.list(.root)
        var folders: [RemotePath: FolderListing] = [.root: top.listing]
        var problems = top.problems
        var waiting = subfolders(of: .root, top.listing)
        while let folder = waiting.popLast() {
            guard folder.names.count <= deepestFolder else {
                problems.append(
                    FileProblem(
                        .limit, path: folder.filePath(under: storage.root),
                        "nested too deep to be part of a remote",
                        expected: "at most \(deepestFolder) folders", advice: "Look what put it there"))
                continue
            }
            do {
                let contents = try storage.list(folder)
                folders[folder] = contents.listing
                problems += contents.problems
                waiting += subfolders(of: folder, contents.listing)
            } catch {
                problems.append(error)
            }
        }
        problems.sort { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
        return RemoteTree(root: storage.root, folders: folders, problems: problems)
    }

    private static func subfolders(of folder: RemotePath, _ listing: FolderListing) -> [RemotePath] {
        listing.indices.filter { listing.kind(at: $0) == .folder }.map { folder.appending(listing[$0].name) }
    }
}
