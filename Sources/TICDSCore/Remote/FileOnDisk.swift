import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A file of a storage at a path of this machine, which is valid as long as this value lives.
public struct FileOnDisk: Sendable {
    /// The file, or a private copy of it.
    public let path: FilePath
    /// Holds the copy; nil for the file itself.
    let folder: TemporaryFolder?
}

extension RemoteStorage {
    /// A private copy.
    public func onDisk(_ file: RemotePath) throws(FileProblem) -> FileOnDisk {
        let folder = try TemporaryFolder()
        let target = folder.path.appending("Store")
        try copyStore(file, to: target)
        return FileOnDisk(path: target, folder: folder)
    }

    /// Copies a file, and what SQLite keeps beside it under its name.
    func copyStore(_ file: RemotePath, to target: FilePath) throws(FileProblem) {
        try copy(file, to: target)
        for suffix in ["-wal", "-journal"] {
            guard let name = file.last?.appending(suffix: suffix) else { continue }
            let place = file.parent.appending(name)
            guard try statusIfPresent(of: place)?.kind == .file else { continue }
            try copy(place, to: FilePath(pathBytes: target.bytes + Array(suffix.utf8)))
        }
    }

    /// Copies the bytes of a file.
    func copy(_ file: RemotePath, to target: FilePath) throws(FileProblem) {
        let reader = RangeReader(self, file)
        let size = Int(try reader.status().size)
        let piece = 64 << 10
        try PrivateFile.write(target) { (output) throws(FileProblem) in
            for offset in stride(from: 0, to: size, by: piece) {
                let bytes = try reader.read(offset..<min(offset + piece, size))
                try bytes.withUnsafeBytes { (bytes) throws(FileProblem) in try output.write(bytes) }
            }
        }
    }
}
