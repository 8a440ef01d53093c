public import Base
import Synchronization
public import SystemCalls
public import SystemPackage

/// A remote in a local folder. Each folder on the way is opened by itself, so that a symbolic link inside the remote
/// never leads out of it.
public struct LocalStorage: RemoteStorage {
    /// The folder of the remote.
    public let root: FilePath
    /// The number of threads that may read at once.
    public let workers: Int

    private let top: TopFolder

    /// The remote in the folder `root`. Opens nothing yet.
    /// - Parameter workers: the number of threads that may read at once, at least 1.
    public init(root: FilePath, workers: Int = Cores.count) {
        self.root = root
        self.workers = workers
        top = TopFolder(root)
    }

    /// All entries of a folder, each with its status.
    public func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents {
        try list(folder) { _ in true }
    }

    /// The entries whose names are wanted; only these cost an fstatat(2).
    public func list(
        _ folder: RemotePath, where isWanted: (UnsafeRawBufferPointer) -> Bool
    ) throws(FileProblem) -> FolderContents {
        let open = try open(folder: folder)
        var contents = FolderContents()
        var isComplete = true
        try DirectoryReader.forEachEntry(of: open, where: isWanted) { name, status in
            switch status {
            case .success(let status):
                var holdsOnlyZeros = false
                do throws(FileProblem) {
                    holdsOnlyZeros = try CloudPlaceholder.holdsOnlyZeros(name, status, in: open)
                } catch {
                    contents.problems.append(error)
                }
                isComplete =
                    contents.listing.append(name: name, status, holdsOnlyZeros: holdsOnlyZeros) && isComplete
            case .failure(let errno):
                let path = open.path.pushing(FilePath(nameBytes: name))
                contents.problems.append(FileProblem(errno, path: path))
            }
        }
        if !isComplete {
            contents.problems.append(
                FileProblem(
                    .limit, path: open.path, "contains more names than fit into memory",
                    expected: "at most 4 GiB"))
        }
        contents.listing.sort()
        return contents
    }

    /// Counts the sets in the order of the file system.
    public func countSets(in folder: RemotePath) -> CountedSets? {
        // try?: the caller lists the folder, and finds the reason
        guard let open = try? open(folder: folder) else { return nil }
        var counted = CountedSets()
        var isOrdinary = true
        let outcome = Result { () throws(FileProblem) in
            try DirectoryReader.forEachEntry(
                of: open,
                where: { name in
                    isOrdinary = isOrdinary && CountedSets.isOrdinary(name)
                    return isOrdinary
                },
                { name, status in
                    guard case .success(let status) = status else { return isOrdinary = false }
                    isOrdinary = counted.add(name, status)
                })
        }
        guard isOrdinary, case .success = outcome else { return nil }
        return counted
    }

    /// Kind, size and times of an entry; for a symbolic link, those of the link itself.
    public func status(of path: RemotePath) throws(FileProblem) -> FileStatus {
        guard let name = path.last else {
            return UnnamedFile.isPath(root)
                ? try FileStatus.of(root) : try OwnedDescriptor.folder(root).status()
        }
        return try open(folder: path.parent).status(of: FilePath(nameBytes: name.bytes))
    }

    /// Reads a whole file into private memory.
    public func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes {
        try open(file: file).bytes(limit: limit)
    }

    /// Reads a part of a file into private memory.
    public func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes {
        try open(file: file).bytes(in: range)
    }

    /// Reads a whole file into private memory that may be changed.
    public func readPrivately(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> PrivateBytes {
        try open(file: file).privateBytes(limit: limit)
    }

    /// Opens a file. Reads go to this file, even if a different file takes its name.
    public func open(_ file: RemotePath) throws(FileProblem) -> any ReadableFile {
        LocalFile(try open(file: file))
    }

    /// The file itself.
    public func onDisk(_ file: RemotePath) throws(FileProblem) -> FileOnDisk {
        FileOnDisk(file.filePath(under: root))
    }

    /// Opens a folder, so that opening its files does not begin at the root each time.
    public func openFolder(_ folder: RemotePath) -> (any ReadableFolder)? { top.folder(below: folder.bytes) }

    private func open(file: RemotePath) throws(FileProblem) -> OwnedDescriptor {
        guard let name = file.last else { return try OwnedDescriptor.file(root) }
        if let open = top.file(below: file.bytes) { return open }
        return try open(folder: file.parent).file(FilePath(nameBytes: name.bytes))
    }

    private func open(folder: RemotePath) throws(FileProblem) -> OwnedDescriptor {
        try folder.open(below: OwnedDescriptor.folder(root))
    }
}

extension RemotePath {
    /// Opens the folder of this path so that no link on the way leads elsewhere.
    /// - Parameter top: the folder in which the path begins.
    package func open(below top: consuming OwnedDescriptor) throws(FileProblem) -> OwnedDescriptor {
        // Name by name it finds the reason of a failure.
        if !names.isEmpty, let found = top.folder(below: bytes) { return found }
        var open = top
        for name in names {
            let next = try open.folder(FilePath(nameBytes: name.bytes))
            open = next
        }
        return open
    }
}

/// The folder of a remote, which is opened only once for the many thousands of files below it.
final class TopFolder: Sendable {
    private let path: FilePath
    private let opened = Mutex<LocalFolder?>(nil)

    init(_ path: FilePath) { self.path = path }

    /// See `OwnedDescriptor.file(below:)`. Nil also if the folder itself cannot be opened.
    func file(below names: [UInt8]) -> OwnedDescriptor? { folder()?.file(below: names) }

    /// See `OwnedDescriptor.folder(below:)`.
    func folder(below names: [UInt8]) -> LocalFolder? {
        names.isEmpty ? folder() : folder()?.folder(below: names)
    }

    /// Releases the lock before a file below is opened, which may take long on a network disk.
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

    func status(of name: RemoteName) -> FileStatus? { folder.statusIfAny(ofName: name.bytes) }

    func mark(of name: RemoteName) -> (status: FileStatus, mark: ChangeMark)? {
        folder.mark(ofName: name.bytes)
    }

    func beginsWithContent(_ name: RemoteName) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: ZeroBytes.firstPiece, alignment: 8) { piece in
            guard let count = folder.head(below: name.bytes, into: piece), count > 1 else { return false }
            return !UnsafeRawBufferPointer(rebasing: piece[..<count]).holdsOnlyZeros
        }
    }
}
