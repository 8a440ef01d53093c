public import KeyedArchive
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reading files of a live folder. The bytes are copied into private memory: whoever truncates or rewrites the file
/// later cannot change, or take away, what was checked.
public enum FileBytes {
    /// Files above this are refused unless the caller says otherwise: 4 GiB.
    public static let defaultLimit = 1 << 32

    /// All bytes of the regular file `path`. Links, fifos and devices are refused; so is a file above `limit` bytes,
    /// and one that keeps changing while it is read.
    public static func read(_ path: FilePath, limit: Int = defaultLimit) throws(FileProblem) -> SharedBytes {
        try OpenFile.file(path).bytes(limit: limit)
    }

    /// The first `count` bytes of the regular file `path`; fewer where it is shorter.
    public static func head(_ path: FilePath, count: Int) throws(FileProblem) -> SharedBytes {
        try OpenFile.file(path).bytes(in: 0..<max(0, count))
    }
}

/// Bytes of a large page; smaller memory cannot have one.
private let largePage = 2 << 20

extension OpenFile {
    /// All bytes of the file; see `FileBytes.read`.
    public func bytes(limit: Int = FileBytes.defaultLimit) throws(FileProblem) -> SharedBytes {
        for _ in 0..<3 {
            let before = try status()
            guard before.size <= limit else {
                throw FileProblem(
                    .limit, path: path, "too large to be read whole", expected: "at most \(limit) bytes",
                    found: "\(before.size) bytes")
            }
            let bytes = try self.bytes(in: 0..<Int(before.size))
            let after = try status()
            if bytes.count == before.size, after == before { return bytes }
        }
        throw FileProblem(
            .changedWhileReading, path: path, "changes while it is read",
            advice: "Wait until the other program has finished, then try again")
    }

    /// The bytes of `range`; fewer where the file ends before it.
    public func bytes(in range: Range<Int>) throws(FileProblem) -> SharedBytes {
        guard range.lowerBound >= 0 else {
            throw FileProblem(
                .limit, path: path, offset: range.lowerBound, "offset before the start of the file")
        }
        let available = max(0, Int(try status().size) - range.lowerBound)
        let count = min(range.count, available)
        guard count > 0 else { return SharedBytes([]) }
        let protection = PROT_READ | PROT_WRITE
        guard let memory = mmap(nil, count, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else { throw FileProblem(Errno(rawValue: errno), call: "mmap", path: path) }
        #if canImport(Glibc)
            // Large pages, where they may be had: a large file fills thousands of small ones.
            if count >= largePage { madvise(memory, count, MADV_HUGEPAGE) }
        #endif
        var filled = 0
        while filled < count {
            let got = pread(descriptor, memory + filled, count - filled, off_t(range.lowerBound + filled))
            if got < 0 {
                let number = Errno(rawValue: errno)
                if number == .interrupted { continue }
                munmap(memory, count)
                throw FileProblem(number, call: "pread", path: path)
            }
            if got == 0 { break }
            filled += got
        }
        let whole = UnsafeRawBufferPointer(start: memory, count: count)
        let bytes = SharedBytes(adopting: whole) {
            munmap(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count)
        }
        return bytes.slice(0..<filled) ?? bytes
    }
}
