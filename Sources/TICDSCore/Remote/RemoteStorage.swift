public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Access to the files of one remote. All code above uses this protocol, so a remote need not be in a folder of this
/// machine.
public protocol RemoteStorage: Sendable {
    /// The folder of the remote, for messages and for its name.
    var root: FilePath { get }

    /// The entries of a folder, sorted by name. Links are listed, never followed.
    func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents

    /// The entries of a folder whose names are wanted, sorted by name. Names are valid during the call only.
    func list(
        _ folder: RemotePath, where isWanted: (UnsafeRawBufferPointer) -> Bool
    ) throws(FileProblem) -> FolderContents

    /// Kind, size and times of a file or folder.
    func status(of path: RemotePath) throws(FileProblem) -> FileStatus

    /// All bytes of a file, which must not be larger than `limit`.
    func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes

    /// The bytes of `range` of a file; fewer where it ends before.
    func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes

    /// The same as `read` with a limit, in memory that may be changed.
    func readPrivately(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> PrivateBytes

    /// Opens a file that is to be read in several pieces.
    func open(_ file: RemotePath) throws(FileProblem) -> any ReadableFile

    /// The file at a path of this machine, with the log and the journal beside it if it is an SQLite database, for code
    /// that opens nothing else.
    func onDisk(_ file: RemotePath) throws(FileProblem) -> FileOnDisk

    /// Opens a folder of which many files are to be read; nil if that fails, or if the storage has no open folders.
    func openFolder(_ folder: RemotePath) -> (any ReadableFolder)?
}

/// The listing of one folder, with its errors.
public struct FolderContents: Sendable {
    /// The entries, sorted by name.
    public var listing: FolderListing
    /// An error for each name without a status: the entry has vanished, or there is no permission.
    public var problems: [FileProblem]

    /// A listing and its errors.
    public init(listing: FolderListing = FolderListing(), problems: [FileProblem] = []) {
        self.listing = listing
        self.problems = problems
    }

    /// The listing, for a decision that depends on all of it.
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

    /// Kind, size and times of an entry; nil if it does not exist. Every other error is thrown.
    public func statusIfPresent(of path: RemotePath) throws(FileProblem) -> FileStatus? {
        try unlessMissing { () throws(FileProblem) in try status(of: path) }
    }

    /// All entries of a folder, for a decision that depends on them; none if there is no such folder.
    /// - Throws: the error of listing the folder, or of the status of an entry.
    public func entriesIfPresent(of folder: RemotePath) throws(FileProblem) -> FolderListing {
        try unlessMissing { () throws(FileProblem) in try list(folder).whole() } ?? FolderListing()
    }

    /// Reads the file and copies it.
    public func readPrivately(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> PrivateBytes {
        try PrivateBytes(copying: try read(file, limit: limit), path: file.filePath(under: root))
    }

    /// A file that every read opens again.
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

    /// The kind of an entry; nil if it does not exist.
    public func kind(of path: RemotePath) throws(FileProblem) -> FileKind? {
        try statusIfPresent(of: path)?.kind
    }
}
