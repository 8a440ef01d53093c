import CSystemCalls
public import KeyedArchive
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Memory with one owner, which can be changed in place, for example to decrypt it, before it is shared.
public struct PrivateBytes: ~Copyable {
    /// The memory; not initialised until the owner fills it.
    public let memory: UnsafeMutableRawBufferPointer

    /// Allocates `count` bytes for the file `path`.
    /// - Parameter isAligned: whether large memory begins at the boundary of a huge page.
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

    /// Copies the bytes of the file `path`.
    public init(copying bytes: SharedBytes, path: FilePath) throws(FileProblem) {
        try self.init(count: bytes.count, path: path)
        bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
    }

    deinit { free(memory.baseAddress) }

    /// Shares the first `count` bytes, which never change from now on, and frees the memory behind them.
    public consuming func shared(first count: Int) -> SharedBytes {
        // realloc(3) to a smaller size does not move the memory. If it fails, the old memory is still valid.
        let start = realloc(memory.baseAddress, max(count, 1)) ?? memory.baseAddress
        discard self
        return SharedBytes(adopting: UnsafeRawBufferPointer(start: start, count: count)) {
            free(UnsafeMutableRawPointer(mutating: $0.baseAddress))
        }
    }

    /// Shares the bytes of `range`, which never change from now on.
    public consuming func shared(_ range: Range<Int>) -> SharedBytes {
        let all = SharedBytes(adopting: UnsafeRawBufferPointer(memory)) {
            free(UnsafeMutableRawPointer(mutating: $0.baseAddress))
        }
        discard self
        return all.slice(range) ?? all
    }
}

/// Transparent huge pages (madvise(2)): a large file fills thousands of 4 KiB pages, and each page costs a page fault.
enum HugePages {
    /// The size of a huge page in bytes; smaller memory cannot contain one.
    static let size = 2 << 20
    private static let smallPage = 4 << 10

    /// Asks for huge pages in memory that is about to be filled.
    static func advise(_ memory: UnsafeMutableRawBufferPointer) {
        guard memory.count >= size, let start = memory.baseAddress else { return }
        #if canImport(Glibc)
            let first = start.alignedUp(toMultipleOf: smallPage)
            let last = (start + memory.count).alignedDown(toMultipleOf: smallPage)
            madvise(first, last - first, MADV_HUGEPAGE)
        #endif
    }
}

/// A setting of malloc(3) for memory that the program freed.
public enum FreedMemory {
    /// Keeps up to `limit` bytes of freed memory for reuse. Returned to the system, these pages would be filled with
    /// zeros again at each use. For programs that read one large file after another.
    public static func keep(upTo limit: Int) { ticds_keep_freed_memory(CInt(clamping: limit)) }
}
