import Base
import CoreDataStore
import SystemCalls
import SystemPackage

/// The pages of a database, of its write-ahead log and of its rollback journal, read without SQLite. It writes nothing,
/// and the files may be incomplete.
final class PageSource {
    let path: FilePath
    let pageSize: Int
    let usableSize: Int
    let encoding: RecordText
    /// The number of pages, by the last commit in the log, otherwise by the size of the file.
    let pageCount: Int
    /// Whether some pages contain only pointers between pages.
    let hasPointerMaps: Bool
    /// The first page of the list of free pages, and the expected number of free pages.
    let freeList: (first: Int, count: Int)
    let log: LogFrames?
    let journal: JournalPages?
    /// The oddities of the files as a whole.
    private(set) var problems: [FileProblem] = []
    private let file: OpenedFile
    private let size: Int
    private var statuses: [(OpenedFile, FileStatus)] = []

    /// The largest number of pages. A database with more is refused, since work and memory grow with it.
    static let pageLimit = 1 << 25
    static let fileLimit = ReadLimit(1 << 35, "store")

    init(_ path: FilePath) throws(FileProblem) {
        self.path = path
        file = try OpenedFile(path)
        let size64 = try file.descriptor.status().size
        try Self.fileLimit.check(size64, path)
        size = Int(clamping: size64)
        let head = try file.descriptor.bytes(in: 0..<100).array
        var problems: [FileProblem] = []
        let isHeaderSound = head.count == 100 && head.starts(with: SQLiteStoreFile.magic)
        if !isHeaderSound, size > 0 {
            problems.append(
                FileProblem(
                    .damaged, path: path, offset: 0, "the header of the database is damaged",
                    expected: "“SQLite format 3”",
                    found: head.prefix(16).hexadecimalText))
        }
        let logPath = FilePath(pathBytes: path.bytes + Array("-wal".utf8))
        let logSize = try Self.logPageSize(logPath)
        var pageSize = isHeaderSound ? Self.pageSize(head) : nil
        if pageSize == nil {
            let guessed = try Self.guessedPageSize(file.descriptor, size)
            pageSize = logSize ?? guessed
        }
        guard let pageSize else {
            throw FileProblem(
                .damaged, path: path, offset: 0, "nothing in the file looks like a page of a database",
                expected: "an SQLite database", found: size == 0 ? "an empty file" : "other bytes")
        }
        self.pageSize = pageSize
        log = try LogFrames(logPath, pageSize: pageSize)
        journal = try JournalPages(
            FilePath(pathBytes: path.bytes + Array("-journal".utf8)), pageSize: pageSize)
        var header = head
        if let frame = log?.current[1], let log {
            header = Array(try log.page(frame).prefix(100))
        }
        let isFirstPageSound = header.count == 100 && header.starts(with: SQLiteStoreFile.magic)
        let reserved = isFirstPageSound ? Int(header[20]) : 0
        usableSize = max(480, pageSize - reserved)
        encoding = RecordText(isFirstPageSound ? BigEndian.number(header, at: 56) : 1)
        hasPointerMaps = isFirstPageSound && BigEndian.number(header, at: 52) != 0
        freeList =
            isFirstPageSound ? (BigEndian.number(header, at: 32), BigEndian.number(header, at: 36)) : (0, 0)
        let inFile = (size + pageSize - 1) / pageSize
        // A log cannot make the database larger than both files together.
        let most = inFile + (log?.frames.count ?? 0)
        pageCount = min(log?.pageCount ?? inFile, most)
        guard max(pageCount, inFile) <= Self.pageLimit else {
            throw FileProblem(
                .limit, path: path, "has more pages than any real store", expected: "\(Self.pageLimit)",
                found: "\(max(pageCount, inFile))")
        }
        if log?.pageCount == nil, isFirstPageSound,
            BigEndian.number(header, at: 24) == BigEndian.number(header, at: 92)
        {
            let wanted = BigEndian.number(header, at: 28)
            if wanted *| pageSize > size {
                problems.append(
                    FileProblem(
                        .damaged, path: path, offset: size, "the database is truncated",
                        expected: "\(wanted *| pageSize) bytes", found: "\(size)"))
            }
        }
        if log?.pageCount == nil, size % pageSize != 0, problems.isEmpty {
            problems.append(
                FileProblem(
                    .damaged, path: path, offset: size, "the last page of the database is not whole",
                    expected: "pages of \(pageSize) bytes", found: "\(size % pageSize) bytes"))
        }
        problems += log?.problems ?? []
        problems += journal?.problems ?? []
        self.problems = problems
        for opened in [file, log?.file, journal?.file].compactMap(\.self) {
            statuses.append((opened, try opened.descriptor.status()))
        }
    }

    /// The page as SQLite would read it: from the last commit in the log, otherwise from the database. Nil after the
    /// end.
    func page(_ number: Int) throws(FileProblem) -> PageImage? {
        guard number > 0, number <= pageCount else { return nil }
        if let log, let frame = log.current[number] { return try frameImage(log, frame) }
        return try databasePage(number)
    }

    /// The page in the database itself, also if the log has a later version.
    func databasePage(_ number: Int) throws(FileProblem) -> PageImage? {
        guard number > 0, number <= Self.pageLimit else { return nil }
        let offset = (number - 1) * pageSize
        guard offset < size else { return nil }
        let bytes = try file.descriptor.bytes(in: offset..<offset + pageSize).array
        return PageImage(
            number: number, place: .database, offset: offset, bytes: bytes, usableSize: usableSize)
    }

    /// The page in a frame of the log; frames count from 1.
    func frameImage(_ log: LogFrames, _ frame: Int) throws(FileProblem) -> PageImage {
        PageImage(
            number: log.frames[frame - 1].page, place: .log(frame: frame), offset: log.offset(frame),
            bytes: try log.page(frame), usableSize: usableSize)
    }

    /// The page in a record of the journal; records count from 1.
    func journalImage(_ journal: JournalPages, _ record: Int) throws(FileProblem) -> PageImage {
        PageImage(
            number: journal.records[record - 1].page, place: .journal(record: record),
            offset: journal.records[record - 1].offset, bytes: try journal.page(record),
            usableSize: usableSize)
    }

    /// The page in the journal; nil if the journal does not contain it.
    func journalPage(_ number: Int) throws(FileProblem) -> PageImage? {
        guard let journal, let record = journal.byPage[number] else { return nil }
        return try journalImage(journal, record)
    }

    /// Throws if a file has changed since it was opened.
    func checkUnchanged() throws(FileProblem) {
        for (opened, before) in statuses where try opened.descriptor.status() != before {
            throw .changing(opened.descriptor.path)
        }
        guard try FileStatus.ifPresent(path) == statuses.first?.1 else { throw .changing(path) }
    }

    /// The number of pages in the database file.
    var pagesInFile: Int { (size + pageSize - 1) / pageSize }

    /// Whether the page contains only pointers between pages, or the byte that locks the database.
    func isServicePage(_ number: Int) -> Bool {
        if number == (1 << 30) / pageSize + 1 { return true }
        return hasPointerMaps && number >= 2 && (number - 2) % (usableSize / 5 + 1) == 0
    }

    private static func pageSize(_ head: [UInt8]) -> Int? {
        let number = Int(head[16]) << 8 | Int(head[17])
        let size = number == 1 ? 65_536 : number
        return size >= 512 && size & (size - 1) == 0 ? size : nil
    }

    private static func logPageSize(_ log: FilePath) throws(FileProblem) -> Int? {
        let head = try unlessMissing { () throws(FileProblem) in try FileBytes.head(log, count: 32).array }
        guard let head, head.count == 32, BigEndian.number(head, at: 0) & ~1 == 0x377F_0682
        else { return nil }
        let size = BigEndian.number(head, at: 8)
        return size >= 512 && size <= 65_536 && size & (size - 1) == 0 ? size : nil
    }

    /// The page size for which most pages look like those of a b-tree, if the header is lost.
    private static func guessedPageSize(
        _ file: borrowing OwnedDescriptor, _ size: Int
    ) throws(FileProblem) -> Int? {
        var best: (size: Int, pages: Double)?
        for candidate in [4096, 1024, 2048, 8192, 16_384, 32_768, 65_536, 512] where candidate <= size {
            let pages = size / candidate
            let step = max(1, pages / 500)
            var (seen, fitting) = (0, 0)
            for page in stride(from: pages > 1 ? 1 : 0, to: pages, by: step) {
                seen += 1
                let start = page * candidate
                let image = PageImage(
                    number: 2, place: .database, offset: start,
                    bytes: try file.bytes(in: start..<start + candidate).array, usableSize: candidate)
                guard let tree = TreePage(image), !tree.isDamaged, !tree.cells.isEmpty else { continue }
                if tree.cells.allSatisfy({ tree.cell($0) != nil }) { fitting += 1 }
            }
            // A size that is too large sees only some of the pages, and a size that is too small finds cells after the
            // end.
            let found = seen == 0 ? 0 : Double(fitting) / Double(seen) * Double(pages)
            if fitting > 0, found > best?.pages ?? 0 { best = (candidate, found) }
        }
        return best?.size
    }
}

/// A descriptor that several values share.
final class OpenedFile {
    let descriptor: OwnedDescriptor
    init(_ path: FilePath) throws(FileProblem) { descriptor = try OwnedDescriptor.file(path) }

    /// A file beside a database and its size, read only up to the limit of a database; nil if it does not exist.
    static func beside(_ path: FilePath) throws(FileProblem) -> (file: OpenedFile, size: Int)? {
        let opened = try unlessMissing { () throws(FileProblem) in try OpenedFile(path) }
        guard let opened else { return nil }
        let size = try opened.descriptor.status().size
        return (opened, Int(clamping: min(size, Int64(PageSource.fileLimit.bytes))))
    }
}
