import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Reads tar archives of every usual form. libarchive decompresses, but does not read the headers: it composes accents in
/// names, and a remote may hold two files whose names differ in nothing else.
final class TarReader: MemberReader {
    private let input: ArchiveInput
    private let stream: DecompressedStream
    private var feed: ByteFeed
    /// Bytes of the present member that were not read, and what fills its last block.
    private var left: Int64 = 0
    private var padding: Int64 = 0
    private var global = PaxRecords()
    private var hasMembers = false

    let form = "tar"
    var bytesRead: Int64 { input.count }

    /// Longest extended header, and longest name, in bytes.
    private static let headerLimit: Int64 = 1 << 20
    /// Nothing but zeros may follow the end, and no more than this.
    private static let tailLimit: Int64 = 64 << 20

    init(_ input: ArchiveInput) {
        self.input = input
        let stream = DecompressedStream(input)
        self.stream = stream
        feed = ByteFeed { () throws(FileProblem) in try stream.next() }
    }

    deinit { stream.close() }

    func next() throws(FileProblem) -> ArchiveMember? {
        try skip(left + padding)
        left = 0
        padding = 0
        var records = global
        var longName: [UInt8]?
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
            case UInt8(ascii: "L"):
                longName = Array(try extensionBytes(header).prefix { $0 != 0 })
            case UInt8(ascii: "K"): _ = try extensionBytes(header)
            default: return try member(header, records, longName)
            }
        }
    }

    func content(_ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Void) throws(FileProblem) {
        let count = left
        // Where `body` throws, the rest is lost, too: nobody reads on.
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
        case UInt8(ascii: "2"): .other("a symbolic link")
        case UInt8(ascii: "3"), UInt8(ascii: "4"): .other("a device")
        case UInt8(ascii: "6"): .other("a fifo")
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

    /// Reads to the very end: only there is the check sum of the compressor.
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
                expected: "tar, perhaps compressed by zstd, xz, gzip or bzip2, or zip", found: "other bytes")
        }
        return .damagedArchive(
            input.path, expected: "the header of a member after \(feed.offset) unpacked bytes",
            found: "other bytes")
    }
}
