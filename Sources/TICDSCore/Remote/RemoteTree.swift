import Base
public import SystemCalls
public import SystemPackage

/// All folders of a remote as of one listing: names, kinds, sizes and times, never contents.
public struct RemoteTree: Sendable {
    /// The folder of the remote.
    public let root: FilePath
    /// Every folder that could be listed, the root included.
    public let folders: [RemotePath: FolderListing]
    /// The problems of listing.
    public let problems: [FileProblem]

    /// A tree of folders that were listed, each by its path.
    public init(root: FilePath, folders: [RemotePath: FolderListing], problems: [FileProblem]) {
        self.root = root
        self.folders = folders
        self.problems = problems
    }

    /// The entry at `path`; nil if there is none, and for the root. It is not whole if its folder could not be listed.
    public subscript(path: RemotePath) -> Seen<FolderEntry?> {
        if let entry = path.last.flatMap({ folders[path.parent]?[$0] }) { return .all(entry) }
        return Seen(nil, gap(at: path))
    }

    /// The reason why it is unknown whether there is an entry at `path`, or what is directly in it; nil if that was
    /// listed.
    func gap(at path: RemotePath) -> FileProblem? {
        if problems.isEmpty { return nil }
        let place = path.filePath(under: root)
        return problems.first { $0.isUnread && (place.starts(with: $0.path) || $0.path.parent == place) }
    }

    /// The reason why a folder may have entries that were not listed; nil if all their names are known. The content of
    /// its subfolders does not matter.
    public func gap(inNamesOf folder: RemotePath) -> FileProblem? {
        if problems.isEmpty { return nil }
        let place = folder.filePath(under: root)
        return problems.first { problem in
            guard problem.isUnread else { return false }
            return place.starts(with: problem.path)
                || (problem.path.parent == place && self[self.place(of: problem)].part == nil)
        }
    }

    /// The reason why a folder, with everything below it, may contain more than was listed.
    public func gap(below folder: RemotePath) -> FileProblem? {
        let place = folder.filePath(under: root)
        return problems.first { $0.isUnread && (place.starts(with: $0.path) || $0.path.starts(with: place)) }
    }

    /// The path in the remote of a problem of the listing.
    public func place(of problem: FileProblem) -> RemotePath {
        RemotePath(
            problem.path.components.dropFirst(root.components.count).map { RemoteName($0.bytes) })
    }

    /// The entries of a folder; none if it is missing.
    public func listing(_ folder: RemotePath) -> Seen<FolderListing> {
        Seen(folders[folder] ?? FolderListing(), gap(at: folder))
    }

    /// Calls `body` for every listed regular file below `folder`, in the order of names.
    public func forEachFile(below folder: RemotePath, _ body: (RemoteFile) -> Void) {
        forEachFile(below: folder) { file, _ in body(file) }
    }

    /// Calls `body` for every listed regular file below `folder`, with its inode number if the listing has it.
    package func forEachFile(below folder: RemotePath, _ body: (RemoteFile, _ inode: UInt64?) -> Void) {
        let listing = listing(folder).part
        for (position, entry) in listing.enumerated() {
            let path = folder.appending(entry.name)
            switch entry.kind {
            case .file: body(RemoteFile(path: path, entry), listing.inode(at: position))
            case .folder: forEachFile(below: path, body)
            case .symbolicLink, .special: break
            }
        }
    }
}

/// A regular file of a remote.
public struct RemoteFile: Hashable, Sendable {
    /// Its path in the remote.
    public var path: RemotePath
    /// The size in bytes.
    public var size: Int64
    /// Modification time.
    public var modified: FileTime

    /// Whether storages fetch the file as a whole, and in one piece, even if only its head is wanted: up to 64 KiB.
    public var isSmall: Bool { size <= 64 << 10 }

    /// A file of this size and time.
    public init(path: RemotePath, size: Int64, modified: FileTime) {
        self.path = path
        self.size = size
        self.modified = modified
    }

    /// The file of an entry of a listing.
    public init(path: RemotePath, _ entry: FolderEntry) {
        self.init(path: path, size: entry.size, modified: entry.modified)
    }
}

/// The number of files, and their total size.
public struct FileTotals: Hashable, Sendable {
    /// Number of files.
    public var count = 0
    /// The sum of their sizes in bytes. A sum that is too large, as of sparse files, is the largest number.
    public var bytes: Int64 = 0

    /// Totals of this number and size.
    public init(count: Int = 0, bytes: Int64 = 0) {
        self.count = count
        self.bytes = bytes
    }

    /// Counts a file of `size` bytes.
    public mutating func add(_ size: Int64) {
        count +|= 1
        bytes +|= size
    }

    /// Adds the files of `other`.
    public mutating func add(_ other: FileTotals) {
        count +|= other.count
        bytes +|= other.bytes
    }
}
