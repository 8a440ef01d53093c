public import SystemCalls
import SystemPackage
import TICDSCore

/// Ends operations that were interruptedby a crash, a power failure or a lost volume.
public enum OperationRecovery {
    /// The way to end an operation.
    public enum Direction: String, Sendable, CaseIterable {
        /// Forward if possible, otherwise back.
        case automatic
        /// Does the actions that were not done.
        case forward
        /// Undoes the actions that were done.
        case back
        /// Neither: completed actions stay, and the trash keeps what they took away.
        case leave
    }

    /// Unfinished operations, oldest first.
    public static func unfinished(_ state: RemoteState) throws(FileProblem) -> [OperationRecord] {
        guard let journal = try Journal.read(state) else { return [] }
        return try journal.unfinished()
    }

    /// Ends every operation that was interrupted; returns how each has ended.
    /// - Throws: `.refused` if another process is changing the remote, or if the remote has changed so that the
    ///   operation can neither be completed nor be undone. Nothing is lost then, and the user can try again.
    public static func recover(
        _ state: RemoteState, _ direction: Direction = .automatic, lockWait: Int64 = 0,
        watch: ExecutionWatch = ExecutionWatch()
    ) throws(FileProblem) -> [OperationRecord] {
        try recover(
            state, WritableFolder(root: state.root), direction, lockWait: lockWait, watch: watch)
    }

    /// Ends every interrupted operation on a remote in any storage; returns how each has ended.
    package static func recover(
        _ state: RemoteState, _ storage: any WritableStorage, _ direction: Direction = .automatic,
        lockWait: Int64 = 0, watch: ExecutionWatch = ExecutionWatch()
    ) throws(FileProblem) -> [OperationRecord] {
        guard try PrivateDirectory.exists(state.journal) else { return [] }
        let deadline = Deadline(seconds: lockWait)
        let lock = try StateLock(state, command: "ticds-journal recover", until: deadline)
        let journal = try Journal.open(state)
        let remote = try storage.lock(
            journal, command: "ticds-journal recover", until: deadline, warn: watch.warn)
        let ended = try withExtendedLifetime(remote) { () throws(FileProblem) in
            try endAll(direction, journal, remote, storage, watch)
        }
        _ = consume lock
        return ended
    }

    private static func endAll(
        _ direction: Direction, _ journal: borrowing Journal, _ lock: any StorageLock,
        _ storage: any WritableStorage, _ watch: ExecutionWatch
    ) throws(FileProblem) -> [OperationRecord] {
        var ended: [OperationRecord] = []
        let unfinished = try journal.unfinished()
        if !unfinished.isEmpty { try journal.state.makeInnerTrash() }
        for operation in unfinished {
            let places = try journal.places(of: operation.number)
            if operation.state != .preparing {
                try lock.begin(operation.number, operation.summary, staging: places.staging)
            }
            try end(operation, direction, journal, OperationRun(places, storage, watch, lock))
            ended.append(try journal.operation(operation.number))
        }
        lock.end()
        try Leftovers.remove(journal, storage)
        return ended
    }

    private static func end(
        _ operation: OperationRecord, _ direction: Direction, _ journal: borrowing Journal,
        _ run: OperationRun
    ) throws(FileProblem) {
        let number = operation.number
        try run.places.check()
        if operation.state == .preparing {
            try run.discard()
            return try journal.finish(number, .rolledBack, problem: "interrupted before it changed anything")
        }
        let steps = try journal.steps(of: number)
        if direction == .leave { return try run.leave(journal, steps) }
        try finish(operation, direction, journal, run, steps)
    }

    private static func finish(
        _ operation: OperationRecord, _ direction: Direction, _ journal: borrowing Journal,
        _ run: OperationRun, _ steps: JournaledSteps
    ) throws(FileProblem) {
        let number = operation.number
        let isForward = direction != .back && operation.state == .running
        if isForward, try run.tookWhatWasSeen(steps) {
            do throws(FileProblem) {
                try run.act(steps)
                return try run.finishForward(journal, steps)
            } catch {
                // If entries changed or vanished, only rollback is possible. A missing remote may reappear.
                let isThere = try unlessMissing { () throws(FileProblem) in
                    try run.storage.isThere(.remote(.root))
                }
                let isChanged = error.kind == .refused || (error.kind == .missing && isThere == true)
                if direction == .forward || !isChanged { throw error }
            }
        } else if direction == .forward {
            throw FileProblem(
                .refused, path: journal.state.root, "operation \(number) can only be undone",
                found: operation.state == .running ? "entries that appeared meanwhile" : operation.problem,
                advice: "Run: ticds-journal recover --back REMOTE")
        }
        try journal.rollingBack(number, because: operation.problem ?? "interrupted")
        try run.revert(journal, steps)
    }
}
