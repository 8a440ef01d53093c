public import SystemCalls
package import SystemPackage
import TICDSCore

/// Carries out plans.
///
/// The executor first checks everything that the plan expects, and makes everything new in a staging folder. Then it
/// moves entries into the remote and out of it, one by one. If anything fails, it undoes all actions. The journal
/// records an operation before it begins, so that ``OperationRecovery`` can end it after a crash.
public struct Executor: Sendable {
    private let state: RemoteState
    private let keepsTrash: Bool
    private let lockWait: Int64
    private let recoder: (any ContentRecoder)?
    private let storage: any WritableStorage

    /// - Parameters:
    ///   - keepsTrash: whether the operation can be undone: what it removes then stays in the trash.
    ///   - lockWait: seconds to wait for another process that is changing the remote.
    ///   - recoder: for plans that encrypt or decrypt.
    public init(
        _ state: RemoteState, keepsTrash: Bool = true, lockWait: Int64 = 0,
        recoder: (any ContentRecoder)? = nil
    ) {
        self.init(
            state, WritableFolder(root: state.root), keepsTrash: keepsTrash, lockWait: lockWait,
            recoder: recoder)
    }

    /// For a remote anywhere.
    package init(
        _ state: RemoteState, _ storage: any WritableStorage, keepsTrash: Bool = true,
        lockWait: Int64 = 0, recoder: (any ContentRecoder)? = nil
    ) {
        self.state = state
        self.keepsTrash = keepsTrash
        self.lockWait = lockWait
        self.recoder = recoder
        self.storage = storage
    }

    /// Carries out a plan; returns the number of the operation in the journal.
    /// - Parameter undoing: the operation that the plan undoes.
    /// - Throws: `.refused` if the remote is not as the plan expects it, or another process is changing it;
    ///   `.interrupted`; or the error that stopped the operation. The remote is then as it was before. If that was not
    ///   possible, the advice names `ticds-journal recover`.
    public func run(
        _ plan: Plan, undoing: Int64? = nil, watch: ExecutionWatch = ExecutionWatch()
    ) throws(FileProblem) -> Int64 {
        try PlanCheck.checkForm(plan)
        try state.make()
        let deadline = Deadline(seconds: lockWait)
        let lock = try StateLock(state, command: plan.command, until: deadline)
        let journal = try Journal.open(state)
        let remote = try storage.lock(journal, command: plan.command, until: deadline, warn: watch.warn)
        let number = try withExtendedLifetime(remote) { () throws(FileProblem) in
            try runLocked(plan, undoing, watch, journal, remote)
        }
        _ = consume lock
        return number
    }

    /// Checks what ``run(_:undoing:watch:)`` would refuse because of the remote or the trash, and changes nothing.
    /// - Parameter event: since when an entry must not have changed, for the errors; nil if the caller says it.
    package func check(_ plan: Plan, since event: String? = FileProblem.planning) throws(FileProblem) {
        try PlanCheck.checkForm(plan)
        // Nothing is staged, so that no local folder is checked.
        let places = OperationPaths(
            number: 0, state: state, staging: state.folder, trashIsNear: false, keepsTrash: false)
        let worker = ActionWorker(places: places, storage: storage.operation(at: places), event: event)
        try PlanCheck(worker: worker).checkAll(plan)
        for action in plan.actions { try Staging.checkTrash(for: action.kind, state) }
    }

    private func runLocked(
        _ plan: Plan, _ undoing: Int64?, _ watch: ExecutionWatch, _ journal: borrowing Journal,
        _ lock: any StorageLock
    ) throws(FileProblem) -> Int64 {
        if let first = try journal.unfinished().first { throw Self.recoveryIsDue(first, state) }
        for earlier in try state.earlier {
            guard let first = try OperationRecovery.unfinished(earlier).first else { continue }
            throw Self.recoveryIsDue(first, state, at: earlier.formerRoot)
        }
        lock.end()
        try state.makeInnerTrash()
        if undoing == nil { try state.checkEncryption(for: plan, storage.contents) }
        try Leftovers.remove(journal, storage)
        try state.noteIdentity()
        try journal.reserve()
        let staging = try storage.chooseStaging(for: state)
        let number = try journal.begin(
            plan, staging: staging.folder, trashIsNear: staging.trashIsNear, keepsTrash: keepsTrash,
            undoing: undoing)
        let run = OperationRun(try journal.places(of: number), storage, watch, lock)
        let made: MadeStates
        let folderTimes: [RemotePath: FileTime]
        do throws(FileProblem) {
            (made, folderTimes) = try run.prepare(plan, recoder)
            // Before the journal says that the operation runs: from then on all others must see it.
            try lock.begin(number, plan.summary, staging: run.places.staging)
        } catch {
            lock.end()
            // try?: where even this fails, the operation stays unfinished, and recovery does the same
            if (try? run.discard()) != nil {
                try? journal.finish(number, .rolledBack, problem: error.description)  // try?: as above
            }
            throw error
        }
        do throws(FileProblem) {
            try journal.prepared(number, made: made, folderTimes: folderTimes)
        } catch {
            let problem = run.giveUp(journal, after: error)
            Self.end(lock, journal)
            throw problem
        }
        let steps = JournaledSteps(plan.actions, made: made)
        var isFinishing = false
        do throws(FileProblem) {
            try run.act(steps)
            isFinishing = true
            try run.finishForward(journal, steps)
        } catch {
            let problem = run.rollBack(journal, steps, after: error, mayBeDone: isFinishing)
            Self.end(lock, journal)
            throw problem
        }
        lock.end()
        return number
    }

    /// Releases the lock if no operation is unfinished.
    private static func end(_ lock: any StorageLock, _ journal: borrowing Journal) {
        // try?: a lock whose journal cannot be read stays
        if (try? journal.unfinished().isEmpty) == true { lock.end() }
    }

    package static func recoveryIsDue(
        _ operation: OperationRecord, _ state: RemoteState, at former: FilePath? = nil
    ) -> FileProblem {
        let place = former.map { " when the remote was \($0.escaped)" } ?? ""
        return FileProblem(
            .refused, path: state.root,
            "operation \(operation.number) (\(operation.summary)) was interrupted\(place) and has not been ended",
            advice: "Run: ticds-journal recover \(ShellWord.quoted(state.root))")
    }
}

/// Functions that an operation calls to report its progress, to ask whether to stop, and to warn.
public struct ExecutionWatch: Sendable {
    /// Called after each staged entry and each action, with the actions done, of which a prepared one is
    /// half, and all actions.
    public var progress: @Sendable (_ done: Int, _ total: Int) -> Void
    /// Called before each step. True makes the operation undo what it did.
    public var isInterrupted: @Sendable () -> Bool
    /// Called with warnings, which do not stop the operation.
    public var warn: @Sendable (String) -> Void

    /// By default reports nothing and is never interrupted.
    public init(
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in },
        isInterrupted: @escaping @Sendable () -> Bool = { false },
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.progress = progress
        self.isInterrupted = isInterrupted
        self.warn = warn
    }
}
