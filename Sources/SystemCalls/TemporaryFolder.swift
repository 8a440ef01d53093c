public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A private folder (mode 0700) that is removed, with all it holds, when its last owner is gone.
public final class TemporaryFolder: Sendable {
    public let path: FilePath

    /// Makes the folder in `parent`, by default `TMPDIR` or `/tmp`.
    public init(in parent: FilePath? = nil, prefix: String = "ticds") throws(FileProblem) {
        let parent = parent ?? FilePath(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")
        let template = parent.appending("\(prefix)-XXXXXX")
        var name = template.bytes.map { CChar(bitPattern: $0) } + [0]
        guard mkdtemp(&name) != nil else {
            throw FileProblem(
                .writeFailed, path: template, "cannot make a temporary folder",
                found: "\(Errno(rawValue: errno))",
                advice: "Set TMPDIR to a folder that can be written")
        }
        path = FilePath(platformString: name)
    }

    deinit { Self.remove(path) }

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

extension FilePath {
    /// A path of one name, from bytes as a folder listing gives them.
    public init(nameBytes: some Sequence<UInt8>) {
        self.init(platformString: nameBytes.map { CChar(bitPattern: $0) } + [0])
    }
}
