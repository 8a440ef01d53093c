#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension UnsafeRawBufferPointer {
    /// Order by unsigned bytes; a prefix comes first.
    func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let mine = baseAddress, let its = other.baseAddress else { return count < other.count }
        let order = memcmp(mine, its, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }

    /// True where the bytes of `start` are the first here.
    func begins(with start: UnsafeRawBufferPointer) -> Bool {
        guard let mine = baseAddress, let its = start.baseAddress else { return start.isEmpty }
        return count >= start.count && memcmp(mine, its, start.count) == 0
    }
}
