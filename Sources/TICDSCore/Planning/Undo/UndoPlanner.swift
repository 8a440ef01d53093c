public import SystemCalls
import SystemPackage

/// Plans to undo operations, from the journal and the trash.
public enum UndoPlanner {
    /// The plan that undoes an operation. It is carried out like any other plan, and refused if the remote has changed
    /// since.
    /// - Parameter storage: the remote now; nil for the folder of the journal.
    /// - Throws: `.refused` if the operation had no effect, was left unfinished or is undone already, or if its trash is
    ///   gone.
    public static func plan(
        undoing number: Int64, in journal: borrowing Journal, _ storage: (any RemoteStorage)? = nil
    ) throws(FileProblem) -> Plan {
        let root = journal.state.root
        let storage = storage ?? LocalStorage(root: root)
        let record = try journal.operation(number)
        if record.state == .left {
            let trash = journal.state.trash(of: number)
            throw refused(
                record, root, "was left unfinished",
                "What it removed is in \(trash.escaped); each entry there has the number of an action")
        }
        guard record.state == .done else {
            throw refused(record, root, "was not carried out", "found \(record.state.rawValue)")
        }
        if let undoneBy = record.undoneBy, try journal.operation(undoneBy).undoneBy == nil {
            throw refused(
                record, root, "has been undone by operation \(undoneBy)",
                "To restore it, undo operation \(undoneBy)")
        }
        var plan = Plan(
            root: root, command: "ticds-journal undo",
            summary: "Undo operation \(number): \(record.summary)")
        if try journal.state.isReplaced {
            plan.warn(
                "This is not the folder that the last operation changed: it was replaced or copied, or its volume was "
                    + "mounted again. Undo only if it is the same remote")
        }
        let steps = try journal.steps(of: number)
        for (position, step) in steps.enumerated().reversed() {
            let slot = TrashPlace(operation: number, action: position)
            guard let inverse = step.inverse(slot) else {
                throw refused(record, root, "cannot be undone", "What it removed is no longer in the trash")
            }
            plan.add(try overNewRecentSync(inverse, storage, &plan))
        }
        if let missing = try firstMissing(plan, storage),
            let later = try remover(of: missing, after: number, journal)
        {
            throw refused(
                record, root,
                "was followed by operation \(later.number) (\(later.summary)), which removed \(missing)",
                "First undo operation \(later.number)")
        }
        return plan
    }

    /// The first file or folder that the plan needs and that is not there.
    private static func firstMissing(
        _ plan: Plan, _ storage: any RemoteStorage
    ) throws(FileProblem) -> RemotePath? {
        var present: Set<RemotePath> = [.root]
        var made: Set<RemotePath> = []
        for action in plan.actions {
            var needed = action.change.path
            switch action.change {
            case .restore, .writeFile, .writeTree, .makeFolder, .adopt:
                made.insert(needed)
                needed = needed.parent
            case .moveToTrash, .replaceFile, .setTime: break
            }
            if present.contains(needed) { continue }
            let around = needed.names.indices.lazy.map { RemotePath(Array(needed.names.prefix(through: $0))) }
            if around.contains(where: made.contains) { continue }
            if try storage.kind(of: needed) == nil { return needed }
            present.insert(needed)
        }
        return nil
    }

    /// The last later operation that removed a path or a folder around it, and that stands.
    private static func remover(
        of path: RemotePath, after number: Int64, _ journal: borrowing Journal
    ) throws(FileProblem) -> OperationRecord? {
        for later in try journal.operations() where later.number > number && later.state == .done {
            if later.undoneBy != nil { continue }
            for step in try journal.steps(of: later.number) {
                guard case .moveToTrash(let removed, _) = step.action.change,
                    path.names.starts(with: removed.names)
                else { continue }
                return later
            }
        }
        return nil
    }

    /// A client that was removed while it ran writes its recent-sync file again (ticds-protocol(7), 1.8.3). That must not
    /// prevent its return: the older file replaces the new one, and so holds back the vacuum longer rather than shorter.
    /// The client writes the next one when it synchronises.
    private static func overNewRecentSync(
        _ inverse: Change, _ storage: any RemoteStorage, _ plan: inout Plan
    ) throws(FileProblem) -> Change {
        guard case .restore(let path, let slot, let seen) = inverse, seen.kind == .file, path.isRecentSync
        else { return inverse }
        // Where the operation itself put the new file there, the plan has taken it away before.
        let isTakenAway = plan.actions.contains { $0.change.path == path }
        guard !isTakenAway, try storage.kind(of: path) == .file else { return inverse }
        plan.warn(
            "\(path) has been written again since, so the client is still running; the undo restores the older file and moves the new one to the trash"
        )
        return .replaceFile(
            path: path, content: .trashed(slot: slot, seen: seen), modified: seen.modified,
            seen: try storage.state(of: path))
    }

    private static func refused(
        _ record: OperationRecord, _ root: FilePath, _ problem: String, _ advice: String
    ) -> FileProblem {
        FileProblem(
            .refused, path: root, "operation \(record.number) (\(record.summary)) \(problem)",
            advice: advice)
    }
}

extension JournaledStep {
    /// The change that undoes this one; nil if what it needs is no longer in the trash.
    func inverse(_ slot: TrashPlace) -> Change? {
        switch action.change {
        case .makeFolder(let path), .writeFile(let path, _, _), .writeTree(let path, _),
            .adopt(let path, _), .restore(let path, _, _):
            made.map { .moveToTrash(path: path, seen: $0) }
        case .replaceFile(let path, _, _, let seen):
            made.flatMap { made in
                hasTrash
                    ? .replaceFile(
                        path: path, content: .trashed(slot: slot, seen: seen), modified: seen.modified,
                        seen: made)
                    : nil
            }
        case .setTime(let path, let modified, let seen):
            seen.modified.map { before in
                var now = seen
                now.modified = modified
                return .setTime(path: path, modified: before, seen: now)
            }
        case .moveToTrash(let path, let seen):
            hasTrash ? .restore(path: path, slot: slot, seen: seen) : nil
        }
    }
}

extension RemotePath {
    /// Whether the path is that of a recent-sync file of a document.
    fileprivate var isRecentSync: Bool {
        names.count == 4 && names[0] == RemoteLayout.documents && names[2] == RemoteLayout.recentSyncs
            && names[3].removing(suffix: RemoteLayout.recentSyncSuffix) != nil
    }
}
