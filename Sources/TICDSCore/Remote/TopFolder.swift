import Synchronization
import SystemCalls
import SystemPackage

/// The folder of a remote, opened once: there are many thousands of files below it.
final class TopFolder: Sendable {
    private let path: FilePath
    private let folder = Mutex<OpenFile?>(nil)

    init(_ path: FilePath) { self.path = path }

    /// See `OpenFile.file(below:)`. Nil, too, where the folder itself cannot be opened.
    func file(below names: [UInt8]) -> OpenFile? {
        folder.withLock { folder in
            if folder == nil { folder = try? OpenFile.folder(path) }
            return folder?.file(below: names)
        }
    }
}
