public import Base
import CSystemCalls
import Glibc
public import SystemPackage

/// Reads files of a folder that other programs change. The bytes are copied into private memory, so that a program that
/// truncates or rewrites the file later cannot change the checked bytes, as it could with mmap(2).
public enum FileBytes {
    /// Reads a regular file (not a link, FIFO or device) of at most `limit`; makes three attempts if it changes during
    /// the read.
    public static func read(_ path: FilePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes {
        try OwnedDescriptor.file(path).bytes(limit: limit)
    }

    /// Reads the first `count` bytes of the regular file `path`; fewer if the file is shorter.
    public static func head(_ path: FilePath, count: Int) throws(FileProblem) -> SharedBytes {
        try OwnedDescriptor.file(path).bytes(in: 0..<max(0, count))
    }
}

extension OwnedDescriptor {
    /// Reads the whole file; see `FileBytes.read`.
    public func bytes(limit: ReadLimit) throws(FileProblem) -> SharedBytes {
        let bytes = try privateBytes(limit: limit)
        let count = bytes.memory.count
        return bytes.shared(0..<count)
    }

    /// Reads the whole file into memory that can be changed.
    public func privateBytes(limit: ReadLimit) throws(FileProblem) -> PrivateBytes {
        var before: FileStatus
        if let statusAtOpening { before = statusAtOpening } else { before = try status() }
        for _ in 0..<3 {
            try limit.check(before.size, path)
            let bytes = try PrivateBytes(count: Int(before.size), path: path)
            let count = try read(into: bytes.memory, at: 0)
            let after = try status()
            if count == before.size, after == before { return bytes }
            before = after
        }
        throw .changing(path)
    }

    /// Reads the bytes of `range`; fewer if the file ends before.
    public func bytes(in range: Range<Int>) throws(FileProblem) -> SharedBytes {
        guard range.lowerBound >= 0 else {
            throw FileProblem(
                .limit, path: path, offset: range.lowerBound,
                "the file is damaged: it refers to a byte before its start")
        }
        let available = max(0, Int(try status().size) -| range.lowerBound)
        let count = min(range.count, available)
        guard count > 0 else { return SharedBytes([]) }
        let bytes = try PrivateBytes(count: count, path: path)
        let filled = try read(into: bytes.memory, at: range.lowerBound)
        return bytes.shared(0..<filled)
    }

    /// Fills `buffer` with the bytes from `offset`, by pread(2). Returns the count; lower only at the end of the file.
    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileProblem) -> Int {
        var filled = 0
        while let start = buffer.baseAddress, filled < buffer.count {
            let got = uninterrupted {
                pread(descriptor, start + filled, buffer.count - filled, off_t(offset + filled))
            }
            if got < 0 { throw FileProblem(Errno(rawValue: errno), path: path) }
            if got == 0 { break }
            filled += got
        }
        return filled
    }
}

extension FileProblem {
    /// The error for a file that another program changes during the read.
    public static func changing(_ path: FilePath) -> FileProblem {
        FileProblem(
            .changedWhileReading, path: path, "changes while it is read",
            advice: "Wait until the other program has finished, then try again")
    }
}

/// Memory with one owner, which can be changed in place, for example to decrypt it, before it is shared.
public struct PrivateBytes: ~Copyable {
    /// The memory; not initialised until the owner fills it.
    public let memory: UnsafeMutableRawBufferPointer

    /// Allocates `count` bytes for the file `path`.
    /// - Parameter isAligned: whether large memory begins at the boundary of a huge page.
    public init(count: Int, isAligned: Bool = false, path: @autoclosure () -> FilePath) throws(FileProblem) {
        guard let start = Self.allocate(max(count, 1), isAligned: isAligned) else {
            throw .noMemory(for: count, path: path())
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

    /// Shares the first `count` bytes, which never change from then on, and frees the memory after them.
    public consuming func shared(first count: Int) -> SharedBytes {
        // realloc(3) to a smaller size does not move the memory. If it fails, the old memory is still valid.
        let start = realloc(memory.baseAddress, max(count, 1)) ?? memory.baseAddress
        discard self
        return SharedBytes(adopting: UnsafeRawBufferPointer(start: start, count: count)) {
            free(UnsafeMutableRawPointer(mutating: $0.baseAddress))
        }
    }

    /// Shares the bytes of `range`, which never change from then on.
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
        let first = start.alignedUp(toMultipleOf: smallPage)
        let last = (start + memory.count).alignedDown(toMultipleOf: smallPage)
        madvise(first, last - first, MADV_HUGEPAGE)
    }
}

/// Settings of malloc(3) for memory that the program freed.
public enum FreedMemory {
    /// Keeps up to `limit` bytes of freed memory for reuse. Pages that were returned to the system would be filled with
    /// zeros again at each use. Use it for programs that read one large file after another.
    public static func keep(upTo limit: Int) { ticds_keep_freed_memory(CInt(clamping: limit)) }

    /// Lets threads that start from now on use memory that others freed. Otherwise each keeps what its largest work took.
    public static func share() { ticds_share_freed_memory(1) }

    /// Returns freed memory to the system, also between pieces that are in use. Use it after large work.
    public static func release() { ticds_release_freed_memory() }
}

extension UnsafeRawBufferPointer {
    /// Whether all bytes are zero, and their number is enough (4,096) for a hole in a file.
    public var isAllZero: Bool { count >= 4_096 && holdsOnlyZeros }

    /// Whether all bytes are zero; true for no bytes.
    public var holdsOnlyZeros: Bool {
        guard let start = baseAddress, count > 0 else { return true }
        return self[0] == 0 && memcmp(start, start + 1, count - 1) == 0
    }
}

/// Checks whether a file contains only zeros.
public enum ZeroBytes {
    /// The size of the first read in bytes, which nearly always decides.
    public static let firstPiece = 512
    private static let piece = 64 << 10
    /// The number of bytes to check, since a sparse file may be huge. No format begins with this many zeros.
    public static let limit = 16 << 20

    /// Whether the first ``limit`` bytes of a file of `size` bytes are zeros.
    /// - Parameter read: fills a buffer with the bytes from an offset on, and returns their number.
    public static func fill(
        _ size: Int64, path: @autoclosure () -> FilePath,
        read: (UnsafeMutableRawBufferPointer, Int) throws(FileProblem) -> Int
    ) throws(FileProblem) -> Bool {
        let end = Int(min(size, Int64(limit)))
        var offset = 0
        let buffer = try PrivateBytes(count: min(piece, end), path: path())
        while offset < end {
            let wanted = min(end - offset, offset == 0 ? firstPiece : piece)
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer.memory[..<wanted])
            let count = try read(part, offset)
            guard UnsafeRawBufferPointer(rebasing: part[..<count]).holdsOnlyZeros else { return false }
            if count < wanted { break }
            offset += count
        }
        return true
    }
}
