import SystemCalls
public import SystemPackage

// Pieces of which the plans for clients and documents are made.

extension Plan {
    private var contents: [PlannedContent] {
        actions.flatMap { action -> [PlannedContent] in
            switch action.change {
            case .writeFile(_, let content, _), .replaceFile(_, let content, _, _): [content]
            case .writeTree(_, let entries): entries.compactMap(\.content)
            case .makeFolder, .adopt, .setTime, .moveToTrash, .restore: []
            }
        }
    }

    /// The files of this machine, outside of the remote, whose bytes the plan copies.
    public var localFiles: [FilePath] {
        contents.compactMap {
            if case .file(let path, _) = $0 { FilePath(pathBytes: path.bytes) } else { nil }
        }
    }

    /// The staged entries that the plan moves into the remote.
    public var stagedEntries: [StagedEntry] {
        let adopted = actions.compactMap { if case .adopt(_, let staged) = $0.change { staged } else { nil } }
        return adopted + contents.compactMap { if case .staged(let staged) = $0 { staged } else { nil } }
    }

    /// Makes a folder and the missing ones above it, unless an earlier action does.
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
                    found: "a \(entry.kind)", advice: "Find out what put it there, and move it away")
            }
        }
    }

    /// Writes a file, and replaces whatever has its name. Makes its folder if that is missing.
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

    /// Moves an entry to the trash if it exists.
    /// - Returns: whether it exists.
    @discardableResult
    mutating func addRemoval(
        _ path: RemotePath, in snapshot: RemoteSnapshot, because reason: String? = nil
    ) throws(FileProblem) -> Bool {
        guard snapshot.tree[path] != nil else { return false }
        add(.moveToTrash(path: path, seen: try snapshot.tree.state(of: path)), because: reason)
        let absent = snapshot.strays.count { stray in
            stray.path.names.starts(with: path.names) && stray.absence != nil
        }
        if absent > 0 {
            let files = counted(absent, "file")
            note(
                .warning,
                "\(path) contains \(files) whose content is not on this machine: the trash will not have that content"
            )
        }
        return true
    }
}
