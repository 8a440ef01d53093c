public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// The way to the files of one remote. Everything above works through this, so that a remote may lie elsewhere than
/// in a folder of this machine.
public protocol RemoteStorage: Sendable {
    /// Where the remote lies, for messages and for its name.
    var root: FilePath { get }

    /// The entries of a folder, sorted by name. Links are listed, never followed.
    func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents

    /// The entries of a folder whose names are wanted, sorted by name. Names are valid during the call only.
    func list(
        _ folder: RemotePath, where isWanted: (UnsafeRawBufferPointer) -> Bool
    ) throws(FileProblem) -> FolderContents

    /// Kind, size and times of a file or folder.
    func status(of path: RemotePath) throws(FileProblem) -> FileStatus

    /// All bytes of a file, refused above `limit`.
    func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes

    /// The bytes of `range` of a file; fewer where it ends before.
    func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes

    /// The same as `read` with a limit, in memory that can still be changed.
    func readPrivately(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> PrivateBytes

    /// Opens a file that is to be read in several pieces.
    func open(_ file: RemotePath) throws(FileProblem) -> any ReadableFile

    /// The file at a path of this machine, with the log and the journal beside it if it is an SQLite database, for code
    /// that opens nothing else.
    func onDisk(_ file: RemotePath) throws(FileProblem) -> FileOnDisk

    /// Opens a folder of which many files are to be read; nil where that fails, or would be of no use.
    func openFolder(_ folder: RemotePath) -> (any ReadableFolder)?
}

/// What listing one folder gave.
public struct FolderContents: Sendable {
    /// The entries, sorted by name.
    public var listing: FolderListing
    /// Entries whose name was listed but that have no status: vanished meanwhile, or not permitted.
    public var problems: [FileProblem]

    /// A listing, and what did not get into it.
    public init(listing: FolderListing = FolderListing(), problems: [FileProblem] = []) {
        self.listing = listing
        self.problems = problems
    }

    /// The listing, for a decision that rests on all of it.
    /// - Throws: the first problem, unless the entry has only vanished meanwhile.
    public func whole() throws(FileProblem) -> FolderListing {
        if let problem = problems.first(where: { $0.kind != .missing }) { throw problem }
        return listing
    }
}

extension RemoteStorage {
    /// Lists the whole folder and leaves out what is not wanted.
    public func list(
        _ folder: RemotePath, where isWanted: (UnsafeRawBufferPointer) -> Bool
    ) throws(FileProblem) -> FolderContents {
        var contents = try list(folder)
        contents.listing = contents.listing.filtered(isWanted)
        return contents
    }

    /// Kind, size and times of a file or folder; nil where there is none. Every other error is thrown.
    public func statusIfPresent(of path: RemotePath) throws(FileProblem) -> FileStatus? {
        try unlessMissing { () throws(FileProblem) in try status(of: path) }
    }

    /// All entries of a folder, for a decision that rests on them; none where there is no such folder.
    /// - Throws: where the folder cannot be listed, or an entry not be looked at.
    public func entriesIfPresent(of folder: RemotePath) throws(FileProblem) -> FolderListing {
        try unlessMissing { () throws(FileProblem) in try list(folder).whole() } ?? FolderListing()
    }

    /// Reads the file and copies it.
    public func readPrivately(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> PrivateBytes {
        try PrivateBytes(copying: try read(file, limit: limit), path: file.filePath(under: root))
    }

    /// A file that is named again at every read.
    public func open(_ file: RemotePath) throws(FileProblem) -> any ReadableFile {
        NamedFile(storage: self, file: file)
    }

    /// Nil: files are read one by one.
    public func openFolder(_ folder: RemotePath) -> (any ReadableFolder)? { nil }

    /// The first `count` bytes of a file; fewer where it is shorter.
    public func head(_ file: RemotePath, count: Int) throws(FileProblem) -> SharedBytes {
        try read(file, range: 0..<max(0, count))
    }

    /// Whether two files of `size` bytes have the same bytes; false above `limit`, which no reader accepts.
    package func holdSameBytes(
        _ one: RemotePath, _ other: RemotePath, size: Int64, limit: ReadLimit
    ) throws(FileProblem) -> Bool {
        size <= limit.bytes ? try open(one).hasSameBytes(as: open(other)) : false
    }

    /// What lies at a place; nil where there is nothing.
    public func kind(of path: RemotePath) throws(FileProblem) -> FileKind? {
        try statusIfPresent(of: path)?.kind
    }
}
