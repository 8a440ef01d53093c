import Base
public import SystemCalls
public import SystemPackage

/// The rollback journal and the write-ahead log of an SQLite database (core-data-sqlite-store(5), 5). They are checked
/// before SQLite opens them, since SQLite trusts their headers: the header of a journal of 512 bytes can demand a
/// database of 17 TB.
public struct PendingFiles: Sendable {
    /// The write-ahead log; nil if it does not exist or is empty.
    public let log: FilePath?
    /// The rollback journal; nil if it does not exist or is empty.
    public let journal: FilePath?
    /// The content of the log and of the journal.
    let logContent: WriteAheadLog?
    let journalContent: RollbackJournal?
    private let database: FilePath
    private let statuses: [FileStatus?]

    /// Finds and checks the files.
    /// - Parameter admitsOtherDatabases: whether the journal may name a super-journal, the file of a transaction on
    ///   several databases. SQLite reads and removes that file, wherever it is.
    /// - Throws: `.damaged`, with the finding TICDS-0723, for a file that SQLite must not open; `.refused` for a
    ///   journal of several databases.
    public init(of database: FilePath, admitsOtherDatabases: Bool = false) throws(FileProblem) {
        self.database = database
        // The statuses are read first, so that a file that vanishes from now on counts as a change.
        statuses = try Self.statuses(database)
        log = try SQLiteStoreFile.beside(database, "-wal")
        journal = try SQLiteStoreFile.beside(database, "-journal")
        do throws(FileProblem) {
            if let journal, !admitsOtherDatabases { try Self.refuseOtherDatabases(journal) }
            journalContent = try journal.map { path throws(FileProblem) in
                try RollbackJournal(path, of: database)
            }
            logContent = try log.map { path throws(FileProblem) in try WriteAheadLog(path, of: database) }
        } catch {
            guard try Self.statuses(database) == statuses else { throw .changing(database) }
            throw error
        }
    }

    /// The reasons why pages in the files are not used; empty if all are.
    var shortfalls: [FileProblem] {
        [logContent?.shortfall, journalContent?.shortfall].compactMap(\.self)
    }

    /// The pages that SQLite would leave out and overwrite. An incomplete frame at the end of a log comes from a
    /// program that was interrupted; it belongs to no transaction.
    var loss: FileProblem? {
        let log = logContent.flatMap { $0.hasFramesLeftOut ? $0.shortfall : nil }
        return log ?? journalContent?.shortfall
    }

    /// Throws if the database or a file beside it has changed.
    func checkUnchanged() throws(FileProblem) {
        guard try Self.statuses(database) != statuses else { return }
        throw .changing(database)
    }

    /// Whether there is neither a journal nor a log: the database is one file.
    var isEmpty: Bool { log == nil && journal == nil }

    /// Copies the files beside `copy`, a copy of the database.
    func copy(beside copy: FilePath) throws(FileProblem) {
        for (file, suffix) in [(log, "-wal"), (journal, "-journal")] {
            guard let file else { continue }
            try SQLiteFileCopy.copy(file, to: FilePath(pathBytes: copy.bytes + Array(suffix.utf8)))
        }
    }

    /// The total size of the database and these files in bytes.
    var size: Int64 { statuses.reduce(0) { $0.addingReportingOverflow($1?.size ?? 0).partialValue } }

    private static func statuses(_ database: FilePath) throws(FileProblem) -> [FileStatus?] {
        var statuses = [try FileStatus.ifPresent(database)]
        for suffix in ["-wal", "-journal"] {
            let file = try SQLiteStoreFile.beside(database, suffix)
            statuses.append(try file.flatMap { path throws(FileProblem) in try FileStatus.ifPresent(path) })
        }
        return statuses
    }

    /// Throws if the journal ends with the name of a super-journal, the file of a transaction on several databases.
    private static func refuseOtherDatabases(_ journal: FilePath) throws(FileProblem) {
        let file = try OwnedDescriptor.file(journal)
        let size = Int(clamping: try file.status().size)
        guard try file.bytes(in: max(0, size - 8)..<size).array == RollbackJournal.magic else { return }
        throw FileProblem(
            .refused, path: journal, "the journal belongs to a transaction over several databases",
            advice: "Open the store once with the program that wrote it, then try again")
    }
}

/// The number of pages that an SQLite database can have, by its size and that of a journal or log.
struct DatabasePages {
    /// The page size in bytes.
    let pageSize: Int
    private let size: Int64

    init(of database: FilePath) throws(FileProblem) {
        let header = try FileBytes.head(database, count: 18)
        size = try FileStatus.of(database).size
        let number =
            header.count < 18 ? 0 : Int(header.byte(at: 16) ?? 0) << 8 | Int(header.byte(at: 17) ?? 0)
        pageSize = number == 1 ? 65_536 : number
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else {
            throw FileProblem(
                .damaged, path: database, offset: 16, "the SQLite database has an impossible size of pages",
                expected: "a power of two from 512 to 65,536", found: "\(number)")
        }
    }

    /// The maximum number of pages of the database with `count` pages of a journal or log. SQLite accepts 64 kB more.
    func maximum(with count: Int) -> Int64 {
        (min(size, 1 << 50) + 65_536) / Int64(pageSize) + Int64(min(count, 1 << 32))
    }
}

/// Four-byte numbers in the files of SQLite.
package enum BigEndian {
    package static func number(_ bytes: [UInt8], at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}

extension FileProblem {
    /// The error for a journal or log that SQLite must not open.
    static func pending(
        _ path: FilePath, _ offset: Int, _ problem: String, _ expected: String, _ found: String
    ) -> FileProblem {
        FileProblem(
            .damaged, path: path, offset: offset, problem, expected: expected, found: found,
            advice:
                "Fetch the store and this file again, or move this file away to read the store without it",
            finding: "TICDS-0723")
    }
}
