import SystemCalls
import SystemPackage

/// Databases of ours that nobody needs after the program: fast, and not forced to disk.
enum ScratchDatabase {
    /// Makes the file `path` and runs statements on it, in one transaction that is never ended.
    /// - Parameter megabytes: of pages that stay in memory; keys that come in any order cost little with enough of them.
    static func open(
        _ path: FilePath, _ statements: [String], megabytes: Int = 32
    ) throws(FileProblem) -> SQLiteConnection {
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(
                uri: SQLiteURI.uri(of: path, immutable: false), mode: .create)
            let cache = "PRAGMA cache_size = -\(megabytes * 1_000)"
            for sql in settings + [cache, "BEGIN"] + statements {
                try connection.execute(sql)
            }
            return connection
        } catch {
            throw problem(error, path)
        }
    }

    private static let settings = ["PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF"]

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
            advice: "Set TMPDIR to a folder with enough space")
    }
}
