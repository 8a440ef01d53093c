import SystemCalls
import SystemPackage

/// Databases of ours that nobody needs after the program: fast, and not forced to disk.
enum ScratchDatabase {
    /// Makes the file `path` and runs statements on it, in one transaction that is never ended.
    static func open(_ path: FilePath, _ statements: [String]) throws(FileProblem) -> SQLiteConnection {
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(
                uri: SQLiteURI.uri(of: path, immutable: false), mode: .create)
            for sql in settings + ["BEGIN"] + statements {
                try connection.execute(sql)
            }
            return connection
        } catch {
            throw problem(error, path)
        }
    }

    /// Keys come in any order: with 32 MB of pages in memory that costs little.
    private static let settings = [
        "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA cache_size = -32000",
    ]

    static func prepare(
        _ sql: String, _ connection: borrowing SQLiteConnection, _ path: FilePath
    ) throws(FileProblem) -> SQLiteStatement {
        do throws(SQLiteError) {
            return try connection.prepare(sql)
        } catch {
            throw problem(error, path)
        }
    }

    static func problem(_ error: SQLiteError, _ path: FilePath) -> FileProblem {
        FileProblem(
            .writeFailed, path: path, "the scratch file cannot be written or read", found: "\(error)",
            advice: "Set TMPDIR to a folder with enough room")
    }
}
