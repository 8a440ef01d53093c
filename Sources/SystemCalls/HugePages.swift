#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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
