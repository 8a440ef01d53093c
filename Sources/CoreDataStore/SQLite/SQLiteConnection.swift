import CSQLite
import Glibc
import SystemPackage

/// A connection to an SQLite database, which closes itself.
///
/// The content of the file cannot run code: views, triggers and extensions are disabled, the schema is not trusted, and
/// no other database can be attached unless the caller allows one.
public struct SQLiteConnection: ~Copyable {
    let database: OpaquePointer
    /// The memory-mapped file, if the database was opened without a name.
    private let mapped: UnsafeMutableRawBufferPointer?
    /// Interrupts the statements of this connection.
    let interruption: SQLiteInterruption

    /// The ways to open a file.
    public enum Mode: Sendable {
        /// The file must exist. It is not written.
        case readOnly
        /// The file must exist. It may be written.
        case readWrite
        /// The file is created if it does not exist.
        case create
    }

    /// Opens the database of a `file:` URI; see `SQLiteURI`. `longestValue` is the maximum size of a value or row in
    /// bytes. `allowsAttaching` permits one attached database.
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

    /// Opens a file of this process without a name, for reading. SQLite resolves names, and this file has none, so
    /// SQLite gets the mapped bytes. No other process can truncate the file.
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
        // A database in memory cannot use a write-ahead log. Without a log beside it, the file is complete.
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

    /// Maps a file into memory. Changes stay in this process (MAP_PRIVATE).
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

    /// Whether SQLite leaves a write-ahead log beside the database when the last connection is closed; otherwise it moves
    /// the log into the database and removes it.
    func keepLog(_ isKept: Bool) {
        _ = ticds_sqlite_switch(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, isKept ? 1 : 0)
    }

    private static func restrict(_ database: OpaquePointer, longestValue: Int, attached: Int) {
        let switches = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
        ]
        for (option, value) in switches { _ = ticds_sqlite_switch(database, option, Int32(clamping: value)) }
        // Truncation of a mapped file would end the process with SIGBUS.
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

    /// Whether statements may change the rows of sqlite_master, for a database that this program makes.
    func allowSchemaChanges(_ isAllowed: Bool) {
        _ = ticds_sqlite_switch(database, SQLITE_DBCONFIG_DEFENSIVE, isAllowed ? 0 : 1)
        _ = ticds_sqlite_switch(database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, isAllowed ? 1 : 0)
    }

    /// Compiles a statement (sqlite3_prepare_v2).
    public func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        var statement: OpaquePointer?
        errno = 0
        let code = sqlite3_prepare_v2(database, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw SQLiteError(database, code: code) }
        return SQLiteStatement(statement, database: database)
    }

    /// Compiles the only statement of a text that a user wrote.
    /// - Throws: an error for a text without a statement, with several, or with parameters, whose values would all be
    ///   NULL.
    public func prepareOnly(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        var statements: [OpaquePointer] = []
        let code = sql.withCString { start -> Int32 in
            var rest: UnsafePointer<CChar>? = start
            while let place = rest, place.pointee != 0, statements.count < 2 {
                var statement: OpaquePointer?
                let code = sqlite3_prepare_v2(database, place, -1, &statement, &rest)
                guard code == SQLITE_OK else { return code }
                if let statement { statements.append(statement) }
            }
            return SQLITE_OK
        }
        if let first = statements.first, statements.count == 1, code == SQLITE_OK,
            sqlite3_bind_parameter_count(first) == 0
        {
            return SQLiteStatement(first, database: database)
        }
        let error =
            code != SQLITE_OK
            ? SQLiteError(database, code: code)
            : SQLiteError(
                code: SQLITE_ERROR,
                message: statements.count > 1
                    ? "there are several statements; give one at a time"
                    : statements.isEmpty
                        ? "there is no statement" : "the statement has parameters; write the values into it")
        for statement in statements { sqlite3_finalize(statement) }
        throw error
    }

    /// Runs a statement and discards its rows.
    public func execute(_ sql: String) throws(SQLiteError) {
        var statement = try prepare(sql)
        while try statement.step() {}
    }

    /// Converts the rows of a query. `body` returns nil to omit a row.
    public func rows<Row>(
        _ sql: String, _ body: (borrowing SQLiteStatement) -> Row?
    ) throws(SQLiteError) -> [Row] {
        var statement = try prepare(sql)
        var rows: [Row] = []
        while try statement.step() { if let row = body(statement) { rows.append(row) } }
        return rows
    }

    /// The number of rows that the last statement changed.
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

/// Quotes names for SQL.
package enum SQLiteName {
    /// The name as a quoted identifier. Works by bytes, since a quotation mark and a combining accent are one Character
    /// in Swift, but not in SQLite.
    package static func quoted(_ name: String) -> String {
        let parts = name.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        return "\"" + parts.map { String(Substring($0)) }.joined(separator: "\"\"") + "\""
    }

    /// An expression for the number of bytes of a blob in a column, and NULL for other values. SQLite does not read the
    /// blob for it.
    static func size(_ alias: String, _ column: String) -> String {
        let value = "\(alias).\(quoted(column))"
        return "CASE typeof(\(value)) WHEN 'blob' THEN length(\(value)) END"
    }

    /// The text as a quoted literal.
    package static func literal(_ text: String) -> String {
        let parts = text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'" + parts.map { String(Substring($0)) }.joined(separator: "''") + "'"
    }
}

extension SQLiteConnection {
    /// Sets the time for which statements wait for the locks of other connections.
    func wait(milliseconds: Int32) { sqlite3_busy_timeout(database, milliseconds) }

    /// Keeps the write-ahead log when the connection closes. SQLite would remove it by name, which may belong to
    /// another store by then.
    func persistLog() throws(SQLiteError) {
        var isKept: Int32 = 1
        let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
        guard code == SQLITE_OK else { throw SQLiteError(database, code: code) }
    }

    /// Waits for other connections and locks them out until this connection closes. SQLite rolls back the journal of a
    /// crashed program.
    /// - Returns: whether the store uses a write-ahead log.
    func lockExclusively() throws(SQLiteError) -> Bool {
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try execute("BEGIN EXCLUSIVE")
        guard try text("PRAGMA journal_mode") == "wal" else { return false }
        try execute("COMMIT")
        return true
    }

    /// Moves the write-ahead log to the main file and truncates it.
    /// - Returns: false if another connection prevents it.
    func truncateLog() throws(SQLiteError) -> Bool {
        var rows = try prepare("PRAGMA wal_checkpoint(TRUNCATE)")
        guard try rows.step() else { return true }
        return rows.integer(0) == 0
    }

    private func text(_ sql: String) throws(SQLiteError) -> String? {
        var rows = try prepare(sql)
        return try rows.step() ? rows.text(0) : nil
    }

    /// The complaints of `PRAGMA quick_check`, at most `limit`; none for an intact database. The check reads all pages
    /// and cells, but does not compare indexes with their tables.
    /// - Throws: also an error if a page cannot be read, although SQLite only complains about it.
    public func quickCheck(limit: Int = 10) throws(SQLiteError) -> [String] {
        try complaints("PRAGMA quick_check(\(limit))")
    }

    /// The complaints of `PRAGMA integrity_check`, which also compares indexes with their tables.
    package func integrityCheck(limit: Int = 10) throws(SQLiteError) -> [String] {
        try complaints("PRAGMA integrity_check(\(limit))")
    }

    private func complaints(_ pragma: String) throws(SQLiteError) -> [String] {
        var complaints: [String] = []
        var rows = try prepare(pragma)
        while try rows.step() {
            let number = errno
            guard let text = rows.text(0), text != "ok" else { continue }
            if let code = Self.readError(text, number) { throw SQLiteError(code: code, message: text) }
            complaints.append(text)
        }
        return complaints
    }

    /// The system error in a complaint such as "Page 3: unable to get the page. error code=266"; nil for other
    /// complaints and for a truncated file.
    /// - Parameter number: `errno` of the last failed system call before the complaint, since "Failed to read ptrmap
    ///   key=5" contains no code.
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

/// The default VFS of SQLite with a stricter xAccess and xOpen. SQLite treats a rollback journal or write-ahead log as
/// absent if stat(2) fails for any reason; it then reads or changes a database in an inconsistent state. Here only ENOENT
/// and ENOTDIR mean that a file does not exist. SQLite also waits for a writer if a FIFO is in the place of a file; here
/// only regular files can be opened.
enum StrictVFS {
    /// The name for `sqlite3_open_v2`; nil if SQLite is out of memory and uses its default.
    static let name: String? = {
        guard let own = sqlite3_vfs_find(nil) else { return nil }
        let strict = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        strict.initialize(to: own.pointee)
        strict.pointee.pNext = nil
        let name = "ticds"
        strict.pointee.zName = UnsafePointer(strdup(name))
        strict.pointee.xAccess = { _, path, flags, found in
            guard let path, let found else { return SQLITE_IOERR_ACCESS }
            var status = stat()
            if stat(path, &status) == 0 {
                // SQLite treats an empty file as absent.
                let isRegular = status.st_mode & S_IFMT == S_IFREG
                found.pointee = flags != SQLITE_ACCESS_EXISTS || !isRegular || status.st_size > 0 ? 1 : 0
                if flags == SQLITE_ACCESS_READWRITE { found.pointee = access(path, R_OK | W_OK) == 0 ? 1 : 0 }
                return SQLITE_OK
            }
            found.pointee = 0
            return errno == ENOENT || errno == ENOTDIR ? SQLITE_OK : SQLITE_IOERR_ACCESS
        }
        strict.pointee.xOpen = { vfs, path, file, flags, granted in
            var status = stat()
            let isOther = path.map { stat($0, &status) == 0 && status.st_mode & S_IFMT != S_IFREG } ?? false
            guard !isOther, let open = sqlite3_vfs_find(nil)?.pointee.xOpen else {
                file?.pointee.pMethods = nil
                return SQLITE_CANTOPEN
            }
            return open(vfs, path, file, flags, granted)
        }
        // SQLite requires that a VFS exists as long as the process.
        return sqlite3_vfs_register(strict, 0) == SQLITE_OK ? name : nil
    }()
}
