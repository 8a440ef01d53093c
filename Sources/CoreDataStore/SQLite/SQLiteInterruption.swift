import CSQLite
import Synchronization

/// Stops the statements of one connection, from any thread, or after a budget of work.
public final class SQLiteInterruption: Sendable {
    private let stopped = Atomic<Bool>(false)
    /// Instructions of SQLite's virtual machine that are left, in thousands; negative: no budget.
    private let budget = Atomic<Int>(-1)

    /// Ends the statement that runs, and every later one, with `SQLITE_INTERRUPT`.
    public func interrupt() { stopped.store(true, ordering: .relaxed) }

    /// Lets the next statements together run for so many thousand instructions; nil lifts the budget.
    func allow(thousands: Int?) { budget.store(thousands ?? -1, ordering: .relaxed) }

    /// Has SQLite ask every thousand instructions whether to go on.
    func watch(_ database: OpaquePointer) {
        sqlite3_progress_handler(
            database, 1000,
            { context in
                guard let context else { return 0 }
                return Unmanaged<SQLiteInterruption>.fromOpaque(context).takeUnretainedValue().mustStop
                    ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private var mustStop: Bool {
        if stopped.load(ordering: .relaxed) { return true }
        let left = budget.load(ordering: .relaxed)
        if left > 0 { budget.store(left - 1, ordering: .relaxed) }
        return left == 0
    }
}
