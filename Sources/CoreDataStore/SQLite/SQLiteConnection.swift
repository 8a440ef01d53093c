import CSQLite
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A connection to an SQLite database, closed when it goes out of scope.
///
/// Nothing in the file can make it act: views and triggers are off, the schema is not trusted, extensions cannot be
/// loaded, other databases cannot be attached unless the caller asks for one.
public struct SQLiteConnection: ~Copyable {
    let database: OpaquePointer
    /// The file that is mapped into memory, where the database has no name to be opened by.
    private let mapped: UnsafeMutableRawBufferPointer?
    /// Stops what runs on this connection.
    public let interruption: SQLiteInterruption

    /// How to open a file.
    public enum Mode: Sendable {
        /// The file must exist, and is not written.
        case readOnly
        /// The file must exist.
        case readWrite
        /// The file is made where it is missing.
        case create
    }

    /// Opens the database that `uri` names (`file:...`, see `SQLiteURI`). `longestValue` bounds, in bytes, one value
    /// or one row. With `allowsAttaching` one other database can be attached.
    public init(
        uri: String, mode: Mode, longestValue: Int = 1_000_000_000, allowsAttaching: Bool = false
    ) throws(SQLiteError) {
        var opened: OpaquePointer?
        let flags = mode.flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(uri, &opened, flags, StrictVFS.name)
        guard code == SQLITE_OK, let opened else {
            let error = SQLiteError(opened, code: code)
            sqlite3_close_v2(opened)
            throw error
        }
        Self.restrict(opened, longestValue: longestValue, attached: allowsAttaching ? 1 : 0)
        database = opened
        mapped = nil
        interruption = SQLiteInterruption()
        interruption.watch(opened)
    }

    /// Opens a file of this process that has no name, for reading. SQLite looks for files by their real names only, so it
    /// gets the mapped bytes; nobody else has the file, who could cut it short.
    init(unnamed path: FilePath, longestValue: Int) throws(SQLiteError) {
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
            | SQLITE_OPEN_EXRESCODE
        var code = sqlite3_open_v2(":memory:", &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let error = SQLiteError(opened, code: code)
            sqlite3_close_v2(opened)
            throw error
        }
        guard let bytes = Self.map(path), let start = bytes.baseAddress else {
            sqlite3_close_v2(opened)
            throw SQLiteError(nil, code: SQLITE_CANTOPEN)
        }
        // A database in memory has no write-ahead log. Without one beside it, the file is whole as it is.
        if bytes.count > 19, bytes[18] == 2, bytes[19] == 2 { (bytes[18], bytes[19]) = (1, 1) }
        code = sqlite3_deserialize(
            opened, "main", start.assumingMemoryBound(to: UInt8.self), Int64(bytes.count), Int64(bytes.count),
            UInt32(SQLITE_DESERIALIZE_READONLY))
        guard code == SQLITE_OK else {
            let error = SQLiteError(opened, code: code)
            sqlite3_close_v2(opened)
            munmap(start, bytes.count)
            throw error
        }
        Self.restrict(opened, longestValue: longestValue, attached: 0)
        database = opened
        mapped = bytes
        interruption = SQLiteInterruption()
        interruption.watch(opened)
    }

    /// The bytes of a file, of which changes stay in this process.
    private static func map(_ path: FilePath) -> UnsafeMutableRawBufferPointer? {
        let descriptor = path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return nil }
        let size = Int(status.st_size)
        let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0)
        guard start != MAP_FAILED else { return nil }
        return UnsafeMutableRawBufferPointer(start: start, count: size)
    }

    deinit {
        sqlite3_close_v2(database)
        if let mapped { munmap(mapped.baseAddress, mapped.count) }
    }

    private static func restrict(_ database: OpaquePointer, longestValue: Int, attached: Int) {
        let switches = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
        ]
        for (option, value) in switches { _ = ticds_sqlite_switch(database, option, Int32(clamping: value)) }
        // A mapped file that somebody cuts short ends the process.
        sqlite3_exec(database, "PRAGMA mmap_size = 0", nil, nil, nil)
        let limits = [
            (SQLITE_LIMIT_LENGTH, min(max(longestValue, 1 << 20), 1_000_000_000)),
            (SQLITE_LIMIT_SQL_LENGTH, 1_000_000), (SQLITE_LIMIT_EXPR_DEPTH, 100),
            (SQLITE_LIMIT_COMPOUND_SELECT, 10), (SQLITE_LIMIT_FUNCTION_ARG, 8),
            (SQLITE_LIMIT_ATTACHED, attached),
            (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
        ]
        for (limit, value) in limits { sqlite3_limit(database, limit, Int32(clamping: value)) }
    }

    /// Compiles one statement.
    public func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        var statement: OpaquePointer?
        errno = 0
        let code = sqlite3_prepare_v2(database, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw SQLiteError(database, code: code, sql: sql) }
        return SQLiteStatement(statement, database: database)
    }

    /// Runs one statement to its end; its rows are dropped.
    public func execute(_ sql: String) throws(SQLiteError) {
        var statement = try prepare(sql)
        while try statement.step() {}
    }

    /// What `body` makes of the rows of a query; nil leaves a row out.
    public func rows<Row>(
        _ sql: String, _ body: (borrowing SQLiteStatement) -> Row?
    ) throws(SQLiteError) -> [Row] {
        var statement = try prepare(sql)
        var rows: [Row] = []
        while try statement.step() { if let row = body(statement) { rows.append(row) } }
        return rows
    }

    /// Rows that the last statement changed.
    public var changes: Int { Int(sqlite3_changes64(database)) }
}

extension SQLiteConnection.Mode {
    fileprivate var flags: Int32 {
        switch self {
        case .readOnly: SQLITE_OPEN_READONLY
        case .readWrite: SQLITE_OPEN_READWRITE
        case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
    }
}

/// Text that SQL needs around names.
package enum SQLiteName {
    /// The name as an identifier. Marks are doubled byte by byte: one with an accent on it is another character to
    /// Swift, but not to SQLite.
    package static func quoted(_ name: String) -> String {
        let parts = name.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        return "\"" + parts.map { String(Substring($0)) }.joined(separator: "\"\"") + "\""
    }
}

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

extension SQLiteConnection {
    /// What SQLite's `PRAGMA quick_check` says is broken, in its own words, at most `limit` complaints; none for a sound
    /// database. It walks all pages and cells, but does not compare indexes with their tables.
    /// - Throws: also where a page could not be read, of which SQLite makes a complaint.
    public func quickCheck(limit: Int = 10) throws(SQLiteError) -> [String] {
        var complaints: [String] = []
        var rows = try prepare("PRAGMA quick_check(\(limit))")
        while try rows.step() {
            let number = errno
            guard let text = rows.text(0), text != "ok" else { continue }
            if let code = Self.readError(text, number) { throw SQLiteError(code: code, message: text) }
            complaints.append(text)
        }
        return complaints
    }

    /// The error of the system in a complaint such as "Page 3: unable to get the page. error code=266"; nil in any other,
    /// and where the file is too short.
    /// - Parameter number: the error of the last call to the system that failed while SQLite looked for the complaint. A
    ///   page that maps others, "Failed to read ptrmap key=5", is complained about without it.
    static func readError(_ complaint: String, _ number: Int32 = 0) -> Int32? {
        if complaint.contains("Failed to read ptrmap"), ![0, ENOENT, EAGAIN].contains(number) {
            return SQLITE_IOERR_READ
        }
        guard let word = complaint.firstRange(of: "error code=") else { return nil }
        let text = complaint[word.upperBound...]
        guard let code = Int32(text), code & 0xFF == SQLITE_IOERR, code != SQLITE_IOERR_SHORT_READ
        else { return nil }
        return code
    }
}
