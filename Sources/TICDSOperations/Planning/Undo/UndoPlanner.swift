public import SystemCalls
import SystemPackage
import TICDSCore

/// Plans to undo operations, from the journal and the trash.
public enum UndoPlanner {
    /// The plan that undoes an operation. It is carried out like any other plan, and refused if the remote has changed
    /// since.
    /// - Throws: `.refused` if the operation had no effect, was left unfinished or is already undone; if its trash is
    ///   not complete; if what it removed exists again, or what it made has changed; if files were written in the
    ///   encryption that the undo removes; or if a remote with different encryption or integrity keys has taken the
    ///   place of the remote that it changed.
    public static func plan(
        undoing number: Int64, in journal: borrowing Journal
    ) throws(FileProblem) -> Plan {
        try plan(undoing: number, in: journal, WritableFolder(root: journal.state.root))
    }

    /// The plan that undoes an operation on a remote in any storage.
    package static func plan(
        undoing number: Int64, in journal: borrowing Journal, _ writable: any WritableStorage
    ) throws(FileProblem) -> Plan {
        let root = journal.state.root
        let storage = writable.contents
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
            root: root, command: command,
            summary: "Undo operation \(number): \(record.summary)")
        let steps = try journal.steps(of: number)
        let isReplaced = try journal.state.isReplaced
        try refuseAfterRecoding(record, journal)
        // A file system may give the folder of a different remote the same number.
        let hasOtherKeys = try journal.state.hasOtherKeys(storage)
        if isReplaced { try refuseOtherEncryption(steps, record, journal.state, storage) }
        if hasOtherKeys {
            throw otherRemote(
                record, journal.state,
                "changed a remote with other integrity keys than those of the remote that is there now")
        }
        if isReplaced {
            plan.warn(
                "This is not the folder that the last operation changed: it was replaced or copied, or its volume was "
                    + "mounted again. Undo only if it is the same remote")
        }
        // If the operation itself made a new entry of that name, the plan removes it before it restores the old one.
        var takenAway: Set<RemotePath> = []
        for position in steps.indices.reversed() {
            let step = steps[position]
            let slot = TrashPlace(operation: number, action: position)
            guard let inverse = step.inverse(slot) else {
                throw refused(record, root, "cannot be undone", "What it removed is no longer in the trash")
            }
            let isTakenAway = inverse.path.lineage.contains(where: takenAway.contains)
            let action = isTakenAway ? inverse : try overNewRecentSync(inverse, storage, &plan)
            if case .moveToTrash(let path, _) = action { takenAway.insert(path) }
            if case .restore(let path, _, _) = action, !isTakenAway, try storage.kind(of: path) != nil {
                if !isReplaced { try refuseIfMadeAgain(path, record, journal) }
                throw refused(
                    record, root, "removed \(path), which is there now",
                    isReplaced
                        ? "This folder is a copy from before the operation, so that there is nothing to undo in it"
                        : "If it was put back from elsewhere, there is nothing to undo; what the operation removed is in "
                            + journal.state.trash(of: number).escaped)
            }
            plan.add(action)
        }
        try refuseIfPrevented(plan, record, journal, storage)
        try checkKeys(&plan, record, storage)
        try checkReturningClients(&plan, record, journal, storage)
        try refuseIfChanged(plan, record, journal.state, writable)
        if plan.changesEncryption {
            try refuseFilesWrittenSince(plan, record, try journal.plan(of: number), storage)
        }
        return plan
    }

    /// Refuses what ``Executor`` would refuse, before the user is asked.
    private static func refuseIfChanged(
        _ plan: Plan, _ record: OperationRecord, _ state: RemoteState, _ storage: any WritableStorage
    ) throws(FileProblem) {
        do throws(FileProblem) {
            try Executor(state, storage).check(storage.feasible(plan), since: nil)
        } catch {
            let isGone = try storage.contents.kind(of: .root) == nil
            guard error.kind == .refused || error.kind == .missing && !isGone else { throw error }
            throw FileProblem(
                .refused, path: error.path,
                "\(error.problem), so that operation \(record.number) (\(record.summary)) cannot be undone",
                advice: "Put it back as the operation left it, then undo. What the operation removed is in "
                    + state.trash(of: record.number).escaped)
        }
    }

    /// Refuses to undo a change of the encryption if a client has written files under it: they would stay as they are, and
    /// clients would take them for damaged.
    private static func refuseFilesWrittenSince(
        _ plan: Plan, _ record: OperationRecord, _ original: Plan, _ storage: any RemoteStorage
    ) throws(FileProblem) {
        let snapshot = try RemoteSnapshot.take(storage).listed.whole
        let paths = Set(plan.actions.map(\.kind.path))
        // The operation replaced or removed a salt; otherwise it wrote the first one.
        let becomesEncrypted = plan.actions.contains { action in
            switch action.kind {
            case .replaceFile, .restore: action.isAboutSalt
            default: false
            }
        }
        let leftOut = Set(original.notes.compactMap(\.leftOut))
        for protected in snapshot.protectedFiles() where protected.isExpected && !protected.isInFolderOfStore
        {
            let file = protected.file
            if file.size == 0 || file.path.lineage.contains(where: paths.contains) { continue }
            if leftOut.contains(file.path) { continue }
            let head = try storage.head(file.path, count: PlainSignature.headSize)
            let isPlain = PlainSignature(head) != nil
            // An encrypted file may have the other key: its time does not prove which, since services keep times.
            if isPlain, !becomesEncrypted { continue }
            throw refused(
                record, plan.root,
                "cannot be undone: \(file.path) is not one of its files, and would be left in the wrong encryption",
                "To change the encryption of all files: ticds-remote encrypt, decrypt or change-password")
        }
    }

    /// Refuses to restore entries in an encryption that the remote no longer has.
    private static func refuseAfterRecoding(
        _ record: OperationRecord, _ journal: borrowing Journal
    ) throws(FileProblem) {
        let operations = try journal.operations()
        for later in operations where later.number > record.number && later.state == .done {
            if let undo = later.undoneBy, try journal.operation(undo).undoneBy == nil { continue }
            guard try changesEncryption(later, since: record, among: operations, journal) else { continue }
            throw refused(
                record, journal.state.root,
                "was followed by operation \(later.number) (\(later.command)), so that what it removed has another "
                    + "encryption than the remote", "Undo operation \(later.number) first")
        }
    }

    /// Whether a later operation leaves the remote with a different encryption than at an earlier one.
    private static func changesEncryption(
        _ later: OperationRecord, since earlier: OperationRecord, among operations: [OperationRecord],
        _ journal: borrowing Journal
    ) throws(FileProblem) -> Bool {
        switch later.command {
        case "ticds-remote encrypt", "ticds-remote decrypt", "ticds-remote change-password": return true
        case command:
            guard let undone = operations.first(where: { $0.undoneBy == later.number }),
                undone.number < earlier.number
            else { return false }
            return try journal.plan(of: later.number).changesEncryption
        default: return false
        }
    }

    private static let command = "ticds-journal undo"

    private static func otherRemote(
        _ record: OperationRecord, _ state: RemoteState, _ problem: String
    ) -> FileProblem {
        refused(
            record, state.root, problem,
            "Move the remote that it changed back to this path, and undo it there; what it removed is in "
                + state.trash(of: record.number).escaped)
    }

    /// Refuses to put unencrypted files into an encrypted remote, or the reverse, if this remote has replaced the one
    /// that the operation changed.
    private static func refuseOtherEncryption(
        _ steps: JournaledSteps, _ record: OperationRecord, _ state: RemoteState,
        _ storage: any RemoteStorage
    ) throws(FileProblem) {
        let salt = RemoteLayout.saltPath
        let isAbout = steps.contains(where: \.action.concernsSalt)
        let isEncrypted = try storage.kind(of: salt) != nil
        guard !isAbout, try state.remembersEncryption() != isEncrypted else { return }
        throw otherRemote(
            record, state,
            isEncrypted
                ? "changed an unencrypted remote, and the remote that is there now is encrypted"
                : "changed an encrypted remote, and the remote that is there now is unencrypted")
    }

    /// Refuses the plan if it needs a file or folder that a later operation removed and that does not exist.
    private static func refuseIfPrevented(
        _ plan: Plan, _ record: OperationRecord, _ journal: borrowing Journal, _ storage: any RemoteStorage
    ) throws(FileProblem) {
        let later = try journal.operations().filter {
            $0.number > record.number && $0.state == .done && $0.undoneBy == nil
        }
        if later.isEmpty { return }
        let needed = needed(by: plan)
        for operation in later {
            for step in try journal.steps(of: operation.number) {
                guard case .moveToTrash(let removed, _) = step.action.kind, let path = needed[removed],
                    try storage.kind(of: path) == nil
                else { continue }
                throw refused(
                    record, journal.state.root,
                    "was followed by operation \(operation.number) (\(operation.summary)), which removed \(path)",
                    "First undo operation \(operation.number)")
            }
        }
    }

    /// Refuses an undo that brings back an entry which a later operation made again.
    private static func refuseIfMadeAgain(
        _ path: RemotePath, _ record: OperationRecord, _ journal: borrowing Journal
    ) throws(FileProblem) {
        for later in try journal.standingOperations() where later.number > record.number {
            guard try journal.steps(of: later.number).contains(where: { $0.makes(path) }) else { continue }
            throw refused(
                record, journal.state.root,
                "was followed by operation \(later.number) (\(later.summary)), which made \(path) again",
                "First undo operation \(later.number)")
        }
    }

    /// The entries that must exist before the plan is carried out: for each such path, and each folder around it, one
    /// of them.
    private static func needed(by plan: Plan) -> [RemotePath: RemotePath] {
        var made: Set<RemotePath> = []
        var needed: [RemotePath: RemotePath] = [:]
        for action in plan.actions {
            var path = action.kind.path
            switch action.kind {
            case .restore, .writeFile, .writeTree, .makeFolder, .adopt:
                made.insert(path)
                path = path.parent
            case .moveToTrash, .replaceFile, .setTime: break
            }
            let around = path.names.indices.map { RemotePath(Array(path.names.prefix(through: $0))) }
            guard needed[path] == nil, !around.contains(where: made.contains) else { continue }
            for folder in around where needed[folder] == nil { needed[folder] = path }
        }
        return needed
    }

    /// A client that was removed while it ran writes its recent-sync file again (ticds-protocol(7), 1.8.3). That must
    /// not prevent its return: the older file replaces the new one, and so holds back the vacuum longer rather than
    /// shorter. The client writes the next file when it synchronises.
    private static func overNewRecentSync(
        _ inverse: PlanAction.Kind, _ storage: any RemoteStorage, _ plan: inout Plan
    ) throws(FileProblem) -> PlanAction.Kind {
        guard case .restore(let path, let slot, let seen) = inverse, seen.kind == .file, path.isRecentSync
        else { return inverse }
        guard try storage.kind(of: path) == .file else { return inverse }
        plan.warn(
            "\(path) has been written again since, so the client is still running; the undo restores the older file and moves the new one to the trash"
        )
        return .replaceFile(
            path: path, content: .trashed(slot: slot, seen: seen), modified: seen.modified,
            seen: try storage.state(of: path))
    }

    static func refused(
        _ record: OperationRecord, _ root: FilePath, _ problem: String, _ advice: String
    ) -> FileProblem {
        FileProblem(
            .refused, path: root, "operation \(record.number) (\(record.summary)) \(problem)",
            advice: advice)
    }
}

extension Plan {
    fileprivate var changesEncryption: Bool { actions.contains(where: \.isAboutSalt) }
}

extension PlanAction {
    /// Whether the action concerns the salt or the folder around it, and not the whole remote.
    fileprivate var isAboutSalt: Bool { concernsSalt && !kind.path.names.isEmpty }
}

extension JournaledStep {
    /// Whether the step made the entry at a path, or a folder around it.
    fileprivate func makes(_ path: RemotePath) -> Bool {
        switch action.kind {
        case .makeFolder(let made): made == path
        case .writeFile, .writeTree, .adopt, .restore:
            path.lineage.contains(action.kind.path)
        case .moveToTrash, .replaceFile, .setTime: false
        }
    }

    /// The action that undoes this one; nil if the trash no longer contains what it needs.
    func inverse(_ slot: TrashPlace) -> PlanAction.Kind? {
        switch action.kind {
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
    var isRecentSync: Bool {
        names.count == 4 && names[0] == RemoteLayout.documents && names[2] == RemoteLayout.recentSyncs
            && names[3].removing(suffix: RemoteLayout.recentSyncSuffix) != nil
    }
}
