import SystemCalls
import SystemPackage

/// The folders of the remote that an operation changes, opened name by name so that no link leads out of it.
struct RemoteFolders {
    let root: FilePath

    /// The remote as it is now.
    var storage: LocalStorage { LocalStorage(root: root) }

    /// The folder that holds the entry; of the root itself, the one that holds the remote.
    func parent(of path: RemotePath) throws(FileProblem) -> OwnedDescriptor {
        let above = try OwnedDescriptor.folder(root.removingLastComponent())
        guard !path.names.isEmpty else { return above }
        return try path.parent.open(below: above.folder(name(of: .root)))
    }

    /// The name of the entry in that folder.
    func name(of path: RemotePath) -> FilePath {
        FilePath(nameBytes: path.last?.bytes ?? root.lastComponent?.bytes ?? [])
    }

    func exists(_ path: RemotePath) throws(FileProblem) -> Bool {
        try parent(of: path).exists(name(of: path))
    }

    /// Forces the names in the folder around an entry to disk.
    func sync(around path: RemotePath) throws(FileProblem) { try parent(of: path).sync() }
}
