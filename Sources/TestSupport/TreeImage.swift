import Base
package import SystemCalls
package import SystemPackage

/// The state of a folder and everything below it: names, types, sizes, modification times and contents. Two equal
/// images show that nothing was changed between them.
package struct TreeImage: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package var status: FileStatus
        package var content: [UInt8]
    }

    /// The entries, by the bytes of the path relative to the folder; the folder itself has the empty path.
    package private(set) var entries: [[UInt8]: Entry] = [:]

    package init(of folder: FilePath) throws {
        entries[[]] = Entry(status: try FileStatus.of(folder), content: [])
        try add(folder, at: [])
    }

    /// The image without inode and device numbers, so that it equals that of a copy.
    package var withoutIdentity: TreeImage {
        var image = self
        image.entries = entries.mapValues { entry in
            var entry = entry
            entry.status.inode = 0
            entry.status.device = 0
            // The size of a folder depends on the file system.
            if entry.status.kind == .folder { entry.status.size = 0 }
            return entry
        }
        return image
    }

    /// Excludes the modification time of one entry from comparisons.
    package mutating func forgetTime(of path: String) {
        entries[Array(path.utf8)]?.status.modified = FileTime(seconds: 0)
    }

    /// The paths at which the two images differ.
    package func differences(from other: TreeImage) -> [String] {
        Set(entries.keys).union(other.entries.keys).filter { entries[$0] != other.entries[$0] }
            .map { escapedName($0) }.sorted()
    }

    private mutating func add(_ folder: FilePath, at path: [UInt8]) throws {
        var found: [(name: [UInt8], status: FileStatus)] = []
        let open = try OwnedDescriptor.folder(folder)
        try DirectoryReader.forEachEntry(of: open) { name, status in
            if case .success(let status) = status { found.append((Array(name), status)) }
        }
        for (name, status) in found {
            let file = folder.pushing(FilePath(nameBytes: name))
            let inside = path.isEmpty ? name : path + [UInt8(ascii: "/")] + name
            let content = status.kind == .file ? try FileBytes.read(file).array : []
            entries[inside] = Entry(status: status, content: content)
            if status.kind == .folder { try add(file, at: inside) }
        }
    }
}
