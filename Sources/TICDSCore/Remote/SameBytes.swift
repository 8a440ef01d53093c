package import SystemCalls

extension RemoteStorage {
    /// Whether two files of `size` bytes hold the same ones. False above `limit`: nobody reads so much.
    package func holdSameBytes(
        _ one: RemotePath, _ other: RemotePath, size: Int64, limit: ReadLimit
    ) throws(FileProblem) -> Bool {
        if size > limit.bytes { return false }
        let (one, other) = (try open(one), try open(other))
        let count = Int(min(size, 64 << 10))
        if count < 1 { return true }
        let piece = try PrivateBytes(count: count, path: one.path)
        let itsPiece = try PrivateBytes(count: count, path: other.path)
        for offset in stride(from: 0, to: Int(size), by: count) {
            let read = try one.read(into: piece.memory, at: offset)
            guard try other.read(into: itsPiece.memory, at: offset) == read else { return false }
            let bytes = UnsafeRawBufferPointer(rebasing: piece.memory[..<read])
            guard UnsafeRawBufferPointer(rebasing: itsPiece.memory[..<read]).begins(with: bytes) else {
                return false
            }
        }
        return true
    }
}
