#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension UnsafeRawBufferPointer {
    /// Whether all bytes are zero, and there are enough (4,096) to make a hole in a file.
    public var isAllZero: Bool { count >= 4_096 && holdsOnlyZeros }

    /// Whether all bytes are zero; true for no bytes.
    public var holdsOnlyZeros: Bool {
        guard let start = baseAddress, count > 0 else { return true }
        return self[0] == 0 && memcmp(start, start + 1, count - 1) == 0
    }
}

/// Checks whether a file contains only zeros.
public enum ZeroBytes {
    /// Bytes of the first read, which nearly always decides.
    private static let firstPiece = 512
    private static let piece = 64 << 10
    /// The number of bytes to check, so that a huge sparse file does not take for ever. No format begins with so many
    /// zeros.
    public static let limit = 16 << 20

    /// Whether the first ``limit`` bytes of a file of `size` bytes are zeros.
    /// - Parameter read: fills a buffer with the bytes from an offset on, and returns the count.
    public static func fill(
        _ size: Int64, read: (UnsafeMutableRawBufferPointer, Int) throws(FileProblem) -> Int
    ) throws(FileProblem) -> Bool {
        let end = Int(min(size, Int64(limit)))
        var offset = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(piece, end), alignment: 8)
        defer { buffer.deallocate() }
        while offset < end {
            let wanted = min(end - offset, offset == 0 ? firstPiece : buffer.count)
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            let count = try read(part, offset)
            guard UnsafeRawBufferPointer(rebasing: part[..<count]).holdsOnlyZeros else { return false }
            if count < wanted { break }
            offset += count
        }
        return true
    }
}
