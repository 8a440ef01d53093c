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
        guard path.lastComponent != nil else {
            throw FileProblem(.writeFailed, path: path, "not the name of a file")
        }
        if let status = try FileStatus.ifPresent(path), status.kind != .file {
            throw .notRegular(status.kind, path: path)
        }
        removeDrafts(in: path.parent)
        let new = path.parent.appending(prefix + RandomName.make())
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

    private static let prefix = ".ticds-draft-"

    /// Removes what killed processes left: a draft is one for moments, and these are older than a day.
    private static func removeDrafts(in parent: FilePath) {
        // try?: they stay
        guard let folder = try? OwnedDescriptor.folder(parent) else { return }
        var old: [FilePath] = []
        // try?: as above
        try? DirectoryReader.forEachEntry(of: folder, where: { $0.starts(with: Array(prefix.utf8)) }) {
            name, found in
            guard RandomName.isOne(name.dropFirst(prefix.utf8.count)), case .success(let status) = found,
                status.kind == .file, FileTime.now.seconds(since: status.modified) > 86_400
            else { return }
            old.append(FilePath(nameBytes: name))
        }
        for draft in old { try? folder.remove(draft) }  // try?: as above
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
