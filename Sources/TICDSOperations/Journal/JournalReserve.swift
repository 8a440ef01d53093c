import Base
import CoreDataStore
import Glibc
import SystemCalls
import SystemPackage

/// Disk space that is reserved before an operation begins, so that a rollback works on a full volume: free pages of the
/// database for the last transactions, and the rollback journal of SQLite.
enum JournalReserve {
    /// Bytes in the database.
    static let pages = 96 << 10
    /// Bytes in the rollback journal of SQLite: the few pages that the end of an operation changes.
    private static let changes = 192 << 10

    /// The rollback journal of SQLite.
    private static func file(_ journal: FilePath) -> FilePath {
        FilePath(pathBytes: journal.bytes + Array("-journal".utf8))
    }

    /// Whether a crash has interrupted a transaction, which the next writer rolls back.
    static func isCutOff(_ journal: FilePath) throws(FileProblem) -> Bool {
        let head = try unlessMissing { () throws(FileProblem) in try FileBytes.head(file(journal), count: 1) }
        return head?.array.first ?? 0 != 0
    }

    /// Extends the rollback journal of SQLite with zeros. No transaction may be open.
    static func fill(_ journal: FilePath) throws(FileProblem) {
        let path = file(journal)
        let opened = try FileDescriptor.own(path).rawValue
        defer { close(opened) }
        var status = stat()
        guard fstat(opened, &status) == 0 else {
            throw FileProblem(Errno(rawValue: errno), path: path)
        }
        if status.st_size >= off_t(changes) { return }
        let zeros = [UInt8](repeating: 0, count: changes)
        var offset = status.st_size
        while offset < off_t(changes) {
            let count = uninterrupted {
                pwrite(opened, zeros, min(zeros.count, changes - Int(offset)), offset)
            }
            guard count > 0 else { throw .writing(Errno(rawValue: errno), path: path) }
            offset += off_t(count)
        }
        guard fsync(opened) == 0 else { throw .writing(Errno(rawValue: errno), path: path) }
    }
}

extension Journal {
    /// Reserves the space that the end of an operation needs.
    func reserve() throws(FileProblem) {
        try JournalReserve.fill(state.journal)
        try transaction { (database) throws(SQLiteError) in
            try database.execute("CREATE TABLE IF NOT EXISTS reserve (room BLOB NOT NULL)")
            try database.execute(
                """
                INSERT INTO reserve SELECT zeroblob(\(JournalReserve.pages))
                WHERE NOT EXISTS (SELECT 1 FROM reserve)
                """)
        }
    }

    /// Frees the reserved pages for the open transaction.
    static func release(_ database: borrowing SQLiteConnection) throws(SQLiteError) {
        var statement = try database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'reserve'")
        if try statement.step() { try database.execute("DELETE FROM reserve") }
    }
}
