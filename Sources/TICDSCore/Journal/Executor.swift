public import SystemCalls
import SystemPackage

/// Carries plans out. The only door to the code that changes a remote.
///
/// First everything new is made aside and everything that the plan expects is checked; then entries move in and out of
/// the remote one by one; whatever fails, all that was done is taken back. The journal knows of an operation before
/// anything happens, so that ``Recovery`` can end it after a crash.
public struct Executor: Sendable {
    private let state: RemoteState
    private let keepsTrash: Bool
    private let lockWait: Int64
    private let recoder: (any ContentRecoder)?

    /// - Parameters:
    ///   - keepsTrash: whether what is taken away can be had again.
    ///   - lockWait: seconds to wait for another process that is changing the remote.
    ///   - recoder: for plans that encrypt or decrypt.
    public init(
        _ state: RemoteState, keepsTrash: Bool = true, lockWait: Int64 = 0,
        recoder: (any ContentRecoder)? = nil
    ) {
        self.state = state
        self.keepsTrash = keepsTrash
        self.lockWait = lockWait
        self.recoder = recoder
    }

    /// Carries a plan out; returns the number of the operation in the journal.
    /// - Parameter undoing: the operation that the plan takes back.
    /// - Throws: after everything is as it was before: `.refused` where the remote is not as the plan expects it, or
    ///   another process is at work; `.interrupted`; what went wrong else. Where it cannot be made as before, the
    ///   advice names `ticds-journal recover`.
    public func run(
        _ plan: Plan, undoing: Int64? = nil, watch: ExecutionWatch = ExecutionWatch()
    ) throws(FileProblem) -> Int64 {
        try PlanCheck.checkForm(plan)
        try state.make()
        let lock = try StateLock(state, command: plan.command, wait: lockWait)
        let number = try runLocked(plan, undoing, watch)
        _ = consume lock
        return number
    }

    private func runLocked(
        _ plan: Plan, _ undoing: Int64?, _ watch: ExecutionWatch
    ) throws(FileProblem) -> Int64 {
        let journal = try Journal.open(state)
        if let first = try journal.unfinished().first { throw Self.recoveryIsDue(first, state) }
        try Leftovers.remove(journal)
        let ground = try StagingGround(state)
        let number = try journal.begin(
            plan, staging: ground.staging, trashIsNear: ground.trashIsNear, keepsTrash: keepsTrash,
            undoing: undoing)
        let run = OperationRun(
            places: try journal.places(of: number), folders: RemoteFolders(root: plan.root), watch: watch)
        var made: [Int: EntryState] = [:]
        do throws(FileProblem) {
            made = try run.prepare(plan, recoder)
            try journal.prepared(number, made: made, folderTimes: run.folderTimes(plan.actions))
        } catch {
            // Where even this fails, the operation stays unfinished, and recovery does the same.
            if (try? run.discard()) != nil {
                try? journal.finish(number, .rolledBack, problem: error.description)
            }
            throw error
        }
        let steps = plan.actions.enumerated().map { position, action in
            JournaledStep(action: action, made: made[position], hasTrash: false)
        }
        do throws(FileProblem) {
            try run.act(steps)
            try run.finishForward(journal, steps)
        } catch {
            throw run.rollBack(journal, steps, after: error)
        }
        return number
    }

    private static func recoveryIsDue(_ operation: OperationRecord, _ state: RemoteState) -> FileProblem {
        FileProblem(
            .refused, path: state.root,
            "operation \(operation.number) (\(operation.summary)) was interrupted and has not been ended",
            advice: "Run: ticds-journal recover REMOTE")
    }
}

/// How an operation tells how far it is, and how it learns that it is to stop.
public struct ExecutionWatch: Sendable {
    /// Called after each entry that was made aside and each action: steps done, of how many.
    public var progress: @Sendable (_ done: Int, _ total: Int) -> Void
    /// Asked before each step. True makes the operation take back what it did.
    public var isInterrupted: @Sendable () -> Bool

    /// Tells nobody and is never interrupted, unless told otherwise.
    public init(
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in },
        isInterrupted: @escaping @Sendable () -> Bool = { false }
    ) {
        self.progress = progress
        self.isInterrupted = isInterrupted
    }
}
