import KeyedArchive
import SystemCalls
import SystemPackage

/// The file in which SQLite keeps the pages of the database from before a transaction.
enum RollbackJournal {
    static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// Throws if the journal is pending and demands a state that the database cannot have had.
    static func check(_ journal: FilePath, of database: FilePath) throws(FileProblem) {
        let file = try OwnedDescriptor.file(journal)
        let size = Int(clamping: try file.status().size)
        let head = try file.bytes(in: 0..<28).array
        // SQLite ignores a shorter journal and one whose header is zero.
        guard size >= 512, head.count == 28, head[0] != 0 else { return }
        func wrong(_ offset: Int, _ expected: String, _ found: String) -> FileProblem {
            FileProblem.pending(journal, offset, "the rollback journal is damaged", expected, found)
        }
        guard head.starts(with: magic) else {
            throw wrong(
                0, hexadecimalDigits(of: magic), hexadecimalDigits(of: Array(head[..<8])))
        }
        let fields = (2..<7).map { BigEndian.number(head, at: $0 * 4) }
        let (count, initial, sector, page) = (fields[0], Int64(fields[2]), fields[3], fields[4])
        let pages = try DatabasePages(of: database)
        guard (32...65_536).contains(sector), sector & (sector - 1) == 0 else {
            throw wrong(20, "a sector of 32 to 65,536 bytes, a power of two", "\(sector)")
        }
        // SQLite left this field empty before 2008.
        guard page == 0 || page == pages.pageSize else {
            throw wrong(24, "pages of \(pages.pageSize) bytes, like those of the database", "\(page)")
        }
        let room = max(0, size - sector) / (pages.pageSize + 8)
        guard count == UInt32.max || count <= room else {
            throw wrong(8, "at most \(room) pages", "\(count)")
        }
        guard initial <= pages.most(with: room) else {
            throw wrong(
                16, "a database of at most \(pages.most(with: room)) pages, by the size of the files",
                "\(initial)")
        }
    }
}
