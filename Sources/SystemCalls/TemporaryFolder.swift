import Synchronization
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A private folder (mode 0700) that is removed, with all it holds, when its last owner is gone, and when SIGINT,
/// SIGTERM, SIGHUP or SIGPIPE ends the process before.
public final class TemporaryFolder: Sendable {
    /// The folder.
    public let path: FilePath

    /// The folders that are there. What ends the process keeps the lock, so that no other is made meanwhile.
    private static let present = Mutex<Set<FilePath>>([])

    /// Makes the folder in `parent`, by default `TMPDIR` or `/tmp`.
    public init(in parent: FilePath? = nil, prefix: String = "ticds") throws(FileProblem) {
        EndingSignals.listen()
        let parent = parent ?? getenv("TMPDIR").map { FilePath(platformString: $0) } ?? "/tmp"
        let template = parent.appending("\(prefix)-XXXXXX")
        let made = Self.present.withLock { present -> Result<FilePath, Errno> in
            var name = template.bytes.map { CChar(bitPattern: $0) } + [0]
            guard mkdtemp(&name) != nil else { return .failure(Errno(rawValue: errno)) }
            let path = FilePath(platformString: name)
            present.insert(path)
            return .success(path)
        }
        switch made {
        case .success(let path): self.path = path
        case .failure(let number):
            throw FileProblem(
                .writeFailed, path: template, "cannot make a temporary folder", found: "\(number)",
                advice: "Set TMPDIR to a folder that can be written")
        }
    }

    deinit {
        Self.remove(path)
        Self.present.withLock { _ = $0.remove(path) }
    }

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

    /// Removes what processes left in `parent` that were ended without notice. Only for a `prefix` of one's own, and while
    /// a lock keeps others from making such folders.
    public static func removeLeft(in parent: borrowing OpenFile, prefix: String) throws(FileProblem) {
        var names: [[UInt8]] = []
        let start = Array("\(prefix)-".utf8)
        try DirectoryReader.forEachEntry(of: parent) { name, status in
            guard name.count == start.count + 6, name.starts(with: start), case .success(let status) = status,
                status.kind == .folder
            else { return }
            names.append(Array(name))
        }
        for name in names { remove(parent.path.pushing(FilePath(nameBytes: name))) }
    }

    /// Removes a tree without following links; what cannot be removed stays.
    private static func remove(_ folder: FilePath) {
        var folders: [FilePath] = []
        if let open = try? OpenFile.folder(folder) {
            try? DirectoryReader.forEachEntry(of: open) { name, status in
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
