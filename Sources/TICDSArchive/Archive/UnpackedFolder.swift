import SystemCalls
import SystemPackage
import TICDSCore

/// The folder of the last file stays open for the next.
final class OpenFolderCache {
    private let root: FilePath
    private var last: (path: RemotePath, folder: UnpackedFolder)?

    init(_ root: FilePath) { self.root = root }

    /// The last folder, where `path` is one of its entries.
    func lastFolder(holding path: RemotePath) -> UnpackedFolder? {
        guard let last, last.path.names.elementsEqual(path.names.dropLast()) else { return nil }
        return last.folder
    }

    func folder(_ path: RemotePath) throws(FileProblem) -> UnpackedFolder {
        if let last, last.path == path { return last.folder }
        let folder = UnpackedFolder(try path.open(below: OwnedDescriptor.folder(root)))
        last = (path, folder)
        return folder
    }
}

/// An open folder into which files are unpacked.
final class UnpackedFolder: @unchecked Sendable {
    let open: OwnedDescriptor
    /// Whether new files have to be given owner and mode; nil as long as no file has shown it. Only touched by the thread
    /// that writes.
    var needsAdoption: Bool?

    init(_ open: consuming OwnedDescriptor) { self.open = open }
}
