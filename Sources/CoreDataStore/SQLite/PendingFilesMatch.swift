import Base
import SystemCalls
import SystemPackage

/// Determines whether the log or journal beside a store belongs to it. SQLite only compares the size of pages, and
/// mixes the pages of two stores (core-data-sqlite-store(5), 5).
struct PendingFilesMatch {
    private let store: FilePath
    private let pending: PendingFiles
    /// The first 100 bytes of the store itself.
    private let own: [UInt8]

    init(_ store: FilePath, _ pending: PendingFiles, _ own: [UInt8]) {
        self.store = store
        self.pending = pending
        self.own = own
    }

    /// - Parameter copy: a private copy of the store and these files.
    /// - Throws: `.damaged`, with the finding TICDS-0723, if a file belongs to a different store, or to a different
    ///   state of this one.
    func check(copy: FilePath) throws(FileProblem) {
        if let path = pending.journal, let journal = pending.journalContent, let count = journal.pageCount {
            let sign = journalSign(journal, count)
            try check(path, "rollback journal", sign, journal.pages, count, copy)
        } else if let path = pending.log, let log = pending.logContent, let count = log.pageCount {
            // A log with all pages replaces the store with any content.
            guard Int64(log.pages.count) < count || !log.pages.allSatisfy({ $0 <= count }) else { return }
            try check(path, "write-ahead log", try logSign(log, count), log.pages, count, copy)
        }
    }

    /// Evidence that a file does not belong to the store: expected and found.
    private typealias Sign = (expected: String, found: String)

    private func check(
        _ path: FilePath, _ name: String, _ sign: Sign?, _ pages: Set<Int>, _ count: Int64, _ copy: FilePath
    ) throws(FileProblem) {
        guard let sign = sign ?? contentSign(copy) else { return }
        throw Self.problem(path, name, sign)
    }

    private func logSign(_ log: WriteAheadLog, _ count: Int64) throws(FileProblem) -> Sign? {
        let size = try FileStatus.of(store).size / Int64(try DatabasePages(of: store).pageSize)
        // The page with the locks, at 1 GB, is in neither file.
        if count > size, count - size - 1 > Int64(log.pages.count { $0 > size && $0 <= count }) {
            return ("all pages behind page \(size), which the store does not have", "not all of them")
        }
        let last = log.header ?? own
        if let header = log.header {
            let (before, after) = (number(own, 24), number(header, 24))
            if after &- before >= 1 << 31 {
                return ("a change counter of at least \(before)", "\(after)")
            }
            if let sign = fixedSign(header) { return sign }
        }
        if number(last, 24) == number(last, 92), Int64(number(last, 28)) != count {
            return ("a database of \(number(last, 28)) pages, by page 1", "\(count)")
        }
        return nil
    }

    private func journalSign(_ journal: RollbackJournal, _ count: Int64) -> Sign? {
        guard let header = journal.header else {
            guard number(own, 24) == number(own, 92), Int64(number(own, 28)) != count else { return nil }
            return ("a database of \(number(own, 28)) pages, by page 1", "\(count)")
        }
        let (after, before) = (number(own, 24), number(header, 24))
        if after != before, after != before &+ 1 {
            return ("the change counter \(after), or the one before it", "\(before)")
        }
        return fixedSign(header)
    }

    /// The difference in fields of page 1 that never change in a database: size of pages, reserved bytes, kind of
    /// vacuum, encoding, application.
    private func fixedSign(_ header: [UInt8]) -> Sign? {
        for (range, name) in [
            (16..<18, "page size"), (20..<21, "reserved bytes"), (56..<60, "text encoding"),
        ]
        where header[range] != own[range] {
            return (
                "the \(name) \(Array(own[range]).hexadecimalText)", Array(header[range]).hexadecimalText
            )
        }
        return nil
    }

    /// The identifier of a store without the content of its log; nil if SQLite cannot read it alone, or there is no
    /// log.
    static func ownIdentifier(_ store: FilePath) throws(FileProblem) -> String? {
        guard try SQLiteStoreFile.beside(store, "-wal") != nil else { return nil }
        return Identity(SQLiteURI.uri(of: store, immutable: true), .readOnly)?.uuid
    }

    /// The error for a log that changes the identity of a store.
    static func foreignLog(_ store: FilePath, _ own: String, _ found: String) throws(FileProblem)
        -> FileProblem
    {
        problem(
            try SQLiteStoreFile.beside(store, "-wal") ?? store, "write-ahead log", ("the store \(own)", found)
        )
    }

    private static func problem(_ path: FilePath, _ name: String, _ sign: Sign) -> FileProblem {
        FileProblem(
            .damaged, path: path, "the \(name) belongs to another store, or to another state of this one",
            expected: sign.expected, found: sign.found,
            advice:
                "Fetch the store and this file again, or move this file away to read the store without it",
            finding: "TICDS-0723")
    }

    /// Compares the content of the store alone with its content including the file.
    private func contentSign(_ copy: FilePath) -> Sign? {
        guard let alone = Identity(SQLiteURI.uri(of: copy, immutable: true), .readOnly),
            let together = Identity(SQLiteURI.uri(of: copy, immutable: false), .readWrite)
        else { return nil }
        if let uuid = alone.uuid, let other = together.uuid, uuid != other {
            return ("the store \(uuid)", other)
        }
        // A journal exists because tables may be half changed.
        if pending.journal == nil, alone.cookie == together.cookie, alone.schema != together.schema {
            return ("the tables of the store, with the same schema cookie", "other tables")
        }
        return nil
    }

    private func number(_ header: [UInt8], _ offset: Int) -> UInt32 {
        header.count < offset + 4 ? 0 : UInt32(truncatingIfNeeded: BigEndian.number(header, at: offset))
    }

    /// The facts that identify a store.
    private struct Identity {
        var uuid: String?
        var cookie: Int64?
        var schema: [String] = []

        /// Reads the identity; nil if SQLite cannot read it, as for the main file of a store whose pages are all in its
        /// log.
        init?(_ uri: String, _ mode: SQLiteConnection.Mode) {
            do throws(SQLiteError) {
                let connection = try SQLiteConnection(uri: uri, mode: mode)
                connection.interruption.allow(thousands: 2_000)
                uuid = try connection.rows("SELECT Z_UUID FROM Z_METADATA") { $0.text(0) }.first
                cookie = try connection.rows("PRAGMA schema_version") { $0.integer(0) }.first
                schema = try connection.rows(
                    "SELECT name || ' ' || rootpage || ' ' || coalesce(sql, '') FROM sqlite_master"
                ) { $0.text(0) }.sorted()
            } catch {
                return nil
            }
        }
    }
}
