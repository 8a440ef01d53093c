package import Base
package import Cryptography
package import SystemCalls
package import SystemPackage

/// Reads files in pieces.
package enum FileHasher {
    /// Passes all bytes of an open file to `sink`, in pieces; returns their SHA-256.
    package static func pump(
        _ file: borrowing OwnedDescriptor, to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) -> [UInt8] {
        let status = if let known = file.statusAtOpening { known } else { try file.status() }
        return try pump(status.size, file.path, sink) { (memory, offset) throws(FileProblem) in
            try file.read(into: memory, at: offset)
        }
    }

    /// Passes all bytes of a file of a storage to `sink`, in pieces; returns their SHA-256.
    package static func pump(
        _ file: any ReadableFile, to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) -> [UInt8] {
        try pump(file.statusAtOpening().size, file.path, sink) { (memory, offset) throws(FileProblem) in
            try file.read(into: memory, at: offset)
        }
    }

    /// Passes at most `size` bytes of a file to `sink`, in pieces; returns their SHA-256. The caller must compare the
    /// status of the file afterwards: the file may be longer.
    package static func pump(
        _ file: any ReadableFile, atMost size: Int64,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) -> [UInt8] {
        try pump(size, file.path, sink) { (memory, offset) throws(FileProblem) in
            let rest = UnsafeMutableRawBufferPointer(
                rebasing: memory[..<min(memory.count, Int(clamping: size) - offset)])
            return rest.isEmpty ? 0 : try file.read(into: rest, at: offset)
        }
    }

    private static func pump(
        _ size: Int64, _ path: @autoclosure () -> FilePath,
        _ sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void,
        _ read: (UnsafeMutableRawBufferPointer, Int) throws(FileProblem) -> Int
    ) throws(FileProblem) -> [UInt8] {
        try ReadLimit.anyFile.check(size, path())
        var hash = try SHA256(for: path())
        let memory = try PrivateBytes(count: 256 << 10, path: path())
        var offset = 0
        while offset <= size {
            let count = try read(memory.memory, offset)
            if count == 0 { return hash.finalize() }
            let piece = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory.memory)[..<count])
            hash.update(piece)
            try sink(piece)
            offset += count
            // A reader gives less at the end of the file only.
            if count < memory.memory.count { return hash.finalize() }
        }
        throw .changing(path())
    }

    /// The SHA-256 of bytes in memory.
    package static func digest(of bytes: SharedBytes) -> [UInt8] {
        bytes.withUnsafeBytes { SHA256.hash($0) }
    }

    /// The SHA-256 of a file, read piece by piece.
    package static func digest(of file: borrowing OwnedDescriptor) throws(FileProblem) -> [UInt8] {
        try pump(file) { _ in }
    }

    /// Reads a copy back.
    /// - Throws: `.writeFailed` if its SHA-256 differs from that of the written bytes.
    package static func check(_ copy: borrowing OwnedDescriptor, reads written: [UInt8]) throws(FileProblem) {
        guard try digest(of: copy) == written else { throw differs(copy.path) }
    }

    /// The same for a copy that was opened in another way.
    package static func check(_ copy: any ReadableFile, reads written: [UInt8]) throws(FileProblem) {
        guard try pump(copy, to: { _ in }) == written else { throw differs(copy.path) }
    }

    private static func differs(_ path: FilePath) -> FileProblem {
        FileProblem(
            .writeFailed, path: path, "the copy differs from what was written", advice: "Check that volume")
    }
}

extension SHA256 {
    /// The digest of no data yet, for the file `path`.
    package init(for path: @autoclosure () -> FilePath) throws(FileProblem) {
        do { try self.init() } catch { throw .noMemory(path: path()) }
    }
}

extension FileProblem {
    /// The error of a digest or a cipher: no memory, or else `other`.
    static func cryptography(_ error: CryptographyError, _ other: FileProblem) -> FileProblem {
        error.isNoMemory ? .noMemory(path: other.path) : other
    }
}
