package import Base
package import SystemCalls
package import SystemPackage
package import TICDSCore

/// A remote in memory, for tests that do not depend on the disk. Plans can be made on it; ``MemoryRemote`` carries them
/// out.
package struct MemoryStorage: RemoteStorage {
    package struct Entry: Sendable {
        package var kind: FileKind
        /// The bytes; none except for a file.
        package var bytes: SharedBytes
        package var modified: FileTime

        package init(_ bytes: [UInt8], modified: FileTime) {
            self.init(kind: .file, bytes: SharedBytes(bytes), modified: modified)
        }

        package init(kind: FileKind, bytes: SharedBytes = SharedBytes([]), modified: FileTime) {
            self.kind = kind
            self.bytes = bytes
            self.modified = modified
        }
    }

    /// The root, which need not exist locally.
    package let root: FilePath
    /// All files and folders except the root.
    package var entries: [RemotePath: Entry]

    package init(root: FilePath, _ entries: [RemotePath: Entry] = [:]) {
        self.root = root
        self.entries = entries
    }

    /// Reads a whole remote.
    /// - Parameter root: the path that the copy reports; by default that of the original.
    package init(copying storage: some RemoteStorage, root: FilePath? = nil) throws(FileProblem) {
        self.init(root: root ?? storage.root)
        for (folder, listing) in try RemoteScanner.scan(storage).folders {
            for entry in listing {
                let path = folder.appending(entry.name)
                let bytes = entry.kind == .file ? try storage.read(path) : SharedBytes([])
                entries[path] = Entry(kind: entry.kind, bytes: bytes, modified: entry.modified)
            }
        }
    }

    package func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents {
        guard try entry(folder).kind == .folder else { throw problem(.notDirectory, folder) }
        let inside = entries.compactMap { path, entry -> FolderEntry? in
            guard let name = path.last, path.parent == folder else { return nil }
            return FolderEntry(
                name: name, kind: entry.kind, size: Int64(entry.bytes.count), modified: entry.modified)
        }
        return FolderContents(listing: FolderListing(inside))
    }

    package func status(of path: RemotePath) throws(FileProblem) -> FileStatus {
        let entry = try entry(path)
        return FileStatus(kind: entry.kind, size: Int64(entry.bytes.count), modified: entry.modified)
    }

    package func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes {
        let bytes = try bytes(of: file)
        try limit.check(Int64(bytes.count), file.filePath(under: root))
        return bytes
    }

    package func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes {
        SharedBytes(try bytes(of: file).array(range))
    }

    private func bytes(of file: RemotePath) throws(FileProblem) -> SharedBytes {
        let entry = try entry(file)
        guard entry.kind == .file else { throw problem(.isDirectory, file) }
        return entry.bytes
    }

    private func entry(_ path: RemotePath) throws(FileProblem) -> Entry {
        if path == .root { return Entry(kind: .folder, modified: FileTime(seconds: 0)) }
        guard let entry = entries[path] else { throw problem(.noSuchFileOrDirectory, path) }
        return entry
    }

    private func problem(_ number: Errno, _ path: RemotePath) -> FileProblem {
        FileProblem(number, path: path.filePath(under: root))
    }
}
