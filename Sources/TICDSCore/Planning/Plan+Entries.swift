import SystemCalls

// Pieces of which the plans for clients and documents are made.

extension Plan {
    /// Makes a folder and what is missing above it, unless an earlier action does.
    mutating func addFolders(to folder: RemotePath, in tree: RemoteTree) throws(FileProblem) {
        for length in folder.names.indices {
            let path = RemotePath(Array(folder.names[...length]))
            guard let entry = tree[path] else {
                let isPlanned = actions.contains { action in
                    if case .makeFolder(path) = action.change { return true }
                    return false
                }
                if !isPlanned { add(.makeFolder(path: path)) }
                continue
            }
            guard entry.kind == .folder else {
                throw FileProblem(
                    .refused, path: path.filePath(under: root), "not a folder", expected: "a folder",
                    found: "a \(entry.kind)", advice: "Look what put it there, and move it away")
            }
        }
    }

    /// Puts a file in the place of whatever has its name; its folder is made where it is missing.
    mutating func addFile(
        _ path: RemotePath, _ content: PlannedContent, modified: FileTime?, in tree: RemoteTree,
        because reason: String
    ) throws(FileProblem) {
        try addFolders(to: path.parent, in: tree)
        guard let entry = tree[path] else {
            return add(.writeFile(path: path, content: content, modified: modified), because: reason)
        }
        let seen = try tree.state(of: path)
        if entry.kind == .file {
            add(.replaceFile(path: path, content: content, modified: modified, seen: seen), because: reason)
        } else {
            add(.moveToTrash(path: path, seen: seen), because: "not a file")
            add(.writeFile(path: path, content: content, modified: modified), because: reason)
        }
    }

    /// Moves an entry to the trash, if there is one of that name.
    /// - Returns: whether there is.
    @discardableResult
    mutating func addRemoval(
        _ path: RemotePath, in snapshot: RemoteSnapshot, because reason: String? = nil
    ) throws(FileProblem) -> Bool {
        guard snapshot.tree[path] != nil else { return false }
        add(.moveToTrash(path: path, seen: try snapshot.tree.state(of: path)), because: reason)
        let absent = snapshot.strays.count { stray in
            stray.path.names.starts(with: path.names)
                && (stray.kind == .cloudPlaceholder || stray.kind == .partialDownload)
        }
        if absent > 0 {
            let files = PlanWords.count(absent, "file")
            note(
                .warning,
                "\(path) holds \(files) that the cloud service has not brought here: the trash will not have them"
            )
        }
        return true
    }
}
