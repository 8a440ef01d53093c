import CSQLite
import Glibc
public import SystemCalls
public import SystemPackage

/// An error of SQLite.
public struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The extended result code, such as 779 (`SQLITE_CORRUPT_INDEX`).
    public var code: Int32
    /// The message of SQLite.
    public var message: String

    /// An error with a code of SQLite.
    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// The last error of an open connection, immediately after the call that failed; `errno` must have been 0 before
    /// the call.
    ///
    /// SQLite reports SQLITE_CORRUPT if the disk fails to read a page (EIO). The content of the page is then unknown,
    /// so the code becomes SQLITE_IOERR_READ.
    init(_ database: OpaquePointer?, code: Int32) {
        if code & 0xFF == SQLITE_CORRUPT, [EIO, ENXIO, ERANGE].contains(errno) {
            self.code = SQLITE_IOERR_READ
            message = String(cString: sqlite3_errstr(SQLITE_IOERR))
        } else {
            self.code = database.map { sqlite3_extended_errcode($0) } ?? code
            if self.code & 0xFF != code & 0xFF { self.code = code }
            message = database.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "error \(code)"
            if Self.failedWrites.contains(self.code), errno == EFBIG { message += ": \(Errno.fileTooLarge)" }
        }
    }

    /// The code without its extension, such as 11 (`SQLITE_CORRUPT`).
    public var primaryCode: Int32 { code & 0xFF }

    public var description: String { "SQLite error \(code): \(message)" }

    /// Runs `body`. Its error becomes a problem of the file `path`.
    package static func at<Result: ~Copyable>(
        _ path: FilePath, _ body: () throws(SQLiteError) -> Result
    ) throws(FileProblem) -> Result {
        do throws(SQLiteError) { return try body() } catch { throw error.problem(with: path) }
    }

    /// The error as a problem of the file `path`.
    public func problem(with path: FilePath) -> FileProblem {
        if let problem = pathProblem(path) { return problem }
        let found = "\(message) (SQLite code \(code))"
        if Self.failedWrites.contains(code) {
            return FileProblem(
                .writeFailed, path: path, "the SQLite database cannot be written", found: found)
        }
        switch primaryCode {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH:
            return FileProblem(
                .damaged, path: path, "the SQLite database is damaged", found: found,
                advice: "Keep a copy before anything else; the sqlite3 program may recover a part of it")
        case SQLITE_NOMEM: return .noMemory(path: path)
        case SQLITE_TOOBIG, SQLITE_INTERRUPT:
            return FileProblem(
                .limit, path: path, "reading this database exceeded the limit of steps; it may be hostile",
                found: found)
        case SQLITE_READONLY, SQLITE_FULL, SQLITE_CONSTRAINT:
            return FileProblem(
                .writeFailed, path: path, "the SQLite database cannot be written", found: found,
                advice: primaryCode == SQLITE_FULL ? "Make room on that volume, then try again" : nil)
        default:
            return FileProblem(.unreadable, path: path, "the SQLite database cannot be read", found: found)
        }
    }
}

extension SQLiteError {
    /// The codes SQLITE_IOERR_WRITE, FSYNC, DIR_FSYNC, TRUNCATE and DELETE.
    private static let failedWrites = Set<Int32>([3, 4, 5, 6, 10].map { SQLITE_IOERR | $0 << 8 })

    /// The longest path of a database in bytes: SQLite has room for 512, and needs 8 for the names beside it.
    package static let longestPath = 504

    /// The problem if SQLite could not open a file because its path is too long, or because the path or that of a file
    /// beside it has no regular file; nil for other errors.
    package func pathProblem(_ path: FilePath) -> FileProblem? {
        guard primaryCode == SQLITE_CANTOPEN else { return nil }
        for suffix in ["", "-journal", "-wal"] {
            let file = FilePath(pathBytes: path.bytes + Array(suffix.utf8))
            // try?: the error of SQLite is reported if the kind cannot be found out
            let kind = (try? FileStatus.of(file.resolved() ?? file))?.kind ?? .file
            if kind != .file { return .notRegular(kind, path: file) }
        }
        // try?: the error of SQLite is reported if the length cannot be found out
        let resolved = (try? path.resolvedAllowingMissing()) ?? path
        guard resolved.length > Self.longestPath else { return nil }
        return FileProblem(
            .limit, path: path, "the path is too long for SQLite",
            expected: "at most \(Self.longestPath) bytes", found: "\(resolved.length)",
            advice: "Work in a folder with a shorter path")
    }
}

// Swift does not import these extended result codes, since the macros contain a shift.
let SQLITE_IOERR_READ = SQLITE_IOERR | 1 << 8
let SQLITE_IOERR_SHORT_READ = SQLITE_IOERR | 2 << 8
let SQLITE_IOERR_ACCESS = SQLITE_IOERR | 13 << 8
