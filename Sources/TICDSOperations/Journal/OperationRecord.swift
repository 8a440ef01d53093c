public import SystemCalls
public import TICDSCore

/// One operation as the journal has it.
public struct OperationRecord: Sendable, Hashable {
    /// The progress of the operation.
    public enum State: String, Sendable, CaseIterable {
        /// New files are being staged; the remote has not changed.
        case preparing
        /// Entries are moving in and out.
        case running
        /// An error occurred, and the operation is being undone.
        case rollingBack
        /// Completed.
        case done
        /// Undone: the remote is as it was before.
        case rolledBack
        /// Left as it was, because it could neither be completed nor be undone.
        case left
    }

    /// From 1, in the order in which they began.
    public var number: Int64
    /// The state of the operation.
    public var state: State
    /// The command, such as `ticds-client delete`.
    public var command: String
    /// The sentence of the plan.
    public var summary: String
    /// When it began.
    public var started: FileTime
    /// When it ended; nil while it runs, and after a crash.
    public var finished: FileTime?
    /// Number of the process that carried it out.
    public var process: Int32
    /// The machine on which the process ran.
    public var host: String
    /// The user who started it.
    public var user: String
    /// Number of actions of the plan.
    public var actions: Int
    /// The totals of what is still in the trash.
    public var trash: FileTotals
    /// The operation that this one undid.
    public var undoes: Int64?
    /// The operation that undid this one.
    public var undoneBy: Int64?
    /// The reason why it was rolled back or left, or could not be rolled back.
    public var problem: String?

    /// True if the process ended before the operation: the user must run `ticds-journal recover`.
    public var isUnfinished: Bool {
        switch state {
        case .preparing, .running, .rollingBack: true
        case .done, .rolledBack, .left: false
        }
    }
}
