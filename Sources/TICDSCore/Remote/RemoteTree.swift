import Base
public import SystemCalls
public import SystemPackage

/// All folders of a remote as of one listing: names, kinds, sizes and times, never contents.
public struct RemoteTree: Sendable {
    /// The folder of the remote.
    public let root: FilePath
    /// Every folder that could be listed, the root included.
    public let folders: [RemotePath: FolderListing]
    /// What could not be listed, and why.
    public let problems: [FileProblem]

    /// A tree of folders that were listed, each by its path.
    public init(root: FilePath, folders: [RemotePath: FolderListing], problems: [FileProblem]) {
        self.root = root
        self.folders = folders
        self.problems = problems
    }

    /// The entry at `path`; nil if there is none, and for the root. It is not whole where its folder could not be listed.
    public subscript(path: RemotePath) -> Seen<FolderEntry?> {
        if let entry = path.last.flatMap({ folders[path.parent]?[$0] }) { return .all(entry) }
        return Seen(nil, gap(at: path))
    }

    /// Why nobody knows whether there is an entry at `path`, or what is directly in it; nil where that was listed.
    func gap(at path: RemotePath) -> FileProblem? {
        if problems.isEmpty { return nil }
        let place = path.filePath(under: root)
        return problems.first { $0.isUnread && (place.starts(with: $0.path) || $0.path.parent == place) }
    }

    /// Why a folder may have entries that were not listed; nil where all their names are known. What is in its subfolders
    /// does not matter.
    public func gap(inNamesOf folder: RemotePath) -> FileProblem? {
        if problems.isEmpty { return nil }
        let place = folder.filePath(under: root)
        return problems.first { problem in
            guard problem.isUnread else { return false }
            return place.starts(with: problem.path)
                || (problem.path.parent == place && self[self.place(of: problem)].part == nil)
        }
    }

    /// Why there may be more in a folder, with everything below it, than was listed.
    public func gap(below folder: RemotePath) -> FileProblem? {
        let place = folder.filePath(under: root)
        return problems.first { $0.isUnread && (place.starts(with: $0.path) || $0.path.starts(with: place)) }
    }

    /// Where in the remote a problem of the listing is.
    public func place(of problem: FileProblem) -> RemotePath {
        RemotePath(
            problem.path.components.dropFirst(root.components.count).map { RemoteName($0.bytes) })
    }

    /// The entries of a folder; none where it is missing.
    public func listing(_ folder: RemotePath) -> Seen<FolderListing> {
        Seen(folders[folder] ?? FolderListing(), gap(at: folder))
    }

    /// Calls `body` for every plain file that was seen below `folder`, in the order of names.
    public func forEachFile(below folder: RemotePath, _ body: (RemoteFile) -> Void) {
        for entry in listing(folder).part {
            let path = folder.appending(entry.name)
            switch entry.kind {
            case .file: body(RemoteFile(path: path, entry))
            case .folder: forEachFile(below: path, body)
            case .symbolicLink, .special: break
            }
        }
    }
}

/// A plain file of a remote.
public struct RemoteFile: Hashable, Sendable {
    /// Its path in the remote.
    public var path: RemotePath
    /// Bytes.
    public var size: Int64
    /// Modification time.
    public var modified: FileTime

    /// Whether storages fetch it as a whole, and in one piece, even where only its head is wanted: up to 64 KiB.
    public var isSmall: Bool { size <= 64 << 10 }

    /// A file of that size and time.
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

/// How many files, and their bytes together.
public struct FileTotals: Hashable, Sendable {
    /// Number of files.
    public var count = 0
    /// The sum of their sizes in bytes. The sum of sparse files may be too large: it is then the largest number.
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

    /// Counts the files of `other`, too.
    public mutating func add(_ other: FileTotals) {
        count +|= other.count
        bytes +|= other.bytes
    }
}
