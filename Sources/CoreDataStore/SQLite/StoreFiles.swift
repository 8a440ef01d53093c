import SystemCalls
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file of a store and those that SQLite puts beside it.
enum StoreFiles {
    private static let suffixes = ["-wal", "-shm", "-journal"]

    /// A name beside the store for the time of a switch. Whoever has the store's lock may remove what is there: only a
    /// process that was killed left it.
    static func hidden(_ store: FilePath) -> FilePath {
        let name = store.lastComponent.map(\.bytes) ?? []
        let hidden = Array(".".utf8) + name + Array(".ticds.old".utf8)
        return store.parent.pushing(FilePath(pathBytes: hidden))
    }

    /// Throws where a log or journal with something in it lies beside the store: what it holds would be lost, or come
    /// over another store.
    static func checkAlone(_ store: FilePath) throws(FileProblem) {
        for suffix in ["-wal", "-journal"] {
            guard let log = try SQLiteStoreFile.beside(store, suffix) else { continue }
            throw FileProblem(
                .refused, path: log,
                "pending writes belong to no store, or cannot be saved",
                advice: "Open the store once with the program that wrote it, or move this file away")
        }
    }

    /// Removes what SQLite put beside a store whose main file holds everything.
    static func removeLogs(of store: FilePath) throws(FileProblem) {
        for suffix in suffixes {
            let path = FilePath(pathBytes: store.bytes + Array(suffix.utf8))
            guard path.withPlatformString({ unlink($0) }) != 0, errno != ENOENT else { continue }
            throw failure("unlink", path)
        }
    }

    /// A second name for a file. There must be nothing of that name.
    static func link(_ file: FilePath, as name: FilePath) throws(FileProblem) {
        let result = file.withPlatformString { from in
            name.withPlatformString { to in linkat(AT_FDCWD, from, AT_FDCWD, to, 0) }
        }
        guard result == 0 else { throw failure("linkat", name) }
    }

    static func remove(_ path: FilePath) { _ = path.withPlatformString { unlink($0) } }

    /// Forces a file, or the names in a folder, to disk.
    static func synchronise(_ path: FilePath) throws(FileProblem) {
        let descriptor = path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("fsync", path) }
    }

    private static func failure(_ call: String, _ path: FilePath) -> FileProblem {
        let number = Errno(rawValue: errno)
        return FileProblem(
            .writeFailed, path: path, "the store cannot be replaced", found: "\(call): \(number)")
    }
}
