import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Room that is taken before an operation begins, so that it can be taken back on a volume that is full by then: pages
/// of
/// the database, which are free for the last transactions, and the file in which SQLite keeps what a transaction
/// changes.
enum JournalReserve {
    /// Bytes in the database.
    static let pages = 96 << 10
    /// Bytes in the file of transactions: the few pages that the end of an operation changes.
    private static let changes = 192 << 10

    /// The file in which SQLite keeps what a transaction changes.
    private static func file(_ journal: FilePath) -> FilePath {
        FilePath(pathBytes: journal.bytes + Array("-journal".utf8))
    }

    /// Whether a crash has cut off a transaction, which the next one to write takes back.
    static func isCutOff(_ journal: FilePath) throws(FileProblem) -> Bool {
        let head = try unlessMissing { () throws(FileProblem) in try FileBytes.head(file(journal), count: 1) }
        return head?.array.first ?? 0 != 0
    }

    /// Lets the file of transactions have its room. No transaction may be open.
    static func fill(_ journal: FilePath) throws(FileProblem) {
        let path = file(journal)
        let opened = path.withPlatformString { open($0, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard opened >= 0 else { throw .writing(Errno(rawValue: errno), call: "open", path: path) }
        defer { close(opened) }
        var status = stat()
        guard fstat(opened, &status) == 0 else {
            throw FileProblem(Errno(rawValue: errno), call: "fstat", path: path)
        }
        if status.st_size >= off_t(changes) { return }
        let zeros = [UInt8](repeating: 0, count: changes)
        var offset = status.st_size
        while offset < off_t(changes) {
            let count = pwrite(opened, zeros, min(zeros.count, changes - Int(offset)), offset)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .writing(Errno(rawValue: errno), call: "pwrite", path: path) }
            offset += off_t(count)
        }
        guard fsync(opened) == 0 else { throw .writing(Errno(rawValue: errno), call: "fsync", path: path) }
    }
}

extension Journal {
    /// Takes the room that the end of an operation needs, before it begins.
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

    /// Gives the pages of the reserve to the transaction that is open.
    static func release(_ database: borrowing SQLiteConnection) throws(SQLiteError) {
        var statement = try database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'reserve'")
        if try statement.step() { try database.execute("DELETE FROM reserve") }
    }
}
