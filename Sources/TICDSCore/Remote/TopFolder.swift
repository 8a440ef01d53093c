import Synchronization
import SystemCalls
import SystemPackage

/// The folder of a remote, opened once: there are many thousands of files below it.
final class TopFolder: Sendable {
    private let path: FilePath
    private let opened = Mutex<LocalFolder?>(nil)

    init(_ path: FilePath) { self.path = path }

    /// See `OwnedDescriptor.file(below:)`. Nil, too, where the folder itself cannot be opened.
    func file(below names: [UInt8]) -> OwnedDescriptor? { folder()?.file(below: names) }

    /// See `OwnedDescriptor.folder(below:)`.
    func folder(below names: [UInt8]) -> LocalFolder? {
        names.isEmpty ? folder() : folder()?.folder(below: names)
    }

    /// The lock is free again before a file below is opened: that may take long on a distant disk.
    private func folder() -> LocalFolder? {
        opened.withLock { opened in
            // try?: the caller goes step by step, and finds the reason
            if opened == nil, let folder = try? OwnedDescriptor.folder(path) { opened = LocalFolder(folder) }
            return opened
        }
    }
}

/// An open folder that several threads use.
final class LocalFolder: ReadableFolder {
    private let folder: OwnedDescriptor

    init(_ folder: consuming OwnedDescriptor) { self.folder = folder }

    func file(below names: [UInt8]) -> OwnedDescriptor? { folder.file(below: names) }

    func folder(below names: [UInt8]) -> LocalFolder? {
        guard let found = folder.folder(below: names) else { return nil }
        return LocalFolder(found)
    }

    func open(_ name: RemoteName) -> (any ReadableFile)? {
        guard let found = folder.file(below: name.bytes) else { return nil }
        return LocalFile(found)
    }
}
