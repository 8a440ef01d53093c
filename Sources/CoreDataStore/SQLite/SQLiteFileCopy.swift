import KeyedArchive
import SystemCalls
import SystemPackage

/// Copies the files of a store to a private folder piece by piece, with holes in place of zeros.
enum SQLiteFileCopy {
    /// Copies the regular file `source` to `target`, which must not exist. Throws if the file changes during the copy.
    static func copy(_ source: FilePath, to target: FilePath) throws(FileProblem) {
        let file = try OwnedDescriptor.file(source)
        let before = try file.status()
        try ReadLimit.anyFile.check(before.size, source)
        do {
            let copy = try FileDescriptor.open(
                target, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite)
            try copy.closeAfter { try write(file, to: copy) }
        } catch let problem as FileProblem {
            throw problem
        } catch {
            throw FileProblem(
                .writeFailed, path: target, "cannot copy the store to a private folder", found: "\(error)",
                advice: "Set TMPDIR to a folder with enough space")
        }
        guard try file.status() == before else { throw FileProblem.changing(source) }
    }

    /// The size of a piece in bytes.
    private static let pieceSize = 1 << 20

    private static func write(_ file: borrowing OwnedDescriptor, to copy: FileDescriptor) throws {
        var offset = 0
        while true {
            let piece = try file.bytes(in: offset..<offset + pieceSize)
            guard piece.count > 0 else { break }
            try piece.withUnsafeBytes { bytes throws -> Void in
                if !bytes.isAllZero { try copy.writeAll(toAbsoluteOffset: Int64(offset), bytes) }
            }
            offset += piece.count
        }
        try copy.resize(to: Int64(offset))
    }
}
