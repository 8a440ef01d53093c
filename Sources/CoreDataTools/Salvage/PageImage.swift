import CoreDataStore

/// The bytes of one page of a database, and where they are. Every read is checked, since a page may be truncated, and
/// every number in it may be wrong.
struct PageImage {
    /// The place of the bytes.
    enum Place: Hashable, Sendable {
        /// In the database itself.
        case database
        /// In a frame of the write-ahead log; frames count from 1.
        case log(frame: Int)
        /// In a record of the rollback journal; records count from 1.
        case journal(record: Int)
    }

    /// The number of the page, from 1.
    let number: Int
    let place: Place
    /// The offset of the page in its file.
    let offset: Int
    /// The bytes; fewer than a page at the end of a truncated file.
    let bytes: [UInt8]
    /// The number of bytes of a page without the reserved ones at its end.
    let usableSize: Int

    /// The offset of the page's header in the page: 100 on page 1, which begins with the header of the database.
    var headerOffset: Int { number == 1 ? 100 : 0 }

    func byte(_ offset: Int) -> Int? { bytes.indices.contains(offset) ? Int(bytes[offset]) : nil }

    func number16(_ offset: Int) -> Int? {
        guard offset >= 0, offset < bytes.count - 1 else { return nil }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    func number32(_ offset: Int) -> Int? {
        guard offset >= 0, offset < bytes.count - 3 else { return nil }
        return BigEndian.number(bytes, at: offset)
    }

    /// The number of one to nine bytes at an offset, and the offset after it.
    func variableNumber(_ offset: Int) -> (value: UInt64, end: Int)? {
        VariableNumber.read(bytes, at: offset)
    }

    /// The kind of page; nil if the first byte of its header is not that of a b-tree page.
    var kind: Kind? { byte(headerOffset).flatMap(Kind.init) }

    enum Kind: Int {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13

        var isInterior: Bool { self == .indexInterior || self == .tableInterior }
        var isTable: Bool { self == .tableInterior || self == .tableLeaf }
    }
}

/// Numbers of one to nine bytes, of which each except the last has its highest bit set.
enum VariableNumber {
    static func read(_ bytes: [UInt8], at offset: Int) -> (value: UInt64, end: Int)? {
        guard offset >= 0 else { return nil }
        var value: UInt64 = 0
        for place in 0..<9 {
            guard offset + place < bytes.count else { return nil }
            let byte = bytes[offset + place]
            if place == 8 { return (value << 8 | UInt64(byte), offset + 9) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return (value, offset + place + 1) }
        }
        return nil
    }
}

/// The header of a b-tree page and its cells.
struct TreePage {
    let image: PageImage
    let kind: PageImage.Kind
    /// The offsets of the cells, in the order of their keys. Impossible offsets are left out.
    let cells: [Int]
    /// Whether the header or a pointer to a cell is impossible.
    let isDamaged: Bool
    /// The right-most child of an interior page.
    let rightChild: Int?
    private let pointersEnd: Int

    /// Parses a page; nil if it is not a b-tree page.
    init?(_ image: PageImage) {
        guard let kind = image.kind else { return nil }
        let start = image.headerOffset
        guard let count = image.number16(start + 3) else { return nil }
        let pointers = start + (kind.isInterior ? 12 : 8)
        pointersEnd = min(pointers + count * 2, image.usableSize)
        var cells: [Int] = []
        var isDamaged = pointers + count * 2 > image.usableSize || image.bytes.count < image.usableSize
        cells.reserveCapacity(min(count, image.usableSize / 2))
        for cell in 0..<count {
            guard let offset = image.number16(pointers + cell * 2), pointers + cell * 2 < image.usableSize
            else { break }
            if offset >= pointersEnd, offset < image.usableSize {
                cells.append(offset)
            } else {
                isDamaged = true
            }
        }
        self.image = image
        self.kind = kind
        self.cells = cells
        self.isDamaged = isDamaged
        rightChild = kind.isInterior ? image.number32(start + 8) : nil
    }

    /// The free blocks, in the order of their offsets; the list ends at an impossible offset.
    var freeBlocks: [Range<Int>] {
        var blocks: [Range<Int>] = []
        var offset = image.number16(image.headerOffset + 1) ?? 0
        var least = pointersEnd
        while offset >= least, let next = image.number16(offset), let size = image.number16(offset + 2) {
            guard size >= 4, offset + size <= image.usableSize else { break }
            blocks.append(offset..<offset + size)
            least = offset + size
            offset = next
        }
        return blocks
    }

    /// The space between the pointers and the first cell.
    var unallocated: Range<Int> {
        var content = image.number16(image.headerOffset + 5) ?? 0
        if content == 0 { content = 65_536 }
        let first = cells.min() ?? image.usableSize
        let end = min(content, first, image.usableSize)
        return pointersEnd < end ? pointersEnd..<end : pointersEnd..<pointersEnd
    }

    /// The payload of the cell at `offset`, and the fields before it.
    func cell(_ offset: Int) -> Cell? {
        var at = offset
        var child: Int?
        if kind.isInterior {
            guard let number = image.number32(at) else { return nil }
            child = number
            at += 4
        }
        if kind == .tableInterior {
            let key = image.variableNumber(at)
            return Cell(
                child: child, rowid: key.map { Int64(bitPattern: $0.value) }, payload: at..<at, size: 0,
                overflow: nil, end: key?.end ?? at)
        }
        guard let size = image.variableNumber(at) else { return nil }
        at = size.end
        var rowid: Int64?
        if kind == .tableLeaf {
            guard let number = image.variableNumber(at) else { return nil }
            rowid = Int64(bitPattern: number.value)
            at = number.end
        }
        guard let total = Int(exactly: size.value), total <= Cell.largest else { return nil }
        let local = Cell.localSize(total, usable: image.usableSize, isTable: kind.isTable)
        guard at + local <= image.usableSize else { return nil }
        var overflow: Int?
        if local < total {
            guard let page = image.number32(at + local) else { return nil }
            overflow = page
        }
        return Cell(
            child: child, rowid: rowid, payload: at..<at + local, size: total, overflow: overflow,
            end: at + local + (overflow == nil ? 0 : 4))
    }

    /// The coverage of the page by cells, free blocks and the rest.
    struct Cover {
        /// The numbers of the cells that share bytes with another cell, with a free block or with unallocated space.
        var overlapping: Set<Int> = []
        /// The ranges that belong to nothing.
        var gaps: [Range<Int>] = []
        /// Whether nothing overlaps, and there are no more gaps than the header states.
        var isSound = true
    }

    /// Compares the parts of the page with each other: SQLite leaves gaps of at most three bytes, and counts them.
    /// - Parameter cells: the cells in the order of their pointers, nil for one that cannot be read.
    func cover(_ parsed: [Cell?]) -> Cover {
        var cover = Cover()
        var content = image.number16(image.headerOffset + 5) ?? 0
        if content == 0 { content = 65_536 }
        var parts: [(start: Int, end: Int, cell: Int?)] = [(0, max(pointersEnd, content), nil)]
        parts.reserveCapacity(cells.count + 8)
        parts += freeBlocks.map { ($0.lowerBound, $0.upperBound, nil) }
        for (place, offset) in cells.enumerated() where place < parsed.count {
            // A cell is never smaller than a free block.
            let end = parsed[place].map { max($0.end, offset + 4) } ?? offset + 4
            parts.append((offset, end, place))
        }
        parts.sort { $0.start < $1.start }
        var (covered, last) = (0, Int?.none)
        for part in parts {
            if part.start < covered {
                cover.isSound = false
                for cell in [part.cell, last].compactMap(\.self) { cover.overlapping.insert(cell) }
            } else if part.start > covered {
                cover.gaps.append(covered..<part.start)
            }
            if part.end > covered { (covered, last) = (part.end, part.cell) }
        }
        if covered < image.usableSize { cover.gaps.append(covered..<image.usableSize) }
        if covered > image.usableSize { cover.isSound = false }
        let missing = cover.gaps.reduce(0) { $0 + $1.count }
        cover.isSound = cover.isSound && missing == image.byte(image.headerOffset + 7)
        return cover
    }

    struct Cell {
        var child: Int?
        /// The number of the row; in an interior page of a table the greatest row number below the child.
        var rowid: Int64?
        /// The part of the payload that is on the page.
        var payload: Range<Int>
        /// The size of the whole payload in bytes.
        var size: Int
        /// The first overflow page.
        var overflow: Int?
        /// The offset after the cell.
        var end = 0

        /// The longest record that SQLite writes.
        static let largest = 1_000_000_000

        /// The number of bytes of a payload that are on its page.
        static func localSize(_ total: Int, usable: Int, isTable: Bool) -> Int {
            let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
            guard total > most else { return total }
            let least = (usable - 12) * 32 / 255 - 23
            let fitting = least + (total - least) % (usable - 4)
            return fitting <= most ? fitting : least
        }
    }
}
