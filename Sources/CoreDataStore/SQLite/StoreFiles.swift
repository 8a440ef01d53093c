import SystemCalls
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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

    /// Throws if a log or journal that is not empty exists beside the store. Its content would be lost, or applied to
    /// another store.
    static func checkAlone(_ store: FilePath) throws(FileProblem) {
        for suffix in ["-wal", "-journal"] {
            guard let log = try SQLiteStoreFile.beside(store, suffix) else { continue }
            throw FileProblem(
                .refused, path: log,
                "pending writes belong to no store, or cannot be saved",
                advice: "Open the store once with the program that wrote it, or move this file away")
        }
    }

    /// Removes the log, journal and shared memory of a store whose main file is complete.
    static func removeLogs(of store: FilePath) throws(FileProblem) {
        for suffix in suffixes {
            let path = FilePath(pathBytes: store.bytes + Array(suffix.utf8))
            guard path.withPlatformString({ unlink($0) }) != 0, errno != ENOENT else { continue }
            throw failure("unlink", path)
        }
    }

    /// Makes a hard link with the unused name `name`.
    static func link(_ file: FilePath, as name: FilePath) throws(FileProblem) {
        let result = file.withPlatformString { from in
            name.withPlatformString { to in linkat(AT_FDCWD, from, AT_FDCWD, to, 0) }
        }
        guard result == 0 else { throw failure("linkat", name) }
    }

    static func remove(_ path: FilePath) { _ = path.withPlatformString { unlink($0) } }

    private static func failure(_ call: String, _ path: FilePath) -> FileProblem {
        let number = Errno(rawValue: errno)
        return FileProblem(
            .writeFailed, path: path, "the store cannot be replaced", found: "\(call): \(number)")
    }
}
