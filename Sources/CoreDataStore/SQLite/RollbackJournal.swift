import Base
public import SystemCalls
public import SystemPackage

/// The file in which SQLite keeps the earlier pages of the database during a transaction.
package struct RollbackJournal {
    package static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// The pages that SQLite writes back.
    private(set) var pages: Set<Int> = []
    /// The number of pages of the database before the transaction; nil if SQLite ignores the journal.
    private(set) var pageCount: Int64?
    /// The beginning of page 1 before the transaction; nil if the journal does not contain it.
    private(set) var header: [UInt8]?
    /// The reason why SQLite writes back only a part of the pages; nil if it writes back all of them.
    private(set) var shortfall: FileProblem?

    /// Reads the journal.
    /// - Throws: `.damaged` if the journal is pending and demands a state that the database cannot have had.
    init(_ journal: FilePath, of database: FilePath) throws(FileProblem) {
        let file = try OwnedDescriptor.file(journal)
        let size = Int(clamping: try file.status().size)
        let head = try file.bytes(in: 0..<28).array
        // SQLite ignores a shorter journal, and a journal whose header is zero.
        guard size >= 512, head.count == 28, head[0] != 0 else { return }
        func damaged(_ offset: Int, _ expected: String, _ found: String) -> FileProblem {
            FileProblem.pending(journal, offset, "the rollback journal is damaged", expected, found)
        }
        guard head.starts(with: Self.magic) else {
            throw damaged(
                0, hexadecimalDigits(of: Self.magic), hexadecimalDigits(of: Array(head[..<8])))
        }
        let fields = (2..<7).map { BigEndian.number(head, at: $0 * 4) }
        let (count, initial, sector, page) = (fields[0], Int64(fields[2]), fields[3], fields[4])
        let pages = try DatabasePages(of: database)
        guard (32...65_536).contains(sector), sector & (sector - 1) == 0 else {
            throw damaged(20, "a sector of 32 to 65,536 bytes, a power of two", "\(sector)")
        }
        // SQLite left this field empty before 2008.
        guard page == 0 || page == pages.pageSize else {
            throw damaged(24, "pages of \(pages.pageSize) bytes, like those of the database", "\(page)")
        }
        let room = max(0, size - sector) / (pages.pageSize + 8)
        guard count == UInt32.max || count <= room else {
            throw damaged(8, "at most \(room) pages", "\(count)")
        }
        guard initial <= pages.maximum(with: room) else {
            throw damaged(
                16, "a database of at most \(pages.maximum(with: room)) pages, by the size of the files",
                "\(initial)")
        }
        pageCount = initial
        try readRecords(file, size, sector, pages.pageSize)
    }

    /// Reads the pages like SQLite, which stops silently at a wrong checksum.
    private mutating func readRecords(
        _ file: borrowing OwnedDescriptor, _ size: Int, _ sector: Int, _ page: Int
    ) throws(FileProblem) {
        let record = try PrivateBytes(count: page + 8, path: file.path)
        let bytes = UnsafeRawBufferPointer(record.memory)
        var start = 0
        while start + sector <= size {
            let head = try file.bytes(in: start..<start + 28).array
            guard head.count == 28, head.starts(with: Self.magic) else { return }
            let (stated, nonce) = (BigEndian.number(head, at: 8), BigEndian.number(head, at: 12))
            let room = (size - start - sector) / (page + 8)
            let count = stated == UInt32.max ? room : stated
            for number in 0..<count {
                let place = start + sector + number * (page + 8)
                let isThere = try file.read(into: record.memory, at: place) == page + 8
                let target = isThere ? BigEndian.number(Array(bytes[..<4]), at: 0) : 0
                guard isThere, target != 0, Self.checksum(bytes, page, nonce) else {
                    shortfall = FileProblem(
                        .damaged, path: file.path, offset: place,
                        "the rollback journal is damaged: a part of an unfinished transaction stays in the store",
                        expected: "\(count) pages with valid checksums", found: "\(number)",
                        advice:
                            "Fetch the store and its journal again; ticds-store recover shows the pages in it",
                        finding: "TICDS-0723")
                    return
                }
                pages.insert(target)
                if target == 1 { header = header ?? Array(bytes[4...].prefix(100)) }
            }
            let end = start + sector + count * (page + 8)
            start = (end + sector - 1) / sector * sector
        }
    }

    private static func checksum(_ record: UnsafeRawBufferPointer, _ page: Int, _ nonce: Int) -> Bool {
        var sum = UInt32(truncatingIfNeeded: nonce)
        for place in stride(from: page - 200, to: 0, by: -200) {
            sum &+= UInt32(truncatingIfNeeded: record[4 + place])
        }
        return sum == UInt32(truncatingIfNeeded: BigEndian.number(Array(record[(4 + page)...]), at: 0))
    }
}

/// The state of files beside a store that prevents opening it for writing.
///
/// An interrupted commit to several databases: SQLite completes or reverts it when it opens a store, by the
/// super-journal, a file whose full path is in each journal. If this file is missing, SQLite treats the commit as
/// complete; but it is also missing if the folder was moved.
public enum InterruptedCommit {
    /// Throws `.refused` if the journal of a store names a super-journal in another folder, the errors of
    /// `PendingFiles`, and `.damaged` if SQLite would leave out a part of the journal or log, and overwrite it.
    public static func check(_ store: FilePath) throws(FileProblem) {
        let pending = try PendingFiles(of: store, admitsOtherDatabases: true)
        if let problem = pending.loss { throw problem }
        guard let journal = pending.journal,
            let name = try superJournalName(of: journal)
        else { return }
        let folder = store.parent
        let there = FilePath(pathBytes: name).removingLastComponent()
        guard there != folder, try there != folder.resolved() else { return }
        throw FileProblem(
            .refused, path: journal, "a commit was interrupted, and the folder has been moved since",
            expected: "\(folder)", found: "\(there)",
            advice: "Move the folder back to where it was, then try again")
    }

    /// The name of the super-journal at the end of a journal: name, length, checksum, magic.
    private static func superJournalName(of journal: FilePath) throws(FileProblem) -> [UInt8]? {
        let file = try OwnedDescriptor.file(journal)
        let size = Int(clamping: try file.status().size)
        let end = try file.bytes(in: max(0, size - 16)..<size).array
        guard end.count == 16, Array(end[8...]) == RollbackJournal.magic else { return nil }
        let count = end[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard count > 0, count <= 4096, count <= size - 16 else { return nil }
        return try file.bytes(in: size - 16 - count..<size - 16).array
    }
}
