#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension UnsafeRawBufferPointer {
    /// True where there is nothing but zeros, and enough of them to be worth leaving out of a file.
    public var isAllZero: Bool { count >= 4_096 && holdsOnlyZeros }

    /// True where there is nothing but zeros; of no bytes, too.
    public var holdsOnlyZeros: Bool {
        guard let start = baseAddress, count > 0 else { return true }
        return self[0] == 0 && memcmp(start, start + 1, count - 1) == 0
    }
}

/// Looks whether a file holds nothing but zeros.
public enum ZeroBytes {
    /// Bytes read at a time: the first piece decides nearly always.
    private static let firstPiece = 512
    private static let piece = 64 << 10
    /// Bytes after which a file counts as one of zeros, so that nobody can make this read for ever: no format begins
    /// with so many.
    public static let limit = 16 << 20

    /// True where a file of `size` bytes holds nothing but zeros, as far as the limit.
    /// - Parameter read: fills a buffer with the bytes from an offset on, and tells how many there were.
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
