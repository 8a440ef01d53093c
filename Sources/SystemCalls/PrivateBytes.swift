public import KeyedArchive
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Bytes in memory that nobody else knows yet, so that they can still be changed where they are: decrypted, say.
public struct PrivateBytes: ~Copyable {
    /// Not initialised until somebody fills it.
    public let memory: UnsafeMutableRawBufferPointer

    /// Memory for `count` bytes of the file `path`.
    /// - Parameter isAligned: whether it begins where a huge page can begin, if it is large enough for one.
    public init(
        count: Int, isAligned: Bool = false, path: @autoclosure () -> FilePath
    ) throws(FileProblem) {
        guard let start = Self.allocate(max(count, 1), isAligned: isAligned) else {
            throw FileProblem(.limit, path: path(), "no memory for \(count) bytes of it")
        }
        memory = UnsafeMutableRawBufferPointer(start: start, count: count)
        HugePages.advise(memory)
    }

    private static func allocate(_ count: Int, isAligned: Bool) -> UnsafeMutableRawPointer? {
        guard isAligned, count >= HugePages.size else { return malloc(count) }
        var start: UnsafeMutableRawPointer?
        return posix_memalign(&start, HugePages.size, count) == 0 ? start : nil
    }

    /// A copy of what was read from the file `path`.
    public init(copying bytes: SharedBytes, path: FilePath) throws(FileProblem) {
        try self.init(count: bytes.count, path: path)
        bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
    }

    deinit { free(memory.baseAddress) }

    /// The first `count` bytes, which from now on never change; the memory behind them is free again.
    public consuming func shared(first count: Int) -> SharedBytes {
        // Making it smaller leaves it where it is, and cannot fail where it counts: the old memory is as good.
        let start = realloc(memory.baseAddress, max(count, 1)) ?? memory.baseAddress
        discard self
        return SharedBytes(adopting: UnsafeRawBufferPointer(start: start, count: count)) {
            free(UnsafeMutableRawPointer(mutating: $0.baseAddress))
        }
    }

    /// The bytes of `range`, which from now on never change.
    public consuming func shared(_ range: Range<Int>) -> SharedBytes {
        let all = SharedBytes(adopting: UnsafeRawBufferPointer(memory)) {
            free(UnsafeMutableRawPointer(mutating: $0.baseAddress))
        }
        discard self
        return all.slice(range) ?? all
    }
}
