public import SystemCalls
import SystemPackage

/// Ends operations that were interrupted: by a crash, a power failure, a volume that went away.
public enum Recovery {
    /// Which way to end an operation.
    public enum Direction: String, Sendable, CaseIterable {
        /// Forward where that is possible, else back.
        case automatic
        /// Does what was not done.
        case forward
        /// Takes back what was done.
        case back
        /// Neither: what was done stays, and what was taken away is kept in the trash.
        case leave
    }

    /// Operations that wait to be ended, oldest first.
    public static func unfinished(_ state: RemoteState) throws(FileProblem) -> [OperationRecord] {
        guard let journal = try Journal.read(state) else { return [] }
        return try journal.unfinished()
    }

    /// Ends every operation that was interrupted; returns how each has ended.
    /// - Throws: `.refused` where another process is at work, or where the remote has changed in a way that lets it go
    ///   neither forward nor back; nothing is lost then, and it can be tried again.
    public static func recover(
        _ state: RemoteState, _ direction: Direction = .automatic, lockWait: Int64 = 0,
        watch: ExecutionWatch = ExecutionWatch()
    ) throws(FileProblem) -> [OperationRecord] {
        guard (try? FileStatus.of(state.journal)) != nil else { return [] }
        let lock = try StateLock(state, command: "ticds-journal recover", wait: lockWait)
        let journal = try Journal.open(state)
        var ended: [OperationRecord] = []
        for operation in try journal.unfinished() {
            try end(operation, direction, journal, watch)
            ended.append(try journal.operation(operation.number))
        }
        try Leftovers.remove(journal)
        _ = consume lock
        return ended
    }

    private static func end(
        _ operation: OperationRecord, _ direction: Direction, _ journal: borrowing Journal,
        _ watch: ExecutionWatch
    ) throws(FileProblem) {
        let number = operation.number
        let run = OperationRun(
            places: try journal.places(of: number), folders: RemoteFolders(root: journal.state.root),
            watch: watch)
        if operation.state == .preparing {
            try run.discard()
            return try journal.finish(number, .rolledBack, problem: "interrupted before anything was changed")
        }
        let steps = try journal.steps(of: number)
        if direction == .leave { return try run.leave(journal, steps) }
        let isForward = direction != .back && operation.state == .running
        if isForward, try run.tookWhatWasSeen(steps) {
            do throws(FileProblem) {
                try run.act(steps)
                return try run.finishForward(journal, steps)
            } catch {
                if direction == .forward || error.kind != .refused { throw error }
            }
        } else if direction == .forward {
            throw FileProblem(
                .refused, path: journal.state.root, "operation \(number) can only be taken back",
                found: operation.state == .running ? "entries that came meanwhile" : operation.problem,
                advice: "Run: ticds-journal recover --back REMOTE")
        }
        try journal.rollingBack(number, because: operation.problem ?? "interrupted")
        try run.revert(journal, steps)
    }
}
