import Base
import SystemCalls
import SystemPackage

/// The file in which SQLite keeps pages that are newer than those of the database.
struct WriteAheadLog {
    /// The pages of committed frames that SQLite reads.
    private(set) var pages: Set<Int> = []
    /// The number of pages of the database after the last commit that SQLite reads; nil without one.
    private(set) var pageCount: Int64?
    /// The beginning of page 1 after that commit; nil if the log does not contain it.
    private(set) var header: [UInt8]?
    /// The reason why SQLite leaves out frames that belong to the log; nil if it reads all of them.
    private(set) var shortfall: FileProblem?
    /// Whether complete frames are left out, and not only an incomplete one at the end.
    private(set) var hasFramesLeftOut = false

    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// Reads the log.
    /// - Throws: `.damaged` if the log is invalid or demands an impossible size of the database. Only frames that
    ///   SQLite would use count, not frames from before the last reset of the log, and not incomplete ones.
    init(_ log: FilePath, of database: FilePath) throws(FileProblem) {
        let file = try OwnedDescriptor.file(log)
        let size = Int(clamping: try file.status().size)
        let head = try file.bytes(in: 0..<Self.headerSize).array
        guard size > Self.headerSize, head.count == Self.headerSize else { return }
        func damaged(_ offset: Int, _ expected: String, _ found: String) -> FileProblem {
            FileProblem.pending(log, offset, "the write-ahead log is damaged", expected, found)
        }
        let magic = BigEndian.number(head, at: 0)
        // SQLite ignores a log with such a header. A log that was only reserved is zero throughout.
        if head.allSatisfy({ $0 == 0 }), try Self.isZero(file, size) { return }
        guard magic & ~1 == 0x377F_0682 else {
            throw damaged(0, "377f0682 or 377f0683", hexadecimalDigits(of: Array(head[..<4])))
        }
        let version = BigEndian.number(head, at: 4)
        guard version == 3_007_000 else { throw damaged(4, "version 3007000", "\(version)") }
        let page = BigEndian.number(head, at: 8)
        var sum = LogChecksum(isBigEndian: magic & 1 == 1)
        head.withUnsafeBytes { sum.add(UnsafeRawBufferPointer(rebasing: $0[..<24])) }
        guard sum.matches(head, at: 24) else {
            throw damaged(24, sum.text, hexadecimalDigits(of: Array(head[24...])))
        }
        let before = try DatabasePages(of: database)
        guard page == before.pageSize else {
            throw damaged(8, "pages of \(before.pageSize) bytes, like those of the database", "\(page)")
        }
        let frames = try readFrames(file, size, head, sum, page)
        guard let pageCount else { return }
        // Another program may run a checkpoint at the same time, so the size of the database is read after the frames.
        let most = try DatabasePages(of: database).maximum(with: frames)
        guard pageCount <= most else {
            throw damaged(
                Self.headerSize + (frames - 1) * (Self.frameHeaderSize + page) + 4,
                "a database of at most \(most) pages, by the size of the files", "\(pageCount)")
        }
    }

    private static func isZero(_ file: borrowing OwnedDescriptor, _ size: Int) throws(FileProblem) -> Bool {
        for start in stride(from: 0, to: size, by: 1 << 20) {
            let piece = try file.bytes(in: start..<start + 1 << 20)
            guard piece.withUnsafeBytes({ $0.isAllZero }) else { return false }
        }
        return true
    }

    /// Reads the frames.
    /// - Returns: the number of frames up to the last valid commit.
    private mutating func readFrames(
        _ file: borrowing OwnedDescriptor, _ size: Int, _ head: [UInt8], _ sum: LogChecksum, _ page: Int
    ) throws(FileProblem) -> Int {
        var (sum, committed, isValid) = (sum, 0, true)
        var open: (pages: Set<Int>, header: [UInt8]?) = ([], nil)
        var left = FramesLeftOut()
        let frame = try PrivateBytes(count: Self.frameHeaderSize + page, path: file.path)
        let bytes = UnsafeRawBufferPointer(frame.memory)
        let count = (size - Self.headerSize) / bytes.count
        for number in 0...count {
            let place = Self.headerSize + number * bytes.count
            guard try file.read(into: frame.memory, at: place) == bytes.count else {
                left.addEnd(bytes, of: size - place, head)
                break
            }
            let fields = Array(bytes[..<Self.frameHeaderSize])
            if isValid {
                isValid = BigEndian.number(fields, at: 0) != 0 && fields[8..<16] == head[16..<24]
                if isValid {
                    sum.add(UnsafeRawBufferPointer(rebasing: bytes[..<8]))
                    sum.add(UnsafeRawBufferPointer(rebasing: bytes[Self.frameHeaderSize...]))
                    isValid = sum.matches(fields, at: 16)
                }
            }
            guard isValid else {
                left.add(fields, number, head)
                continue
            }
            open.pages.insert(BigEndian.number(fields, at: 0))
            if BigEndian.number(fields, at: 0) == 1 {
                open.header = Array(bytes[Self.frameHeaderSize...].prefix(100))
            }
            let pages = BigEndian.number(fields, at: 4)
            guard pages != 0 else { continue }
            (pageCount, committed) = (Int64(pages), number + 1)
            self.pages.formUnion(open.pages)
            header = open.header ?? header
            open = ([], nil)
        }
        hasFramesLeftOut = left.hasAny
        shortfall = left.problem(file.path, offset: { Self.headerSize + $0 * bytes.count })
        return committed
    }
}

/// Frames of a write-ahead log that SQLite does not read, although they were written since the last reset of the log.
private struct FramesLeftOut {
    private var first: Int?
    private var count = 0
    private var commits = 0
    private var isTruncated = false
    var hasAny: Bool { first != nil }

    /// Adds a frame after the first invalid one. A reset changes both salts; if only one matches, the frame is damaged.
    mutating func add(_ fields: [UInt8], _ number: Int, _ head: [UInt8]) {
        guard fields[8..<12] == head[16..<20] || fields[12..<16] == head[20..<24] else { return }
        first = first ?? number
        count += 1
        if BigEndian.number(fields, at: 4) != 0 { commits += 1 }
    }

    /// Adds an incomplete frame at the end, of which `size` bytes were read.
    mutating func addEnd(_ bytes: UnsafeRawBufferPointer, of size: Int, _ head: [UInt8]) {
        guard size > 0 else { return }
        isTruncated = size < 16 || Array(bytes[8..<16]) == Array(head[16..<24])
    }

    func problem(_ log: FilePath, offset: (Int) -> Int) -> FileProblem? {
        guard let first else {
            guard isTruncated else { return nil }
            return FileProblem(
                .damaged, path: log, "the write-ahead log is truncated: its last transactions may be missing",
                found: "an incomplete frame at the end", advice: Self.advice, finding: "TICDS-0723")
        }
        let transactions = commits == 0 ? "" : ", at least \(commits) of them the end of a transaction"
        return FileProblem(
            .damaged, path: log, offset: offset(first),
            "the write-ahead log is damaged: changes behind this place are missing",
            expected: "a valid checksum",
            found: "\(count == 1 ? "1 frame" : "\(count) frames") that cannot be used\(transactions)",
            advice: Self.advice, finding: "TICDS-0723")
    }

    private static let advice =
        "Fetch the store and its log again; ticds-store recover shows the rows in these frames"
}

/// The running checksum of a write-ahead log.
package struct LogChecksum {
    let isBigEndian: Bool
    private var (one, other): (UInt32, UInt32) = (0, 0)

    package init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Continues the checksum in the header of a frame.
    package init(isBigEndian: Bool, continuing header: [UInt8]) {
        self.isBigEndian = isBigEndian
        one = UInt32(truncatingIfNeeded: BigEndian.number(header, at: 16))
        other = UInt32(truncatingIfNeeded: BigEndian.number(header, at: 20))
    }

    /// Adds bytes, a multiple of eight.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var (first, second) = (one, other)
        for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
            let (left, right) = (
                bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
                bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            )
            first &+= (isBigEndian ? left.bigEndian : left.littleEndian) &+ second
            second &+= (isBigEndian ? right.bigEndian : right.littleEndian) &+ first
        }
        (one, other) = (first, second)
    }

    package func matches(_ bytes: [UInt8], at offset: Int) -> Bool {
        BigEndian.number(bytes, at: offset) == one && BigEndian.number(bytes, at: offset + 4) == other
    }

    var text: String {
        hexadecimalDigits(
            of: [one, other].flatMap { sum in withUnsafeBytes(of: sum.bigEndian) { Array($0) } })
    }
}
