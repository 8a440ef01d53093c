import CZlib
import SystemCalls
import TICDSCore

/// Decompresses gzip (RFC 1952), also several streams one behind the other, and compares the checksum and the size at
/// the end of each, which libarchive does not. It ignores bytes behind a stream that do not begin another one.
struct GzipDecoder: ~Copyable {
    /// zlib requires that a z_stream does not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let room: UnsafeMutableRawBufferPointer
    private let input: ArchiveInput

    private static let roomSize = 256 << 10
    private static let firstByte: UInt8 = 0x1F

    /// Whether an archive that begins with these bytes is compressed with gzip.
    static func isGzip(_ head: [UInt8]) -> Bool { head.starts(with: [firstByte, 0x8B]) }

    init(_ input: ArchiveInput) throws(FileProblem) {
        self.input = input
        room = .allocate(byteCount: Self.roomSize, alignment: 16)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard ticds_gunzip_start(stream) == Z_OK else { throw .noMemory(path: input.path) }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        room.deallocate()
    }

    /// Decompresses the input to its end, or until `body` returns false.
    func decompress(_ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Bool) throws(FileProblem) {
        var isInside = false
        // ends: with the input
        while true {
            var piece = try input.next()
            if piece.isEmpty {
                guard !isInside else { throw damaged("the end of the file") }
                return
            }
            while let first = piece.first {
                if !isInside {
                    guard first == Self.firstByte else { return }
                    inflateReset(stream)
                    isInside = true
                }
                guard let rest = try inflate(piece, body) else { return }
                isInside = !rest.isEnd
                piece = UnsafeRawBufferPointer(rebasing: piece.suffix(rest.count))
            }
        }
    }

    /// Decompresses a piece as far as the end of its stream. Nil if `body` returned false.
    private func inflate(
        _ piece: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Bool
    ) throws(FileProblem) -> (count: Int, isEnd: Bool)? {
        stream.pointee.next_in = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(clamping: piece.count)
        var answer = Z_OK
        // ends: with the piece
        repeat {
            stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(clamping: room.count)
            answer = CZlib.inflate(stream, Z_NO_FLUSH)
            let count = room.count - Int(stream.pointee.avail_out)
            if count > 0, try !body(UnsafeRawBufferPointer(rebasing: room[..<count])) { return nil }
        } while answer == Z_OK && (stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0)
        let rest = Int(stream.pointee.avail_in)
        switch answer {
        case Z_STREAM_END: return (rest, true)
        // Everything is decompressed, and more input is needed.
        case Z_OK: return (0, false)
        case Z_BUF_ERROR where rest == 0: return (0, false)
        case Z_MEM_ERROR: throw .noMemory(path: input.path)
        default: throw damaged(stream.pointee.msg.map { String(cString: $0) })
        }
    }

    private func damaged(_ found: String?) -> FileProblem {
        .damagedArchive(
            input.path, expected: "gzip data with the checksum of its content",
            found: found ?? "bytes that cannot be read")
    }
}
