import KeyedArchive
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Replaces a file of this machine by rename(2): a reader sees either all old bytes or all new ones. Not for files of a
/// remote, which only `Executor` changes.
public enum AtomicFile {
    /// Writes `bytes` to a temporary file beside `path`, forces it to disk and renames it to `path`.
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
            try OwnedDescriptor.file(new).sync()
            try NewFile.rename(new, to: path)
        } catch {
            _ = new.withPlatformString { unlink($0) }
            throw error
        }
        try OwnedDescriptor.folder(path.parent).sync()
    }

    private static let prefix = ".ticds-draft-"

    /// Removes temporary files that killed processes left. A process needs one for moments; these are older than a day.
    private static func removeDrafts(in parent: FilePath) {
        // try?: leftovers may stay
        guard let folder = try? OwnedDescriptor.folder(parent) else { return }
        var old: [FilePath] = []
        // try?: as above
        try? DirectoryReader.forEachEntry(of: folder, where: { $0.starts(with: Array(prefix.utf8)) }) {
            name, found in
            guard RandomName.matches(name.dropFirst(prefix.utf8.count)), case .success(let status) = found,
                status.kind == .file, FileTime.now.seconds(since: status.modified) > 86_400
            else { return }
            old.append(FilePath(nameBytes: name))
        }
        for draft in old { try? folder.remove(draft) }  // try?: as above
    }
}

/// Random file names, which no other process chooses.
package enum RandomName {
    /// 32 hexadecimal digits.
    package static func make() -> String { randomHexadecimalDigits(bytes: 16) }

    /// Whether `name` has the form of such a name.
    package static func matches(_ name: some Collection<UInt8>) -> Bool {
        name.count == 32 && name.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
