import Base
import CSQLite
public import SystemCalls
public import SystemPackage

/// Opens a store that other programs may have open, with its base, in one transaction over both files.
enum LiveStore {
    /// A connection with an open transaction; the base is attached as "base".
    static func connection(
        _ path: FilePath, base: FilePath, lockWait: Double
    ) throws(FileProblem) -> SQLiteConnection {
        for file in [path, base] { try InterruptedCommit.check(file) }
        // Read before the store is held.
        let own = try PendingFilesMatch.ownIdentifier(path)
        var foreign: String?
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(
                uri: SQLiteURI.uri(of: path, immutable: false), mode: .readWrite, allowsAttaching: true)
            connection.wait(milliseconds: Int32(saturating: min(max(lockWait, 0), 86_400) * 1_000))
            // An interruption before the log is known to belong to the store leaves both as they are.
            connection.keepLog(true)
            let found = own == nil ? nil : try identifier(connection)
            if let own, let found, found != own {
                foreign = found
            } else {
                connection.keepLog(false)
                try prepare(connection, "main")
                try attach(base, connection)
                try connection.execute("BEGIN IMMEDIATE")
                return connection
            }
        } catch {
            throw problem(error, path)
        }
        throw try PendingFilesMatch.foreignLog(path, own ?? "", foreign ?? "")
    }

    /// The identifier of a store, including its log.
    private static func identifier(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> String? {
        var row = try connection.prepare("SELECT Z_UUID FROM main.Z_METADATA")
        return try row.step() ? row.text(0) : nil
    }

    private static func attach(
        _ base: FilePath, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        var attach = try connection.prepare("ATTACH ?1 AS base")
        try attach.bind(SQLiteURI.uri(of: base, immutable: false), at: 1)
        try attach.run()
        try prepare(connection, "base")
    }

    /// Sets a rollback journal and full synchronisation, without which SQLite does not commit atomically to two files.
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

    /// The problem for an error of a store that other programs may have locked.
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
    /// Opens a store that other programs may have open, to edit it in place, with its base: the store as it was at the
    /// last `finish()` or `rollBack()`. The base is attached as "base" and may have further tables.
    ///
    /// Changes of both are atomic, even if the process crashes. A write-ahead log is moved into the store, which uses a
    /// rollback journal from then on; triggers do not run. While this object exists, no other code of the process may
    /// open either file, since closing it would release the locks (fcntl(2)).
    /// - Parameter lockWait: the time to wait for other programs, in seconds.
    /// - Throws: `.refused` if other programs keep the store locked, if the tables of store and base differ, or if only
    ///   Core Data may write to the store (core-data-sqlite-store(5), 4.3 and 4.4).
    public convenience init(
        live path: FilePath, base: FilePath, model given: ManagedObjectModel? = nil, identifier: String,
        lockWait: Double = 5
    ) throws(FileProblem) {
        let connection = try LiveStore.connection(path, base: base, lockWait: lockWait)
        let opening = try StoreOpening(connection, SQLiteStoreFile(held: path))
        let choice = try opening.choose(given, .refuse, connection)
        let model = try WriteCheck.check(opening, choice.model, connection, path, pages: false)
        try BaseTables(opening.schema, opening.entities).check(connection, path)
        self.init(path, connection, opening, model, identifier, keepsLog: false, isLive: true)
    }

    /// Calls `body` with the connection in the transaction, for tables of the caller in the base.
    public func withConnection<Result>(
        _ body: (borrowing SQLiteConnection) throws(SQLiteError) -> Result
    ) throws(FileProblem) -> Result {
        try run { () throws(SQLiteError) in try body(connection) }
    }

    /// Calls `body` with the connection in the transaction, for work that is more than SQLite's.
    package func withTransaction<Result>(
        _ body: (borrowing SQLiteConnection) throws(FileProblem) -> Result
    ) throws(FileProblem) -> Result {
        try body(connection)
    }

    /// Makes the Core Data tables of the base equal to those of the store; equal rows are not written.
    public func updateBase() throws(FileProblem) {
        guard isLive else {
            throw FileProblem(
                .refused, path: path, "the replica has lost ReplicaState.sqlite, its copy of the last run",
                advice: "Make a new replica with ticds-sync clone")
        }
        try writeCounters()
        let tables = BaseTables(schema, entities)
        try run { () throws(SQLiteError) in try tables.update(connection) }
    }
}
