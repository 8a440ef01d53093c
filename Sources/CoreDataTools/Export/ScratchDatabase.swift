import CoreDataStore
import SystemCalls
import SystemPackage

/// Temporary databases of a process: fast, without fsync(2).
enum ScratchDatabase {
    /// Creates the file `path` and runs statements in a transaction that is never committed.
    /// - Parameter megabytes: the size of the page cache, which makes inserts in random order fast.
    static func open(
        _ path: FilePath, _ statements: [String], megabytes: Int = 32
    ) throws(FileProblem) -> SQLiteConnection {
        // SQLite would not give the file all permissions that the umask grants.
        try NewFile.write([], to: path)
        return try run(path) { () throws(SQLiteError) in
            let connection = try SQLiteConnection(
                uri: SQLiteURI.uri(of: path, immutable: false), mode: .create)
            let cache = "PRAGMA cache_size = -\(megabytes * 1_000)"
            for sql in settings + [cache, "BEGIN"] + statements { try connection.execute(sql) }
            return connection
        }
    }

    private static let settings = ["PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF"]

    static func prepare(
        _ sql: String, _ connection: borrowing SQLiteConnection, _ path: FilePath
    ) throws(FileProblem) -> SQLiteStatement {
        try run(path) { () throws(SQLiteError) in try connection.prepare(sql) }
    }

    /// Runs `body`. An error of SQLite becomes a problem of the file `path`.
    static func run<Result: ~Copyable>(
        _ path: FilePath, _ body: () throws(SQLiteError) -> Result
    ) throws(FileProblem) -> Result {
        do throws(SQLiteError) { return try body() } catch { throw problem(error, path) }
    }

    static func problem(_ error: SQLiteError, _ path: FilePath) -> FileProblem {
        error.pathProblem(path)
            ?? FileProblem(
                .writeFailed, path: path, "the new database cannot be written or read", found: "\(error)",
                advice: "Make room there; TMPDIR names another folder for temporary files")
    }
}
