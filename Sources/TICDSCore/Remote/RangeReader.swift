public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A file that is read in ranges, wherever it lies, and that can say whether it has changed meanwhile.
public struct RangeReader: Sendable {
    private let storage: any RemoteStorage
    private let file: RemotePath

    /// Reads `file` through `storage`; nothing is opened yet.
    public init(_ storage: any RemoteStorage, _ file: RemotePath) {
        self.storage = storage
        self.file = file
    }

    /// A file of this machine.
    public init(_ path: FilePath) {
        // Such a file lies in no folder.
        if UnnamedFile.isPath(path) {
            storage = LocalStorage(root: path)
            file = .root
            return
        }
        storage = LocalStorage(root: path.parent)
        file = RemotePath(path.lastComponent.map { [RemoteName($0.bytes)] } ?? [])
    }

    /// The file, for errors.
    public var path: FilePath { file.filePath(under: storage.root) }

    /// Size, time and identity of the file now.
    public func status() throws(FileProblem) -> FileStatus { try storage.status(of: file) }

    /// The file, open to be read in several pieces.
    public func open() throws(FileProblem) -> any ReadableFile { try storage.open(file) }

    /// The bytes of a range; where the file ends before it, somebody has made it shorter meanwhile.
    public func read(_ range: Range<Int>) throws(FileProblem) -> SharedBytes {
        let bytes = try storage.read(file, range: range)
        guard bytes.count == range.count else { throw changed() }
        return bytes
    }

    /// The error for a file that somebody wrote while it was read.
    public func changed() -> FileProblem { Self.changed(path) }

    package static func changed(_ path: FilePath) -> FileProblem {
        FileProblem(
            .changedWhileReading, path: path, "the file changed while it was read",
            advice: "A client or a cloud service is writing it; try again")
    }
}
