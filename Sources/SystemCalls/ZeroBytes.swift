#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension UnsafeRawBufferPointer {
    /// True where there is nothing but zeros, and enough of them to be worth leaving out of a file.
    public var isAllZero: Bool {
        guard count >= 4_096, let start = baseAddress, self[0] == 0 else { return false }
        return memcmp(start, start + 1, count - 1) == 0
    }
}
