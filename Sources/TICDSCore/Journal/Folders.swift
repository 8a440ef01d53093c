import SystemCalls
import SystemPackage

/// Folders of the suite's own.
enum Folders {
    /// Makes a folder and those above it where they are missing, for their owner only.
    static func make(_ path: FilePath) throws(FileProblem) {
        if (try? FileStatus.of(path)) != nil { return }
        let parent = path.removingLastComponent()
        guard let name = path.lastComponent else { return }
        if !parent.isEmpty { try make(parent) }
        let folder = try OpenFile.folder(parent.isEmpty ? "." : parent)
        do throws(FileProblem) {
            try folder.makeFolder(FilePath(nameBytes: name.bytes), mode: 0o700)
        } catch {
            // Another process may have made it meanwhile.
            guard (try? FileStatus.of(path))?.kind == .folder else { throw error }
        }
    }

    /// Removes the entry `name` of a folder with everything below it. Links are removed, not followed.
    static func remove(_ name: FilePath, in folder: borrowing OpenFile) throws(FileProblem) {
        guard try folder.exists(name) else { return }
        guard try folder.status(of: name).kind == .folder else { return try folder.remove(name) }
        do {
            let inner = try folder.folder(name)
            for entry in try entries(of: inner) { try remove(entry, in: inner) }
        }
        try folder.removeFolder(name)
    }

    /// Removes a folder.
    /// - Throws: also where anything is in it.
    static func removeEmpty(_ path: FilePath) throws(FileProblem) {
        guard let name = path.lastComponent else { return }
        try OpenFile.folder(path.removingLastComponent()).removeFolder(FilePath(nameBytes: name.bytes))
    }

    /// The names in a folder, in the order in which the file system gives them.
    static func entries(of folder: borrowing OpenFile) throws(FileProblem) -> [FilePath] {
        var names: [FilePath] = []
        try DirectoryReader.forEachEntry(of: folder) { name, _ in names.append(FilePath(nameBytes: name)) }
        return names
    }
}
