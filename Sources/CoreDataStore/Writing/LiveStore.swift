import CSQLite
public import SystemCalls
public import SystemPackage

/// Opens a store that others may have open, together with its base, in one transaction over both files.
enum LiveStore {
    /// A connection on which the transaction has begun; the base is attached as "base".
    static func connection(
        _ path: FilePath, base: FilePath, lockWait: Double
    ) throws(FileProblem) -> SQLiteConnection {
        for file in [path, base] { try InterruptedCommit.check(file) }
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(
                uri: SQLiteURI.uri(of: path, immutable: false), mode: .readWrite, allowsAttaching: true)
            connection.wait(milliseconds: Int32(clamping: Int(max(0, min(lockWait, 86_400)) * 1000)))
            try prepare(connection, "main")
            try attach(base, connection)
            try connection.execute("BEGIN IMMEDIATE")
            return connection
        } catch {
            throw problem(error, path)
        }
    }

    private static func attach(
        _ base: FilePath, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        var attach = try connection.prepare("ATTACH ?1 AS base")
        try attach.bind(SQLiteURI.uri(of: base, immutable: false), at: 1)
        try attach.run()
        try prepare(connection, "base")
    }

    /// A rollback journal, and everything forced to disk: only then does a commit over two files count in both or in
    /// neither.
    private static func prepare(
        _ connection: borrowing SQLiteConnection, _ schema: String
    ) throws(SQLiteError) {
        do {
            var mode = try connection.prepare("PRAGMA \(schema).journal_mode = DELETE")
            guard try mode.step(), mode.text(0) == "delete" else {
                throw SQLiteError(code: SQLITE_BUSY, message: "the write-ahead log is in use")
            }
        }
        try connection.execute("PRAGMA \(schema).synchronous = FULL")
        try connection.execute("PRAGMA \(schema).cache_size = -32768")
    }

    /// An error of a store that is not the process's own: others may be in the way.
    static func problem(_ error: SQLiteError, _ path: FilePath) -> FileProblem {
        guard error.primaryCode == SQLITE_BUSY || error.primaryCode == SQLITE_LOCKED else {
            return error.problem(with: path)
        }
        return FileProblem(
            .refused, path: path, "another program has it open", found: error.message,
            advice: "Close the store there, or end the transaction, then try again")
    }
}

extension WritableStore {
    /// Opens a store that others may have open, to be edited in place, and beside it its base: the store as it was
    /// when `finish()` or `rollBack()` was last called, which is attached as "base" and may have further tables.
    ///
    /// What is done to both counts in both or, after a crash at whatever moment, in neither. A write-ahead log is folded
    /// into the store, which keeps a rollback journal from then on; triggers do not run. While this object lives nothing
    /// else in the process may open either file: closing it would give up the locks.
    /// - Parameter lockWait: how long to wait for others, in seconds.
    /// - Throws: `.refused` where others do not leave the store in time, where the tables of store and base are not the
    ///   same, and where others than Core Data must not write (4.3 and 4.4).
    public convenience init(
        live path: FilePath, base: FilePath, model given: ManagedObjectModel? = nil, identifier: String,
        lockWait: Double = 5
    ) throws(FileProblem) {
        let connection = try LiveStore.connection(path, base: base, lockWait: lockWait)
        let opening = try StoreOpening(connection, SQLiteStoreFile(held: path))
        let choice = try opening.choose(given, .none, .refuse, connection)
        let model = try WritingObstacle.check(opening, choice.model, connection, path, pages: false)
        try BaseTables(opening.schema, opening.entities).check(connection, path)
        self.init(path, connection, opening, model, identifier, keepsLog: false, isLive: true)
    }

    /// Lends the connection, inside the transaction, for tables of the caller's own in the base.
    public func withConnection<Result>(
        _ body: (borrowing SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(FileProblem) -> Result {
        try run { () throws(SQLiteError) in try body(connection) }
    }

    /// Makes the Core Data tables of the base equal to those of the store; rows that are equal are not written.
    public func bringBaseUp() throws(FileProblem) {
        guard isLive else { throw FileProblem(.refused, path: path, "the store has no base") }
        try settle()
        let tables = BaseTables(schema, entities)
        try run { () throws(SQLiteError) in try tables.bringUp(connection) }
    }
}
