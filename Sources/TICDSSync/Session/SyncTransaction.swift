import CoreDataStore

/// A transaction of synchronisation that is not closed: its sets are in the document, and not in the framework's
/// register yet (ticds-protocol(7), 5.7).
public struct SyncTransaction: Sendable, Hashable {
    /// By the framework's numbers (ticds-remote-format(5), 3.2).
    public enum State: Int, Sendable, Hashable {
        /// Before its sets are applied.
        case notYetOpen = -1
        /// Its sets are applied; whether the document was saved is not known.
        case open = 1
        /// Its sets are in the register.
        case closed = 0
        /// It was tried to close it, and failed.
        case unableToClose = -2
    }

    /// Names its `.unsavedticdsync` file.
    public var uuid: String
    /// How far it came.
    public var state: State
    /// Why it could not be closed.
    public var problem: String?
}

extension ReplicaNotes {
    func transactions(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> [SyncTransaction] {
        try connection.rows("SELECT uuid, state, problem FROM \(table("TRANSACTION")) ORDER BY uuid") { row in
            SyncTransaction(
                uuid: row.text(0) ?? "",
                state: row.integer(1).flatMap { SyncTransaction.State(rawValue: Int($0)) } ?? .open,
                problem: row.text(2))
        }
    }

    func put(
        _ transaction: SyncTransaction, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        var row = try connection.prepare("INSERT OR REPLACE INTO \(table("TRANSACTION")) VALUES (?1, ?2, ?3)")
        try row.bind(transaction.uuid, at: 1)
        row.bind(Int64(transaction.state.rawValue), at: 2)
        if let problem = transaction.problem { try row.bind(problem, at: 3) }
        try row.run()
    }

    func removeTransactions(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        try connection.execute("DELETE FROM \(table("TRANSACTION"))")
    }
}
