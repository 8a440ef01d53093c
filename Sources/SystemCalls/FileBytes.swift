public import KeyedArchive
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads files of a folder that other programs change. The bytes are copied into private memory, so that a program that
/// truncates or rewrites the file later cannot change what was checked, as it could with mmap(2).
public enum FileBytes {
    /// Reads the whole regular file `path`. It refuses links, FIFOs and devices, a file larger than `limit`, and a file
    /// that changes during three attempts.
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
                .limit, path: path, offset: range.lowerBound, "offset before the start of the file")
        }
        let available = max(0, Int(try status().size) -| range.lowerBound)
        let count = min(range.count, available)
        guard count > 0 else { return SharedBytes([]) }
        let bytes = try PrivateBytes(count: count, path: path)
        let filled = try read(into: bytes.memory, at: range.lowerBound)
        return bytes.shared(0..<filled)
    }

    /// Fills `buffer` with the bytes from `offset`, by pread(2). Returns the count, which is lower only at the end of
    /// the file.
    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileProblem) -> Int {
        var filled = 0
        while let start = buffer.baseAddress, filled < buffer.count {
            let got = pread(descriptor, start + filled, buffer.count - filled, off_t(offset + filled))
            if got < 0 {
                let number = Errno(rawValue: errno)
                if number == .interrupted { continue }
                throw FileProblem(number, call: "pread", path: path)
            }
            if got == 0 { break }
            filled += got
        }
        return filled
    }
}

extension FileProblem {
    /// A file that another program changes while it is read.
    public static func changing(_ path: FilePath) -> FileProblem {
        FileProblem(
            .changedWhileReading, path: path, "changes while it is read",
            advice: "Wait until the other program has finished, then try again")
    }
}
