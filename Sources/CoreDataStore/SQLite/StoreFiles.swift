import Base
import Glibc
import SystemCalls
import SystemPackage

/// The file of a store and the files that SQLite creates beside it.
enum StoreFiles {
    private static let suffixes = ["-wal", "-shm", "-journal"]

    /// The hidden name of the old store during a replacement. A file with this name was left by a killed process; the
    /// holder of the store's lock may remove it.
    static func hidden(_ store: FilePath) -> FilePath {
        let name = store.lastComponent.map(\.bytes) ?? []
        let hidden = Array(".".utf8) + name + Array(".ticds.old".utf8)
        return store.parent.pushing(FilePath(pathBytes: hidden))
    }

    /// Throws if a log or journal that is not empty exists beside the store. Its content would be lost, or applied to a
    /// different store.
    static func checkAlone(_ store: FilePath) throws(FileProblem) {
        for suffix in ["-wal", "-journal"] {
            guard let log = try SQLiteStoreFile.beside(store, suffix) else { continue }
            throw FileProblem(
                .refused, path: log,
                "these pending writes have no store beside them, or their pages cannot be written into the store",
                advice: "Open the store once with the program that wrote it, or move this file away")
        }
    }

    /// Removes the log, journal and shared memory of a store whose main file is complete.
    static func removeLogs(of store: FilePath) throws(FileProblem) {
        for suffix in suffixes {
            let path = FilePath(pathBytes: store.bytes + Array(suffix.utf8))
            guard path.withPlatformString({ unlink($0) }) != 0, errno != ENOENT else { continue }
            throw failure(path)
        }
    }

    /// Makes a hard link with the unused name `name`.
    static func link(_ file: FilePath, as name: FilePath) throws(FileProblem) {
        let result = file.withPlatformString { from in
            name.withPlatformString { to in linkat(AT_FDCWD, from, AT_FDCWD, to, 0) }
        }
        guard result == 0 else { throw failure(name) }
    }

    static func remove(_ path: FilePath) { _ = path.withPlatformString { unlink($0) } }

    private static func failure(_ path: FilePath) -> FileProblem {
        let number = Errno(rawValue: errno)
        return FileProblem(
            .writeFailed, path: path, "the store cannot be replaced", found: "\(number)")
    }
}

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
            try copy.closeAfter { try write(file, Int(before.size), to: copy) }
        } catch let problem as FileProblem {
            throw problem
        } catch {
            throw .noPrivateCopy(target, "cannot copy the store to a private folder", error)
        }
        guard try file.status() == before else { throw FileProblem.changing(source) }
    }

    /// The size of a piece in bytes.
    private static let pieceSize = 1 << 20

    /// Copies `size` bytes, but not bytes that another program appends at the same time.
    private static func write(
        _ file: borrowing OwnedDescriptor, _ size: Int, to copy: FileDescriptor
    ) throws {
        var offset = 0
        while offset < size {
            let piece = try file.bytes(in: offset..<min(offset + pieceSize, size))
            guard piece.count > 0 else { break }
            try piece.withUnsafeBytes { bytes throws -> Void in
                if !bytes.isAllZero { try copy.writeAll(toAbsoluteOffset: Int64(offset), bytes) }
            }
            offset += piece.count
        }
        try copy.resize(to: Int64(offset))
    }
}
