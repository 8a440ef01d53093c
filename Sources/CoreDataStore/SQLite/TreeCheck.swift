import Base
import SystemCalls
import SystemPackage

/// Checks the pages of tables and indexes without SQLite, which continues silently if a page has lost cells, if a
/// pointer leads to a different page, and if an index lacks rows of its table.
///
/// It checks that cells, free blocks and fragments together fill each page, that keys ascend, that each page is used
/// once, and that long values are complete. It reads each page of a table once, and of the rows what indexes contain.
struct TreeCheck: ~Copyable {
    /// The columns of a table that an index contains, in the order of the index; nil means the primary key.
    typealias Columns = [Int?]
    /// The largest number of columns of an index whose order can be checked.
    static let orderLimit = 3

    let file: OwnedDescriptor
    let pageSize: Int
    /// The bytes of a page except those at its end that SQLite does not use.
    let usable: Int
    private let pageCount: Int
    private let firstFree: Int
    private var used: [UInt64]
    private var window: Window

    /// The sums over the rows of a table, or over the entries of an index.
    struct Sums {
        var count = 0
        /// The sum of the digests of keys and values.
        var digest: UInt64 = 0
        /// Whether all values are integers or NULL, so that the order of the entries was checked.
        var isOrdered = true

        /// Whether an index contains the same values as its table.
        func agrees(with index: Sums) -> Bool { count == index.count && digest == index.digest }

        mutating func add(_ entry: IndexEntry) {
            digest &+= entry.digest
            if entry.integers == nil { isOrdered = false }
        }
    }

    /// The reason why a tree cannot be trusted.
    struct Fault: Error {
        var page: Int
        var text: String
    }

    /// - Throws: `.damaged` if the header is invalid; SQLite also refuses the file.
    init(_ path: FilePath) throws(FileProblem) {
        let pages = try DatabasePages(of: path)
        let opened = try OwnedDescriptor.file(path)
        let size = Int(clamping: try opened.status().size)
        let header = try opened.bytes(in: 0..<100).array
        guard header.count == 100, header[20] <= 32 else {
            throw FileProblem(
                .damaged, path: path, offset: 20, "the header of the SQLite database is damaged",
                expected: "at most 32 reserved bytes in each page",
                found: header.prefix(21).suffix(1).hexadecimalText)
        }
        var read = try Window(pages.pageSize, path)
        if size <= Window.limit { try read.fill(0..<size, from: opened) }
        pageSize = pages.pageSize
        usable = pageSize - Int(header[20])
        let there = size / pageSize + (size % pageSize == 0 ? 0 : 1)
        let count = BigEndian.number(header, at: 28)
        let isCountValid = count > 0 && header[24..<28] == header[92..<96]
        pageCount = isCountValid ? min(count, there) : there
        used = Array(repeating: 0, count: pageCount / 64 + 1)
        firstFree = BigEndian.number(header, at: 32)
        window = read
        file = opened
    }

    /// The bytes of the file that were read last. Trees of several tables lie between each other, so pages that are wanted
    /// mostly follow each other with gaps; they are read together as long as a quarter of what was read is wanted.
    private struct Window: ~Copyable {
        /// The largest number of bytes; a smaller file is read as a whole.
        static let limit = 1 << 18
        private let memory: PrivateBytes
        private let pageSize: Int
        private var range = 0..<0
        private var taken = 0

        init(_ pageSize: Int, _ path: FilePath) throws(FileProblem) {
            self.pageSize = pageSize
            memory = try PrivateBytes(count: max(Self.limit, pageSize), path: path)
        }

        /// A page of the file, with zeros for what lies after the end of the file.
        mutating func page(at start: Int, of file: borrowing OwnedDescriptor) throws(FileProblem) -> [UInt8] {
            if start < range.lowerBound || start + pageSize > range.upperBound {
                try fill(start..<start + count(at: start), from: file)
            }
            taken += pageSize
            let wanted = range.clamped(to: start..<start + pageSize)
            let place = wanted.lowerBound - range.lowerBound
            let page = Array(
                UnsafeRawBufferPointer(rebasing: memory.memory[place..<place + wanted.count]))
            return wanted.count == pageSize
                ? page : page + Array(repeating: 0, count: pageSize - wanted.count)
        }

        /// The number of bytes to read from a page on.
        private func count(at start: Int) -> Int {
            let isNear = start >= range.upperBound && start - range.upperBound <= range.count
            return isNear && taken * 4 >= range.count
                ? max(pageSize, min(2 * range.count, Self.limit)) : pageSize
        }

        mutating func fill(_ wanted: Range<Int>, from file: borrowing OwnedDescriptor) throws(FileProblem) {
            let room = UnsafeMutableRawBufferPointer(rebasing: memory.memory[..<wanted.count])
            let count = try file.read(into: room, at: wanted.lowerBound)
            range = wanted.lowerBound..<wanted.lowerBound + count
            taken = 0
        }
    }

    /// Marks the free pages, so that a tree that leads to one of them is found. Faults of this list lose no rows.
    mutating func markFreePages() throws(FileProblem) {
        var trunk = firstFree
        while trunk != 0, mark(trunk) {
            let page = try bytes(of: trunk)
            trunk = BigEndian.number(page, at: 0)
            for number in 0..<min(BigEndian.number(page, at: 4), usable / 4 - 2) {
                _ = mark(BigEndian.number(page, at: 8 + number * 4))
            }
        }
    }

    /// Marks a page; returns false for a page that does not exist or is already used.
    private mutating func mark(_ page: Int) -> Bool {
        guard page > 0, page <= pageCount, used[page / 64] & 1 << (page % 64) == 0 else { return false }
        used[page / 64] |= 1 << (page % 64)
        return true
    }

    private mutating func bytes(of page: Int) throws(FileProblem) -> [UInt8] {
        try window.page(at: (page - 1) * pageSize, of: file)
    }

    // MARK: Trees

    /// The state of the pass over one tree.
    struct Pass: ~Copyable {
        let isTable: Bool
        /// The values to add up: one list for each index of a table.
        let wanted: [Columns]
        /// The columns whose values are read, ascending.
        let columns: [Int]
        /// The column with the primary key, in an index.
        let key: Int
        var sums: [Sums]
        var record = RecordHead()
        /// Whether the entries of an index ascend.
        let ascends: Bool
        /// The digests of the rows or entries, if they are wanted: there is one list of columns then.
        var digests: Set<UInt64>?

        /// The number of rows or entries.
        var count = 0
        /// The depth of the leaves.
        var depth: Int?
        /// The last key of a row, or of a page above the rows.
        var last: Int64?
        var lastEntry: IndexEntry?

        init(isTable: Bool, _ wanted: [Columns], key: Int = 0, ascends: Bool = true) {
            self.isTable = isTable
            self.ascends = ascends
            self.wanted = wanted
            self.key = key
            columns = Set(wanted.joined().compactMap(\.self) + (isTable || wanted.isEmpty ? [] : [key]))
                .sorted()
            sums = Array(repeating: Sums(), count: wanted.count)
        }

        /// The number of values of each record to read.
        var valueCount: Int { (columns.last ?? -1) + 1 }
    }

    /// Whether a tree is that of a table with row IDs.
    mutating func isTable(_ root: Int) throws(FileProblem) -> Bool {
        guard root > 0, root <= pageCount else { return true }
        let kind = try bytes(of: root)[root == 1 ? 100 : 0]
        return kind != 2 && kind != 10
    }

    /// Checks the tree of a table.
    /// - Parameter columns: the columns of its indexes whose sums are wanted.
    /// - Returns: the sums for each index, and the fault that ended the check.
    mutating func table(_ root: Int, _ columns: [Columns]) throws(FileProblem) -> ([Sums], Fault?) {
        var pass = Pass(isTable: true, columns)
        let fault = try check(root, &pass)
        for position in pass.sums.indices { pass.sums[position].count = pass.count }
        return (pass.sums, fault)
    }

    /// Checks the tree of an index with `count` columns before the primary key, or with 0 the tree of a table without
    /// row IDs, whose keys may be of any kind.
    mutating func index(_ root: Int, _ count: Int, ascends: Bool = true) throws(FileProblem) -> (Sums, Fault?)
    {
        var pass = Pass(isTable: false, count == 0 ? [] : [Array(0..<count)], key: count, ascends: ascends)
        let fault = try check(root, &pass)
        var sums = pass.sums.first ?? Sums()
        sums.count = pass.count
        if !ascends { sums.isOrdered = false }
        return (sums, fault)
    }

    /// The digests of the rows of a table, each of the values that an index contains. The table has no fault, and this
    /// check has not seen its pages before.
    mutating func digests(_ root: Int, rows columns: Columns) throws(FileProblem) -> Set<UInt64> {
        var pass = Pass(isTable: true, [columns])
        return try digests(root, &pass)
    }

    /// The digests of the entries of an index with `count` columns. The index has no fault, and this check has not seen its
    /// pages before.
    mutating func digests(_ root: Int, entries count: Int) throws(FileProblem) -> Set<UInt64> {
        var pass = Pass(isTable: false, [Array(0..<count)], key: count, ascends: false)
        return try digests(root, &pass)
    }

    private mutating func digests(_ root: Int, _ pass: inout Pass) throws(FileProblem) -> Set<UInt64> {
        pass.digests = []
        _ = try check(root, &pass)
        return pass.digests ?? []
    }

    private mutating func check(_ root: Int, _ pass: inout Pass) throws(FileProblem) -> Fault? {
        do {
            try walk(root, depth: 0, &pass)
            return nil
        } catch let fault as Fault {
            return fault
        } catch let problem as FileProblem {
            throw problem
        } catch {
            return Fault(page: root, text: "\(error)")
        }
    }

    private static let depthLimit = 20

    private mutating func walk(_ number: Int, depth: Int, _ pass: inout Pass) throws {
        guard mark(number) else {
            throw Fault(
                page: number,
                text: number > 0 && number <= pageCount ? "the page is used twice" : "there is no such page")
        }
        guard depth < Self.depthLimit else { throw Fault(page: number, text: "the tree is too deep") }
        let page = try bytes(of: number)
        let start = number == 1 ? 100 : 0
        let kind = page[start]
        let isLeaf = kind == (pass.isTable ? 13 : 10)
        guard isLeaf || kind == (pass.isTable ? 5 : 2) else {
            throw Fault(page: number, text: "the page is of another kind (\(kind))")
        }
        let head = start + (isLeaf ? 8 : 12)
        let count = word(page, start + 3)
        let stated = word(page, start + 5)
        let content = stated == 0 ? 65_536 : stated
        guard head + count * 2 <= content, content <= usable else {
            throw Fault(page: number, text: "\(count) cells do not fit")
        }
        if isLeaf {
            guard depth == pass.depth ?? depth else { throw Fault(page: number, text: "the tree is uneven") }
            pass.depth = depth
        }
        var size = try freeBytes(page, start, content, number) + Int(page[start + 7])
        for cell in 0..<count {
            let place = word(page, head + cell * 2)
            guard place >= content, place + 4 <= usable else {
                throw Fault(page: number, text: "cell \(cell) lies outside")
            }
            size += try self.cell(page, place, number, isLeaf: isLeaf, depth: depth, &pass)
        }
        guard size == usable - content else {
            throw Fault(
                page: number,
                text: "its cells take \(size) bytes of \(usable - content): cells are missing or overlap")
        }
        if !isLeaf {
            try walk(BigEndian.number(page, at: start + 8), depth: depth + 1, &pass)
        }
    }

    /// The bytes in the list of free blocks.
    private func freeBytes(_ page: [UInt8], _ start: Int, _ content: Int, _ number: Int) throws -> Int {
        var (block, sum) = (word(page, start + 1), 0)
        while block != 0 {
            guard block >= content, block + 4 <= usable else {
                throw Fault(page: number, text: "a free block lies outside")
            }
            let (next, size) = (word(page, block), word(page, block + 2))
            guard size >= 4, block + size <= usable, next == 0 || next > block else {
                throw Fault(page: number, text: "the list of free blocks is broken")
            }
            sum += size
            block = next
        }
        return sum
    }

    /// Checks a cell, and the pages to which it leads. Returns its size.
    private mutating func cell(
        _ page: [UInt8], _ place: Int, _ number: Int, isLeaf: Bool, depth: Int, _ pass: inout Pass
    ) throws -> Int {
        var offset = place
        let child = isLeaf ? nil : BigEndian.number(page, at: offset)
        if !isLeaf { offset += 4 }
        guard isLeaf || !pass.isTable else {
            let key = Int64(bitPattern: SQLiteVarint.read(page, &offset))
            try walk(child ?? 0, depth: depth + 1, &pass)
            guard key >= pass.last ?? key else {
                throw Fault(page: number, text: "keys do not ascend")
            }
            pass.last = key
            return offset - place
        }
        if let child { try walk(child, depth: depth + 1, &pass) }
        let payload = Int(clamping: SQLiteVarint.read(page, &offset))
        var key: Int64 = 0
        if pass.isTable {
            key = Int64(bitPattern: SQLiteVarint.read(page, &offset))
            if let last = pass.last, key <= last {
                throw Fault(page: number, text: "keys do not ascend, or occur twice")
            }
            pass.last = key
        }
        let most = pass.isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        let least = (usable - 12) * 32 / 255 - 23
        var local = payload
        if payload > most {
            guard payload <= pageCount * pageSize else {
                throw Fault(page: number, text: "a row is too long")
            }
            let rest = least + (payload - least) % (usable - 4)
            local = rest <= most ? rest : least
        }
        guard offset + local + (payload > most ? 4 : 0) <= usable else {
            throw Fault(page: number, text: "a row leads out of the page")
        }
        let record = offset..<offset + local
        offset += local
        var rest: Int?
        if payload > most {
            let first = BigEndian.number(page, at: offset)
            try chain(first, payload - local, number)
            rest = first
            offset += 4
        }
        if let fault = try add(page, record, Payload(size: payload, rest: rest), key, &pass) {
            throw Fault(page: number, text: fault)
        }
        return max(4, offset - place)
    }

    /// Follows the pages of a long value.
    private mutating func chain(_ first: Int, _ size: Int, _ number: Int) throws {
        var (page, left) = (first, size)
        while left > 0 {
            guard mark(page) else { throw Fault(page: number, text: "a long value is incomplete") }
            left -= usable - 4
            let next = try file.bytes(in: (page - 1) * pageSize..<(page - 1) * pageSize + 4).array
            page = next.count == 4 ? BigEndian.number(next, at: 0) : 0
        }
        guard page == 0 else { throw Fault(page: number, text: "a long value is longer than its row says") }
    }

    private func word(_ page: [UInt8], _ offset: Int) -> Int {
        offset + 2 <= page.count ? Int(page[offset]) << 8 | Int(page[offset + 1]) : 0
    }
}
