import CSQLite

extension SQLiteConnection {
    /// How long statements wait for the locks of other connections, in milliseconds.
    func wait(milliseconds: Int32) { sqlite3_busy_timeout(database, milliseconds) }

    /// Leaves the write-ahead log where it is when the connection closes. SQLite removes it by its name, and that may be
    /// another store's by then.
    func keepLogOnClosing() throws(SQLiteError) {
        var isKept: Int32 = 1
        let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
        guard code == SQLITE_OK else { throw SQLiteError(database, code: code) }
    }

    /// Takes the store for this connection alone: waits for others to leave it, and keeps them out until the connection
    /// closes. What a program that died left in a rollback journal is rolled back.
    /// - Returns: whether the store keeps a write-ahead log.
    func lockOthersOut() throws(SQLiteError) -> Bool {
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try execute("BEGIN EXCLUSIVE")
        guard try text("PRAGMA journal_mode") == "wal" else { return false }
        try execute("COMMIT")
        return true
    }

    /// Moves everything from the write-ahead log to the main file, and cuts the log to nothing.
    /// - Returns: false where another connection is in the way.
    func emptyLog() throws(SQLiteError) -> Bool {
        var rows = try prepare("PRAGMA wal_checkpoint(TRUNCATE)")
        guard try rows.step() else { return true }
        return rows.integer(0) == 0
    }

    private func text(_ sql: String) throws(SQLiteError) -> String? {
        var rows = try prepare(sql)
        return try rows.step() ? rows.text(0) : nil
    }
}
