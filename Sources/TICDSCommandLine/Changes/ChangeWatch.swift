import Synchronization
public import SystemCalls
public import TICDSCore

/// Shows how far a change of a remote is, and lets an interrupt take it back in good order.
public final class ChangeWatch: Sendable {
    private let bar: Mutex<Progress?>
    private let hasTold = Atomic(false)
    private let output: OutputOptions

    /// - Parameter label: what is being done, such as "changing".
    public init(_ label: String, _ output: OutputOptions) {
        bar = Mutex(Progress(label, output))
        self.output = output
    }

    /// Runs `body` with a watch for the executor. The first SIGINT, SIGTERM or SIGHUP meanwhile asks it to stop; the
    /// second ends the process, and leaves the rest to `ticds-journal recover`.
    public func run<Result>(
        _ body: (ExecutionWatch) throws(FileProblem) -> Result
    ) throws(FileProblem) -> Result {
        defer { bar.withLock { $0 = nil } }
        let watch = ExecutionWatch(
            progress: { self.show($0, of: $1) }, isInterrupted: { self.isInterrupted },
            warn: { self.output.warn($0) })
        return try Interruption.catching { () throws(FileProblem) in try body(watch) }
    }

    private func show(_ done: Int, of total: Int) {
        bar.withLock { $0?.update(ProgressState(Int64(done), of: Int64(total), .actions)) }
    }

    private var isInterrupted: Bool {
        guard Interruption.isWanted else { return false }
        if !hasTold.exchange(true, ordering: .relaxed), !output.quiet {
            bar.withLock { $0 = nil }
            Messages.line("interrupted; undoing what was done")
        }
        return true
    }
}
