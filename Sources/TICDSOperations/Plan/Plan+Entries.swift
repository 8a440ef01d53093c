import Base
public import SystemCalls
public import SystemPackage
public import TICDSCore

// Parts from which the plans for clients and documents are made.

extension Plan {
    fileprivate var contents: [PlannedContent] {
        actions.flatMap { action -> [PlannedContent] in
            switch action.kind {
            case .writeFile(_, let content, _), .replaceFile(_, let content, _, _): [content]
            case .writeTree(_, let entries): entries.compactMap(\.content)
            case .makeFolder, .adopt, .setTime, .moveToTrash, .restore: []
            }
        }
    }

    /// The local files outside of the remote whose bytes the plan copies.
    public var localFiles: [FilePath] {
        contents.compactMap {
            if case .file(let path, _) = $0 { FilePath(pathBytes: path.bytes) } else { nil }
        }
    }

    /// The staged entries that the plan moves into the remote.
    public var stagedEntries: [StagedEntry] {
        let adopted = actions.compactMap { if case .adopt(_, let staged) = $0.kind { staged } else { nil } }
        return adopted + contents.compactMap { if case .staged(let staged) = $0 { staged } else { nil } }
    }

    /// Makes a folder and the missing ones above it, unless an earlier action makes them.
    mutating func addFolders(to folder: RemotePath, in tree: RemoteTree) throws(FileProblem) {
        for length in folder.names.indices {
            let path = RemotePath(Array(folder.names[...length]))
            guard let entry = try tree[path].whole else {
                let isPlanned = actions.contains { action in
                    if case .makeFolder(path) = action.kind { return true }
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

    /// Writes a file, and replaces any entry of its name. Makes its folder if that is missing.
    mutating func addFile(
        _ path: RemotePath, _ content: PlannedContent, modified: FileTime?, in tree: RemoteTree,
        because reason: String
    ) throws(FileProblem) {
        try addFolders(to: path.parent, in: tree)
        guard let entry = try tree[path].whole else {
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
    /// - Returns: whether the entry exists.
    @discardableResult
    mutating func addRemoval(
        _ path: RemotePath, in snapshot: RemoteSnapshot, because reason: String? = nil
    ) throws(FileProblem) -> Bool {
        guard try snapshot.tree[path].whole != nil else { return false }
        add(.moveToTrash(path: path, seen: try snapshot.tree.state(of: path)), because: reason)
        let absent = snapshot.strays.count { stray in
            stray.path.names.starts(with: path.names) && stray.absence?.isDeliverable == true
        }
        if absent > 0 {
            let files = counted(absent, "file")
            warn(
                "\(path) contains \(files) whose content is not on this machine: the trash will not have that content"
            )
        }
        return true
    }
}

extension RemoteSnapshot {
    /// - Parameter allowed: names, or paths inside the remote, of files that may be absent.
    /// - Throws: `.refused` if the content of a file is not local and the plan copies it or depends on it: a file of a
    ///   document or top-level folder that the plan changes, or of the encryption.
    public func refuseAbsence(from plan: Plan, allowing allowed: Set<String>) throws(FileProblem) {
        let touched = Set(plan.actions.map { Self.region($0.kind.path.names) })
        let copied = Set(plan.contents.compactMap(\.source))
        try refuse(
            absentFiles.filter { stray in
                if copied.contains(stray.path) { return true }
                let names = stray.path.names.dropLast() + [stray.originalName].compactMap(\.self)
                let region = Self.region(Array(names))
                return region.first == RemoteLayout.encryption
                    || touched.contains { $0.starts(with: region) || region.starts(with: $0) }
            }, allowing: allowed)
    }

    /// - Throws: `.refused` if the content of any file is not local.
    public func refuseAbsence(allowing allowed: Set<String>) throws(FileProblem) {
        try refuse(absentFiles, allowing: allowed)
    }

    /// The document, or the folder or file at the top, to which a path belongs.
    private static func region(_ names: [RemoteName]) -> [RemoteName] {
        Array(names.prefix(names.first == RemoteLayout.documents ? 2 : 1))
    }

    private func refuse(_ absent: [Stray], allowing allowed: Set<String>) throws(FileProblem) {
        let absent = absent.filter { !$0.path.isNamed(in: allowed) }
        guard var problem = problem(ofAbsent: absent), let name = absent.first?.path.last else { return }
        let isDelivered = absent.contains { $0.absence?.isDeliverable == true }
        let remedy =
            isDelivered ? "Let the sync service download everything, then try again" : problem.advice ?? ""
        problem.kind = .refused
        problem.problem += ", so nothing was changed"
        problem.advice =
            "\(remedy); otherwise continue with --allow-missing=\(ShellWord.quoted(name.bytes))"
        throw problem
    }
}
