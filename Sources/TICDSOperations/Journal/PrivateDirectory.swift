package import SystemCalls
package import SystemPackage

/// Folders that ticds makes for itself.
package enum PrivateDirectory {
    /// Makes a folder and the missing ones above it, with mode 0700.
    package static func make(_ path: FilePath) throws(FileProblem) {
        if try exists(path) { return }
        guard let name = path.lastComponent else { return }
        if path.parent != "." { try make(path.parent) }
        let folder = try OwnedDescriptor.folder(path.parent)
        do throws(FileProblem) {
            try folder.makeFolder(FilePath(nameBytes: name.bytes), mode: 0o700)
        } catch {
            // Another process may have made it.
            // try?: without that the first error counts
            guard (try? FileStatus.of(path))?.kind == .folder else { throw error }
        }
    }

    /// Whether an entry exists. A symbolic link to nothing exists.
    static func exists(_ path: FilePath) throws(FileProblem) -> Bool {
        try FileStatus.ifPresent(path) != nil
    }

    /// Refuses a folder in which other users could change the content.
    /// - Parameter owners: users who may own it; nil for any.
    static func checkPrivate(_ path: FilePath, owners: Set<UInt32>?) throws(FileProblem) {
        let status = try FileStatus.of(path)
        let problem: String? =
            switch status.kind {
            case .folder where status.mode & 0o022 != 0: "other users can write to this folder of the suite"
            case .folder where owners?.contains(status.owner) == false:
                "this folder of the suite belongs to another user"
            case .folder: nil
            default: "expected a folder of ticds here, found something else"
            }
        guard let problem else { return }
        throw FileProblem(
            .refused, path: path, problem, expected: "a folder that only its owner can write to",
            found: status.kind == .folder
                ? "owner \(status.owner), mode \(String(status.mode, radix: 8))" : "\(status.kind)",
            advice: status.kind == .folder && status.mode & 0o022 != 0
                ? "Find out who made it. If the volume has no modes, mount it with umask=022"
                : "Find out who put it there, and move it away")
    }

    /// Removes the entry `name` of a folder with everything below it. Links are removed, not followed.
    static func remove(_ name: FilePath, in folder: borrowing OwnedDescriptor) throws(FileProblem) {
        guard try folder.exists(name) else { return }
        guard try folder.status(of: name).kind == .folder else { return try folder.remove(name) }
        do {
            let inner = try folder.folder(name)
            for entry in try DirectoryReader.names(in: inner) { try remove(entry, in: inner) }
        }
        try folder.removeFolder(name)
    }

    /// Removes an empty folder, with rmdir(2).
    static func removeEmpty(_ path: FilePath) throws(FileProblem) {
        guard let name = path.lastComponent else { return }
        try OwnedDescriptor.folder(path.removingLastComponent()).removeFolder(FilePath(nameBytes: name.bytes))
    }
}
