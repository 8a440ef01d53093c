public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files of ours that are written anew: whoever reads one meanwhile sees the old bytes or the new ones, whole. Never
/// for files of a remote.
public enum AtomicFile {
    /// Writes `bytes` beside `path`, forces them to disk and gives them that name.
    public static func write(_ bytes: [UInt8], to path: FilePath) throws(FileProblem) {
        guard let name = path.lastComponent else {
            throw FileProblem(.writeFailed, path: path, "not the name of a file")
        }
        if let status = try FileStatus.ifPresent(path), status.kind != .file {
            throw .notRegular(status.kind, path: path)
        }
        let new = path.parent.pushing(FilePath(".\(name.string).\(getpid()).new"))
        // Left by a process of this number that was killed: in a container, every process may have the same.
        _ = new.withPlatformString { unlink($0) }
        do throws(FileProblem) {
            try NewFile.write(bytes, to: new)
            try sync(new)
            try NewFile.rename(new, to: path)
        } catch {
            _ = new.withPlatformString { unlink($0) }
            throw error
        }
        try sync(path.parent)
    }

    private static func sync(_ path: FilePath) throws(FileProblem) {
        let descriptor = path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileProblem(Errno(rawValue: errno), call: "open", path: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw FileProblem(
                .writeFailed, path: path, "cannot be forced to disk",
                found: "fsync: \(Errno(rawValue: errno))")
        }
    }
}
