public import Base
import CZlib
public import SystemCalls
public import SystemPackage

/// Decompresses raw deflate data (RFC 1951, without header and checksum), the form of the cached model in
/// `Z_MODELCACHE`.
public enum RawDeflate {
    private static let pieceSize = 256 << 10

    /// Decompresses a stream, and ignores the bytes after its last block.
    /// - Parameters:
    ///   - bytes: a deflate stream.
    ///   - limit: the maximum number of decompressed bytes.
    ///   - path: the file that contains the stream, for errors; their offsets are in the stream.
    /// - Throws: `.damaged` if the stream is incomplete or damaged, `.limit` if it is longer than `limit`.
    public static func inflate(
        _ bytes: SharedBytes, limit: Int, path: FilePath
    ) throws(FileProblem) -> SharedBytes {
        try bytes.withUnsafeBytes { (input) throws(FileProblem) in
            // zlib requires that a z_stream does not move.
            var stream = z_stream()
            return try withUnsafeMutablePointer(to: &stream) { (stream) throws(FileProblem) in
                try SharedBytes(inflate(input, stream, limit, path))
            }
        }
    }

    private static func inflate(
        _ input: UnsafeRawBufferPointer, _ stream: UnsafeMutablePointer<z_stream>, _ limit: Int,
        _ path: FilePath
    ) throws(FileProblem) -> [UInt8] {
        var answer = ticds_inflate_start(stream)
        defer { inflateEnd(stream) }
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(clamping: input.count)
        var output: [UInt8] = []
        while answer == Z_OK, output.count <= limit {
            output += [UInt8](unsafeUninitializedCapacity: pieceSize) { room, count in
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = UInt32(clamping: pieceSize)
                answer = CZlib.inflate(stream, Z_NO_FLUSH)
                count = pieceSize - Int(stream.pointee.avail_out)
            }
        }
        let offset = Int(clamping: stream.pointee.total_in)
        guard output.count <= limit else {
            throw FileProblem(
                .limit, path: path, offset: offset, "too much when decompressed",
                expected: "at most \(limit) bytes", found: "more")
        }
        guard answer == Z_STREAM_END else {
            let isCut = answer == Z_BUF_ERROR
            throw FileProblem(
                .damaged, path: path, offset: offset,
                isCut ? "the deflated data is truncated" : "the deflated data is damaged",
                expected: isCut ? "the end of a deflate stream" : "a deflate stream",
                found: isCut ? "the end of the data" : stream.pointee.msg.map { String(cString: $0) })
        }
        return output
    }
}
