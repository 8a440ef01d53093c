import Base
import SystemCalls
import TICDSCore

/// Reads tar archives of every usual form. libarchive only decompresses. It does not read the headers, because it
/// composes accents in names, and a remote may contain two files whose names differ only in that.
final class TarReader: MemberReader {
    private let input: ArchiveInput
    private let head: [UInt8]
    private let stream: DecompressedStream
    private var feed: ByteFeed
    /// Unread bytes of the current member, and the padding of its last block.
    private var left: Int64 = 0
    private var padding: Int64 = 0
    private var global = PaxRecords()
    private var hasMembers = false
    let form = "tar"
    var bytesRead: Int64 { input.count }

    /// The longest extended header, and the longest name, in bytes.
    private static let headerLimit: Int64 = 1 << 20
    /// The largest number of zeros after the end of the archive.
    private static let tailLimit: Int64 = 64 << 20

    /// - Parameter head: the first four bytes of the archive.
    init(_ input: ArchiveInput, head: [UInt8]) {
        self.input = input
        self.head = head
        let stream = DecompressedStream(input, head: head)
        self.stream = stream
        feed = ByteFeed { () throws(FileProblem) in try stream.next() }
    }

    deinit { stream.close() }

    func salvage(isReadToEnd: Bool) -> ArchiveSalvage { .ofTar(head, isReadToEnd: isReadToEnd) }

    func next() throws(FileProblem) -> ArchiveMember? {
        try skip(left + padding)
        left = 0
        padding = 0
        var records = global
        var longName: [UInt8]?
        // ends: with the archive
        while true {
            let bytes = try feed.array(TarHeader.size)
            if bytes.allSatisfy({ $0 == 0 }), bytes.count == TarHeader.size {
                try readTail()
                return nil
            }
            guard bytes.count == TarHeader.size else { throw cutShort() }
            guard let header = TarHeader(bytes) else { throw noHeader() }
            hasMembers = true
            switch header.type {
            case UInt8(ascii: "x"):
                guard records.add(try extensionBytes(header)) else { throw noHeader() }
            case UInt8(ascii: "g"):
                guard global.add(try extensionBytes(header)) else { throw noHeader() }
                records = global
            case UInt8(ascii: "L"): longName = Array(try extensionBytes(header).prefix { $0 != 0 })
            case UInt8(ascii: "K"): _ = try extensionBytes(header)
            default: return try member(header, records, longName)
            }
        }
    }

    func content(_ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Void) throws(FileProblem) {
        let count = left
        // After an error of `body` the archive is not read further.
        left = 0
        guard try feed.take(count, body) else { throw cutShort() }
    }

    func sharedContent(_ body: (SharedBytes) throws(FileProblem) -> Void) throws(FileProblem) {
        let count = left
        left = 0
        guard try feed.takeShared(count, body) else { throw cutShort() }
    }

    private func member(
        _ header: TarHeader, _ records: PaxRecords, _ longName: [UInt8]?
    ) throws(FileProblem) -> ArchiveMember {
        let name = records.path ?? longName ?? header.name
        let size = records.size ?? header.size
        var kind = Self.kind(header.type)
        if kind == .file, name.last == UInt8(ascii: "/") { kind = .folder }
        if records.isSparse { kind = .other("a sparse file of GNU tar") }
        left = kind == .file ? size : Self.hasContent(header.type) ? size : 0
        // bounded: 512
        guard left <= Int64.max - Int64(TarHeader.size) else { throw noHeader() }
        // bounded: 0 to 512
        padding = (Int64(TarHeader.size) - left % Int64(TarHeader.size)) % Int64(TarHeader.size)
        return ArchiveMember(
            name: name, kind: kind, size: kind == .file ? size : 0,
            modified: records.modified ?? FileTime(seconds: header.modified))
    }

    private static func kind(_ type: UInt8) -> ArchiveMember.Kind {
        switch type {
        case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): .file
        case UInt8(ascii: "5"): .folder
        case UInt8(ascii: "1"): .other("a hard link")
        case UInt8(ascii: "2"): .symbolicLink
        case UInt8(ascii: "3"), UInt8(ascii: "4"): .device
        case UInt8(ascii: "6"): .fifo
        case UInt8(ascii: "S"): .other("a sparse file of GNU tar")
        default: .other("a member of unknown type")
        }
    }

    private static func hasContent(_ type: UInt8) -> Bool {
        !(UInt8(ascii: "1")...UInt8(ascii: "6")).contains(type)
    }

    private func extensionBytes(_ header: TarHeader) throws(FileProblem) -> [UInt8] {
        guard header.size <= Self.headerLimit else { throw noHeader() }
        let bytes = try feed.array(Int(header.size))
        guard bytes.count == header.size else { throw cutShort() }
        let block = Int64(TarHeader.size)
        try skip((block - header.size % block) % block)  // bounded: 0 to 512
        return bytes
    }

    private func skip(_ count: Int64) throws(FileProblem) {
        guard try feed.take(count, { _ in }) else { throw cutShort() }
    }

    /// Reads to the end of the file, where the compressor's checksum is.
    private func readTail() throws(FileProblem) {
        var isZero = true
        var count: Int64 = 0
        let problem = noHeader()
        while try feed.take(
            1 << 16,
            { (piece) throws(FileProblem) in
                count += Int64(piece.count)
                isZero = isZero && piece.allSatisfy { $0 == 0 }
                guard isZero, count <= Self.tailLimit else { throw problem }
            })
        {}
    }

    private func cutShort() -> FileProblem {
        guard hasMembers else { return noHeader() }
        return .damagedArchive(
            input.path, expected: "more members, or the end of the archive",
            found: "the end of the file after \(feed.offset) unpacked bytes")
    }

    private func noHeader() -> FileProblem {
        guard hasMembers else {
            return FileProblem(
                .unsupported, path: input.path, "not an archive",
                expected: "tar, perhaps compressed by zstd, xz, gzip or bzip2, or zip", found: "other bytes",
                advice: "Name an archive that ticds-archive or ticds-remote snapshot wrote")
        }
        return .damagedArchive(
            input.path, expected: "the header of a member after \(feed.offset) unpacked bytes",
            found: "other bytes")
    }
}

/// Reads bytes from a sequence of pieces, across their boundaries.
struct ByteFeed {
    private let next: () throws(FileProblem) -> SharedBytes?
    private var piece = SharedBytes([])
    private var used = 0
    /// The number of bytes read so far.
    private(set) var offset: Int64 = 0

    init(_ next: @escaping () throws(FileProblem) -> SharedBytes?) { self.next = next }

    /// Calls `body` with the next `count` bytes; returns false if they end before.
    mutating func take(
        _ count: Int64, _ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) -> Bool {
        try takeRanges(count) { (piece, range) throws(FileProblem) in
            try piece.withUnsafeBytes { (bytes) throws(FileProblem) in
                try body(UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
        }
    }

    /// Calls `body` with the next `count` bytes in pieces that it may keep; returns false if they end before.
    mutating func takeShared(
        _ count: Int64, _ body: (SharedBytes) throws(FileProblem) -> Void
    ) throws(FileProblem) -> Bool {
        try takeRanges(count) { (piece, range) throws(FileProblem) in
            if let part = piece.slice(range) { try body(part) }
        }
    }

    private mutating func takeRanges(
        _ count: Int64, _ body: (SharedBytes, Range<Int>) throws(FileProblem) -> Void
    ) throws(FileProblem) -> Bool {
        var left = count
        while left > 0 {
            if used == piece.count {
                guard let more = try nextPiece() else { return false }
                piece = more
                used = 0
            }
            let length = Int(min(left, Int64(piece.count - used)))
            try body(piece, used..<used + length)
            used += length
            offset += Int64(length)
            left -= Int64(length)
        }
        return true
    }

    /// - Throws: the error of `next`, with the position at which the bytes end.
    private func nextPiece() throws(FileProblem) -> SharedBytes? {
        do throws(FileProblem) {
            return try next()
        } catch {
            guard error.kind == .damaged, let found = error.found else { throw error }
            var placed = error
            placed.found = "\(found) after \(offset) unpacked bytes"
            throw placed
        }
    }

    /// The next `count` bytes; fewer at the end.
    mutating func array(_ count: Int) throws(FileProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        _ = try take(Int64(count)) { piece in bytes += piece }
        return bytes
    }
}
