import CSQLite
import Synchronization

/// Interrupts the statements of one connection, from any thread or after a number of instructions.
public final class SQLiteInterruption: Sendable {
    private let stopped = Atomic<Bool>(false)
    /// The remaining instructions of SQLite's virtual machine in thousands; negative without a limit.
    private let budget = Atomic<Int>(-1)

    /// Ends the current statement and all later ones with `SQLITE_INTERRUPT`.
    public func interrupt() { stopped.store(true, ordering: .relaxed) }

    /// Limits the next statements together to a number of thousand instructions; nil removes the limit.
    func allow(thousands: Int?) { budget.store(thousands ?? -1, ordering: .relaxed) }

    /// Installs a progress handler that runs every thousand instructions.
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
