import Synchronization
import SystemCalls
import SystemPackage

/// The folder of a remote, opened once: there are many thousands of files below it.
final class TopFolder: Sendable {
    private let path: FilePath
    private let opened = Mutex<OpenedFolder?>(nil)

    init(_ path: FilePath) { self.path = path }

    /// See `OpenFile.file(below:)`. Nil, too, where the folder itself cannot be opened.
    func file(below names: [UInt8]) -> OpenFile? { folder()?.file(below: names) }

    /// The lock is free again before a file below is opened: that may take long on a distant disk.
    private func folder() -> OpenedFolder? {
        opened.withLock { opened in
            if opened == nil, let folder = try? OpenFile.folder(path) { opened = OpenedFolder(folder) }
            return opened
        }
    }
}

/// An open folder that several threads use.
private final class OpenedFolder: Sendable {
    private let folder: OpenFile

    init(_ folder: consuming OpenFile) { self.folder = folder }

    func file(below names: [UInt8]) -> OpenFile? { folder.file(below: names) }
}
