import KeyedArchive
import Synchronization
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A private folder (mode 0700) that is removed, with all it holds, when its last owner is gone, and when a signal that
/// can be caught ends the process before. What a process left that was killed goes when the next one makes such a folder
/// in the same place: the folder is locked as long as its process lives.
public final class TemporaryFolder: Sendable {
    /// The folder.
    public let path: FilePath
    /// Nil where the file system has no locks.
    private let lock: AdvisoryLock?

    /// The folders that are there. What ends the process keeps the lock, so that no other is made meanwhile.
    private static let present = Mutex<Set<FilePath>>([])

    /// Makes the folder in `parent`, by default `TMPDIR` or `/tmp`.
    public init(in parent: FilePath? = nil, prefix: String = "ticds") throws(FileProblem) {
        TerminationSignals.listen()
        let parent = parent ?? Self.standardParent
        Self.removeDead(in: parent, prefix: prefix)
        while true {
            let path = parent.appending("\(prefix).\(randomHexadecimalDigits(bytes: Self.digits / 2))")
            let number = Self.present.withLock { present -> Errno? in
                guard path.withPlatformString({ mkdir($0, 0o700) }) == 0 else {
                    return Errno(rawValue: errno)
                }
                present.insert(path)
                return nil
            }
            if let number {
                throw FileProblem(
                    .writeFailed, path: path, "cannot make a temporary folder", found: "\(number)",
                    advice: "Set TMPDIR to a folder that can be written")
            }
            switch try? AdvisoryLock.take(path) {  // try?: another folder is tried
            case .held(let lock)? where lock.isIn(place: path):
                self.path = path
                self.lock = lock
                return
            case .unsupported?:
                self.path = path
                lock = nil
                return
            // Another process has taken it for one that was left behind, before it was locked.
            default: Self.present.withLock { _ = $0.remove(path) }
            }
        }
    }

    deinit {
        Self.remove(path)
        Self.present.withLock { _ = $0.remove(path) }
    }

    /// `TMPDIR`, else `/tmp`.
    static var standardParent: FilePath { getenv("TMPDIR").map { FilePath(platformString: $0) } ?? "/tmp" }

    /// Removes all folders and ends the process.
    public static func removeAllAtEnd(_ end: () -> Never) -> Never {
        present.withLock { present in
            // Other threads are still at work, and may put files into a folder while it is being removed.
            for path in present {
                for _ in 0..<100 where path.withPlatformString({ access($0, F_OK) }) == 0 { remove(path) }
            }
            end()
        }
    }

    private static let digits = 16

    /// Whether a name is that of such a folder: of one with this prefix, or of any that programs of the suite make.
    private static func isName(_ name: UnsafeRawBufferPointer, prefix: String) -> Bool {
        let start = name.dropLast(digits + 1)
        guard name.count > digits + 1, name[start.count] == UInt8(ascii: "."),
            name.suffix(digits).allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return false }
        return start.elementsEqual(prefix.utf8)
            || ["ticds", ".ticds"].contains { start.starts(with: $0.utf8) }
    }

    /// Removes folders of ours whose processes are no more.
    private static func removeDead(in parent: FilePath, prefix: String) {
        guard let open = try? OwnedDescriptor.folder(parent) else { return }  // try?: they stay
        var found: [FilePath] = []
        // try?: they stay
        try? DirectoryReader.forEachEntry(of: open, where: { isName($0, prefix: prefix) }) { name, status in
            guard case .success(let status) = status, status.kind == .folder, status.owner == geteuid() else {
                return
            }
            found.append(parent.pushing(FilePath(nameBytes: name)))
        }
        for path in found {
            // try?: it stays
            guard case .held(let lock)? = try? AdvisoryLock.take(path), lock.isIn(place: path) else {
                continue
            }
            remove(path)
        }
    }

    /// Removes what processes left in `parent` that were ended without notice. Only for a `prefix` of one's own, and
    /// while
    /// a lock keeps others from making such folders.
    public static func removeLeft(in parent: borrowing OwnedDescriptor, prefix: String) throws(FileProblem) {
        var names: [[UInt8]] = []
        let start = Array("\(prefix)-".utf8)
        try DirectoryReader.forEachEntry(of: parent) { name, status in
            // Earlier versions called them otherwise.
            let isFormer = name.count == start.count + 6 && name.starts(with: start)
            guard isFormer || isName(name, prefix: prefix), case .success(let status) = status,
                status.kind == .folder
            else { return }
            names.append(Array(name))
        }
        for name in names { remove(parent.path.pushing(FilePath(nameBytes: name))) }
    }

    /// Removes a tree without following links; what cannot be removed stays.
    private static func remove(_ folder: FilePath) {
        var folders: [FilePath] = []
        if let open = try? OwnedDescriptor.folder(folder) {  // try?: what cannot be removed stays
            try? DirectoryReader.forEachEntry(of: open) { name, status in  // try?: the same
                let path = folder.pushing(FilePath(nameBytes: name))
                if case .success(let status) = status, status.kind == .folder {
                    folders.append(path)
                } else {
                    _ = path.withPlatformString { unlink($0) }
                }
            }
        }
        folders.forEach(remove)
        _ = folder.withPlatformString { rmdir($0) }
    }
}
