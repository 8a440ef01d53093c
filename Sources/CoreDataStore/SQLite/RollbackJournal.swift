import KeyedArchive
public import SystemCalls
public import SystemPackage

/// The file in which SQLite keeps the pages of the database from before a transaction.
package enum RollbackJournal {
    package static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// Throws if the journal is pending and demands a state that the database cannot have had.
    static func check(_ journal: FilePath, of database: FilePath) throws(FileProblem) {
        let file = try OwnedDescriptor.file(journal)
        let size = Int(clamping: try file.status().size)
        let head = try file.bytes(in: 0..<28).array
        // SQLite ignores a shorter journal and one whose header is zero.
        guard size >= 512, head.count == 28, head[0] != 0 else { return }
        func damaged(_ offset: Int, _ expected: String, _ found: String) -> FileProblem {
            FileProblem.pending(journal, offset, "the rollback journal is damaged", expected, found)
        }
        guard head.starts(with: magic) else {
            throw damaged(
                0, hexadecimalDigits(of: magic), hexadecimalDigits(of: Array(head[..<8])))
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
    }
}

/// An interrupted commit to several databases. SQLite completes or reverts it when it opens a store, by the
/// super-journal, a file whose full path is in each journal. If this file is missing, SQLite treats the commit as
/// complete; but it is also missing if somebody moved the folder.
public enum InterruptedCommit {
    /// Throws `.refused` if the journal of a store names a super-journal in another folder, and the errors of
    /// `PendingFiles`.
    public static func check(_ store: FilePath) throws(FileProblem) {
        guard let journal = try PendingFiles(of: store, admitsOtherDatabases: true).journal,
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
