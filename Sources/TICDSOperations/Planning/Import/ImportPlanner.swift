import Base
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Plans to put a staged remote in its place: as a whole, or into an existing remote.
public struct ImportPlanner: Sendable {
    /// The way to treat existing files that differ.
    public enum OnExisting: String, Sendable, CaseIterable {
        /// Refuse the import.
        case fail
        /// Keep the existing files.
        case skip
        /// Replace the existing files, which go to the trash.
        case replace
    }

    let staged: StagedRemote
    let target: FilePath
    let onExisting: OnExisting
    /// The files and folders to import; empty for everything.
    let parts: [RemotePath]
    /// The existing remote; nil if there is none.
    let existing: RemoteSnapshot?

    /// - Parameters:
    ///   - target: the new remote, absolute and without links.
    ///   - parts: the files and folders to import into an existing remote; empty for everything.
    /// - Throws: `.refused` for parts without a remote into which they could go.
    public init(
        _ staged: StagedRemote, to target: FilePath, onExisting: OnExisting, parts: [RemotePath] = []
    ) throws(FileProblem) {
        self.staged = staged
        self.target = target
        self.onExisting = onExisting
        self.parts = parts
        if try FileStatus.ifPresent(target) == nil {
            guard parts.isEmpty else {
                throw FileProblem(
                    .refused, path: target, "there is no remote into which single files could go",
                    advice: "Leave out --path, or take the files out with ticds-archive extract")
            }
            existing = nil
            try RemoteLocation.refuseInside(target, "the new remote would lie inside another one")
        } else {
            existing = try RemoteSnapshot.take(LocalStorage(root: target)).listed.whole
        }
    }

    /// The existing remote, to which --max-delete applies.
    public var snapshot: RemoteSnapshot? { existing }

    /// - Throws: `.refused` if the two remotes have different encryption, or if files differ and none may be replaced.
    public func plan(command: String, summary: String) throws(FileProblem) -> Plan {
        var plan = Plan(root: target, command: command, summary: summary)
        guard let existing else {
            let parent = LocalStorage(root: staged.root.removingLastComponent())
            let name = RemoteName(staged.root.lastComponent?.bytes ?? [])
            let entry = StagedEntry(path: staged.root, seen: try parent.state(of: [name]))
            plan.add(.adopt(path: .root, staged: entry))
            plan.addConsequence("The remote appears complete, in one step, with the times of its files")
            return plan
        }
        let tree = try RemoteScanner.scan(staged.storage)
        if let problem = tree.problems.first { throw problem }
        for part in parts where try tree[part].whole == nil {
            throw FileProblem(
                .unknownName, path: part.filePath(under: target),
                "the archive contains no such file or folder",
                advice: "Copy the path from ticds-archive list or diff")
        }
        try EncryptionMatch.check(
            staged.storage, with: existing, in: LocalStorage(root: existing.root))
        var merge = Merge(onExisting: onExisting)
        try add(.root, tree, existing, &plan, &merge)
        if onExisting == .fail, let first = merge.different.first {
            throw FileProblem(
                .refused, path: first.filePath(under: target),
                "a different file exists already; \(counted(merge.different.count, "such file")) in all",
                advice: "Choose with --on-existing skip or replace, or import it to another place")
        }
        merge.addNotes(to: &plan)
        return plan
    }

    /// Adds the entries of a folder. An entry whose name is free is added with everything below it.
    private func add(
        _ folder: RemotePath, _ tree: RemoteTree, _ existing: RemoteSnapshot, _ plan: inout Plan,
        _ merge: inout Merge
    ) throws(FileProblem) {
        for entry in try tree.listing(folder).whole {
            let path = folder.appending(entry.name)
            let isWanted = parts.isEmpty || parts.contains { path.names.starts(with: $0.names) }
            // A folder above a part is not wanted itself.
            guard isWanted || parts.contains(where: { $0.names.starts(with: path.names) }) else { continue }
            guard let old = try existing.tree[path].whole else {
                guard isWanted else {
                    plan.add(.makeFolder(path: path))
                    try add(path, tree, existing, &plan, &merge)
                    continue
                }
                let staged = try stagedEntry(path, tree)
                plan.add(.adopt(path: path, staged: staged))
                merge.new += staged.seen.files ?? 1
                continue
            }
            if entry.kind == .folder, old.kind == .folder {
                try add(path, tree, existing, &plan, &merge)
            } else if entry.kind == .file, old.kind == .file, try isSame(path, entry, old) {
                if entry.modified == old.modified {
                    merge.same += 1
                    continue
                }
                merge.different.append(path)
                if onExisting == .replace {
                    let seen = try existing.tree.state(of: path)
                    plan.add(
                        .setTime(path: path, modified: entry.modified, seen: seen), because: "the same bytes")
                }
            } else {
                merge.different.append(path)
                if onExisting == .replace { try replace(path, old.kind, tree, existing, &plan) }
            }
        }
    }

    private func replace(
        _ path: RemotePath, _ oldKind: FileKind, _ tree: RemoteTree, _ existing: RemoteSnapshot,
        _ plan: inout Plan
    ) throws(FileProblem) {
        let seen = try existing.tree.state(of: path)
        let staged = try stagedEntry(path, tree)
        if oldKind == .file, staged.seen.kind == .file {
            plan.add(.replaceFile(path: path, content: .staged(staged), modified: nil, seen: seen))
        } else {
            plan.add(
                .moveToTrash(path: path, seen: seen), because: "a \(oldKind), and the incoming entry is not")
            plan.add(.adopt(path: path, staged: staged))
        }
    }

    private func stagedEntry(_ path: RemotePath, _ tree: RemoteTree) throws(FileProblem) -> StagedEntry {
        StagedEntry(path: path.filePath(under: staged.root), seen: try tree.state(of: path))
    }

    private func isSame(
        _ path: RemotePath, _ one: FolderEntry, _ other: FolderEntry
    ) throws(FileProblem) -> Bool {
        guard one.size == other.size else { return false }
        return try staged.storage.open(path).hasSameBytes(as: LocalStorage(root: target).open(path))
    }

    private struct Merge {
        let onExisting: OnExisting
        var new = 0
        var same = 0
        var different: [RemotePath] = []

        func addNotes(to plan: inout Plan) {
            plan.explain("\(counted(new, "new file")), \(same) unchanged")
            if !different.isEmpty {
                let isOne = different.count == 1
                let files = isOne ? "1 file differs" : "\(different.count) files differ"
                let existing = isOne ? "the existing one" : "the existing ones"
                let fate =
                    onExisting == .skip
                    ? "\(isOne ? "stays as it is" : "stay as they are"); --on-existing replace takes what the archive contains"
                    : "\(isOne ? "is" : "are") replaced, and \(isOne ? "goes" : "go") to the trash"
                plan.explain("\(files) (\(different.map(\.description).listed(3))): \(existing) \(fate)")
            }
            plan.warn(
                "Close the clients first: they apply late what arrives late, and an integrity key that differs "
                    + "makes a client throw away its unsent edits")
        }
    }
}

/// Checks whether files of one remote can be added to another.
enum EncryptionMatch {
    /// A remote has one salt (ticds-protocol(7), 3.1): no client could open files under a different key.
    /// - Throws: `.refused` if the two have different encryption.
    static func check(
        _ incoming: any RemoteStorage, with existing: RemoteSnapshot, in storage: any RemoteStorage
    ) throws(FileProblem) {
        if try existing.tree.listing(.root).whole.isEmpty { return }
        let new = try PasswordCheck.salt(of: incoming)
        let old = try PasswordCheck.salt(of: storage)
        if old == nil,
            let problem = try EncryptionSigns.contradiction(in: storage, existing.signsOfEncryption)
        {
            throw problem
        }
        if new == old { return }
        let problem =
            switch (new == nil, old == nil) {
            case (true, false): "the remote is encrypted, and the incoming files are not"
            case (false, true): "the incoming files are encrypted, and the remote is not"
            default: "the incoming files are encrypted with another salt, and therefore with another key"
            }
        throw FileProblem(
            .refused, path: existing.root, problem,
            advice: "Write them to a separate place, and give them the encryption of the remote")
    }
}
