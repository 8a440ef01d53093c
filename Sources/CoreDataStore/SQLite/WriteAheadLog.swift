import KeyedArchive
import SystemCalls
import SystemPackage

/// The file in which SQLite keeps pages that are newer than those of the database.
enum WriteAheadLog {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// Throws if the log is invalid or demands an impossible size of the database. Only frames that SQLite would use
    /// count: not those from before the last reset of the log, and not incomplete ones.
    static func check(_ log: FilePath, of database: FilePath) throws(FileProblem) {
        let file = try OwnedDescriptor.file(log)
        let size = Int(clamping: try file.status().size)
        let head = try file.bytes(in: 0..<headerSize).array
        guard size > headerSize, head.count == headerSize, head.contains(where: { $0 != 0 }) else { return }
        func damaged(_ offset: Int, _ expected: String, _ found: String) -> FileProblem {
            FileProblem.pending(log, offset, "the write-ahead log is damaged", expected, found)
        }
        let magic = BigEndian.number(head, at: 0)
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
        guard let last = try lastCommit(file, size, head, sum, page) else { return }
        // Another program may run a checkpoint in the meantime. So the size of the database is read after the frames.
        let most = try DatabasePages(of: database).maximum(with: last.frames)
        guard last.pages <= most else {
            throw damaged(
                headerSize + (last.frames - 1) * (frameHeaderSize + page) + 4,
                "a database of at most \(most) pages, by the size of the files", "\(last.pages)")
        }
    }

    /// The size of the database in pages after the last valid commit, and the number of frames up to it.
    private static func lastCommit(
        _ file: borrowing OwnedDescriptor, _ size: Int, _ head: [UInt8], _ sum: LogChecksum, _ page: Int
    ) throws(FileProblem) -> (pages: Int64, frames: Int)? {
        var (sum, last) = (sum, (pages: Int64, frames: Int)?.none)
        let frame = try PrivateBytes(count: frameHeaderSize + page, path: file.path)
        let bytes = UnsafeRawBufferPointer(frame.memory)
        for number in 0..<(size - headerSize) / bytes.count {
            guard try file.read(into: frame.memory, at: headerSize + number * bytes.count) == bytes.count
            else { break }
            let fields = Array(bytes[..<frameHeaderSize])
            guard BigEndian.number(fields, at: 0) != 0, fields[8..<16] == head[16..<24] else { break }
            sum.add(UnsafeRawBufferPointer(rebasing: bytes[..<8]))
            sum.add(UnsafeRawBufferPointer(rebasing: bytes[frameHeaderSize...]))
            guard sum.matches(fields, at: 16) else { break }
            let pages = BigEndian.number(fields, at: 4)
            if pages != 0 { last = (Int64(pages), number + 1) }
        }
        return last
    }
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
