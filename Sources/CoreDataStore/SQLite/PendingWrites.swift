import CSQLite
import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Saves what a store has not yet in its main file, and keeps everybody else out of it for as long as this lives.
///
/// An SQLite store may have its latest rows in a write-ahead log, or a transaction that a dead program left in a
/// rollback journal (core-data-sqlite-store(5), 5). Stores of other kinds are one file: nothing is done about them.
public struct PendingWrites: ~Copyable {
    private let connection: SQLiteConnection?

    /// Returns when the main file holds everything, on disk.
    /// - Parameters:
    ///   - waiting: how long to wait for other programs, in seconds.
    ///   - keepsLog: leaves an empty log behind, which is for the caller to remove.
    /// - Throws: `.refused` where another program has the store open, or writes to it. Then nothing has changed.
    public init(
        saving store: FilePath, waiting: Double = 5, keepsLog: Bool = false
    ) throws(FileProblem) {
        guard try FileBytes.head(store, count: 16).array == Array("SQLite format 3\0".utf8) else {
            connection = nil
            return
        }
        _ = try PendingFiles(of: store)
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(
                uri: SQLiteURI.uri(of: store, immutable: false), mode: .readWrite)
            connection.wait(milliseconds: Int32(saturating: min(max(waiting, 0), 86_400) * 1_000))
            if keepsLog { try connection.keepLogOnClosing() }
            if try connection.lockOthersOut() {
                guard try connection.emptyLog() else {
                    throw SQLiteError(code: SQLITE_BUSY, message: "in use")
                }
                // Nobody shares this file any more, and a connection that is alone does not remove it.
                StoreFiles.remove(FilePath(pathBytes: store.bytes + Array("-shm".utf8)))
            }
            self.connection = consume connection
        } catch {
            throw Self.problem(error, store)
        }
    }

    private static func problem(_ error: SQLiteError, _ store: FilePath) -> FileProblem {
        guard error.primaryCode == SQLITE_BUSY || error.primaryCode == SQLITE_LOCKED else {
            return error.problem(with: store)
        }
        return FileProblem(
            .refused, path: store, "another program has the store open", found: "\(error.message)",
            advice: "Quit the application that uses it, then try again")
    }
}
