import Base
import CSQLite
public import SystemCalls
public import SystemPackage

/// Moves pending writes of a store to its main file, and locks other programs out while this value exists.
///
/// An SQLite store may have its latest rows in a write-ahead log, or a rollback journal of a transaction that a crash
/// interrupted (core-data-sqlite-store(5), 5). Stores of other types are one file and need nothing.
public struct PendingWrites: ~Copyable {
    private let connection: SQLiteConnection?

    /// Returns once the main file is complete on the disk.
    /// - Parameters:
    ///   - waiting: the time to wait for other programs, in seconds.
    ///   - keepsLog: leaves an empty log, which the caller must remove.
    /// - Throws: `.refused` if another program has the store open or writes to it. Nothing has changed then.
    public init(
        saving store: FilePath, waiting: Double = 5, keepsLog: Bool = false
    ) throws(FileProblem) {
        guard try FileBytes.head(store, count: 16).array == SQLiteStoreFile.magic else {
            connection = nil
            return
        }
        try Self.check(store)
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(
                uri: SQLiteURI.uri(of: store, immutable: false), mode: .readWrite)
            connection.wait(milliseconds: Int32(saturating: min(max(waiting, 0), 86_400) * 1_000))
            if keepsLog { try connection.persistLog() }
            if try connection.lockExclusively() {
                guard try connection.truncateLog() else {
                    throw SQLiteError(code: SQLITE_BUSY, message: "in use")
                }
                // No other connection uses this file, but SQLite does not remove it in exclusive mode.
                StoreFiles.remove(FilePath(pathBytes: store.bytes + Array("-shm".utf8)))
            }
            self.connection = consume connection
        } catch {
            throw Self.problem(error, store)
        }
    }

    /// Checks the files beside a store; repeats the check a few times if another program is just closing the store.
    private static func check(_ store: FilePath) throws(FileProblem) {
        for attempt in 1...5 {
            do throws(FileProblem) {
                _ = try PendingFiles(of: store)
                return
            } catch {
                guard error.kind == .changedWhileReading, attempt < 5 else { throw error }
            }
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
