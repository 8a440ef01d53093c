#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Huge pages, where they may be had: a large file fills thousands of small ones, and each costs a fault.
enum HugePages {
    /// Bytes of a huge page; smaller memory cannot have one.
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
