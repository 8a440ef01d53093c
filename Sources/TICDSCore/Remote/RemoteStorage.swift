public import Base
public import SystemCalls
public import SystemPackage

/// Access to the files of one remote. All code above uses this protocol, so a remote need not be in a local folder.
public protocol RemoteStorage: Sendable {
    /// The folder of the remote, for messages and for its name.
    var root: FilePath { get }

    /// Capabilities; nil for a local folder.
    var capabilities: ReadingCapabilities? { get }

    /// The number of threads that may read at once, at least 1.
    var workers: Int { get }

    /// The entries of a folder, sorted by name. Links are listed, never followed.
    func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents

    /// The entries of a folder whose names are wanted, sorted by name. Names are valid during the call only.
    func list(
        _ folder: RemotePath, where isWanted: (UnsafeRawBufferPointer) -> Bool
    ) throws(FileProblem) -> FolderContents

    /// Counts the change sets of a folder without keeping their names; nil if it contains an entry that is not an
    /// ordinary set, or cannot be read.
    func countSets(in folder: RemotePath) -> CountedSets?

    /// Kind, size and times of a file or folder.
    func status(of path: RemotePath) throws(FileProblem) -> FileStatus

    /// All bytes of a file, which must not be larger than `limit`.
    func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes

    /// The bytes of `range` of a file; fewer if the file ends before.
    func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes

    /// All bytes of a file, which must not be larger than `limit`, in memory that may be changed.
    func readPrivately(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> PrivateBytes

    /// Opens a file that will be read in several pieces.
    func open(_ file: RemotePath) throws(FileProblem) -> any ReadableFile

    /// The file at a local path, with the log and the journal beside it if it is an SQLite database, for code that
    /// opens nothing else.
    func onDisk(_ file: RemotePath) throws(FileProblem) -> FileOnDisk

    /// Announces the files that will be read, so that a remote storage can fetch many at a time. Errors come when they
    /// are read. A local folder does not evaluate the list.
    func prepareToRead(_ files: () -> [RemoteFile])

    /// Opens a folder from which many files will be read; nil if that fails, or if the storage has no open folders.
    func openFolder(_ folder: RemotePath) -> (any ReadableFolder)?

    /// The remote as it is now. A storage that listed everything at its beginning lists it again; any other returns
    /// itself.
    func listedAgain() throws(FileProblem) -> any RemoteStorage
}

/// The capabilities of a remote storage that matter to readers, and whether it can be changed.
public struct ReadingCapabilities: Sendable, Hashable {
    /// The smallest difference between two modification times in nanoseconds; nil if files have no times of their own.
    public var timeResolution: Int64?
    /// The digests that the storage has of its files, the best first.
    public var digests: [String]
    /// Whether names that differ only in case are the same name.
    public var ignoresCase: Bool
    /// Whether a folder can have two files with the same name.
    public var allowsTwins: Bool
    /// The reason why the storage cannot be changed, with the way out; nil if it can be.
    public var refusal: FileProblem?
    /// Whether its name is enough to find it again, so that data about it can be stored locally.
    public var hasLastingName: Bool

    /// A storage with these capabilities.
    public init(
        timeResolution: Int64?, digests: [String], ignoresCase: Bool, allowsTwins: Bool,
        refusal: FileProblem? = nil, hasLastingName: Bool = true
    ) {
        self.timeResolution = timeResolution
        self.digests = digests
        self.ignoresCase = ignoresCase
        self.allowsTwins = allowsTwins
        self.refusal = refusal
        self.hasLastingName = hasLastingName
    }
}

/// The listing of one folder, with its errors.
public struct FolderContents: Sendable {
    /// The entries, sorted by name.
    public var listing: FolderListing
    /// An error for each name without a status: the entry has vanished, or the user has no permission.
    public var problems: [FileProblem]

    /// A listing and its errors.
    public init(listing: FolderListing = FolderListing(), problems: [FileProblem] = []) {
        self.listing = listing
        self.problems = problems
    }

    /// The listing, for a decision that depends on all of it.
    /// - Throws: the first problem, unless the entry has only vanished.
    public func whole() throws(FileProblem) -> FolderListing {
        if let problem = problems.first(where: { $0.kind != .missing }) { throw problem }
        return listing
    }
}

extension RemoteStorage {
    /// Nil: the default is a local folder.
    public var capabilities: ReadingCapabilities? { nil }

    /// All processors.
    public var workers: Int { Cores.count }

    /// Lists the whole folder and leaves out unwanted entries.
    public func list(
        _ folder: RemotePath, where isWanted: (UnsafeRawBufferPointer) -> Bool
    ) throws(FileProblem) -> FolderContents {
        var contents = try list(folder)
        contents.listing = contents.listing.filtered(isWanted)
        return contents
    }

    /// Nil, so that the folder is listed.
    public func countSets(in folder: RemotePath) -> CountedSets? { nil }

    /// Kind, size and times of an entry; nil if it does not exist. Every other error is thrown.
    public func statusIfPresent(of path: RemotePath) throws(FileProblem) -> FileStatus? {
        try unlessMissing { () throws(FileProblem) in try status(of: path) }
    }

    /// All entries of a folder, for a decision that depends on them; none if the folder does not exist.
    /// - Throws: the error of listing the folder, or of the status of an entry.
    public func entriesIfPresent(of folder: RemotePath) throws(FileProblem) -> FolderListing {
        try unlessMissing { () throws(FileProblem) in try list(folder).whole() } ?? FolderListing()
    }

    /// Reads the file and copies it.
    public func readPrivately(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> PrivateBytes {
        try PrivateBytes(copying: try read(file, limit: limit), path: file.filePath(under: root))
    }

    /// A file that is opened again for every read.
    public func open(_ file: RemotePath) throws(FileProblem) -> any ReadableFile {
        NamedFile(storage: self, file: file)
    }

    /// Does nothing by default.
    public func prepareToRead(_ files: () -> [RemoteFile]) {}

    /// The storage itself: it lists on every request.
    public func listedAgain() throws(FileProblem) -> any RemoteStorage { self }

    /// Nil, so that files are read one by one.
    public func openFolder(_ folder: RemotePath) -> (any ReadableFolder)? { nil }

    /// The first `count` bytes of a file; fewer if it is shorter.
    public func head(_ file: RemotePath, count: Int) throws(FileProblem) -> SharedBytes {
        try read(file, range: 0..<max(0, count))
    }

    /// Whether two files of `size` bytes have the same bytes; false for sizes above `limit`, which no reader accepts.
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

/// A file of a storage at a local path, which is valid as long as this value exists.
public struct FileOnDisk: Sendable {
    /// The file, or a private copy of it.
    public let path: FilePath
    /// The file in its storage, for errors.
    package let origin: FilePath
    /// The folder of the copy; nil for the file itself.
    let folder: TemporaryFolder?

    /// A file in its place.
    init(_ path: FilePath) {
        self.path = path
        origin = path
        folder = nil
    }

    /// A private copy.
    init(path: FilePath, of origin: FilePath, folder: TemporaryFolder) {
        self.path = path
        self.origin = origin
        self.folder = folder
    }

    /// A problem with a private copy as one with its origin.
    package func visible(_ problem: FileProblem) -> FileProblem {
        problem.path == path ? problem.renamed(origin) : problem
    }
}

extension RemoteStorage {
    /// A private copy.
    public func onDisk(_ file: RemotePath) throws(FileProblem) -> FileOnDisk {
        let folder = try TemporaryFolder()
        let target = folder.path.appending("Store")
        try copyStore(file, to: target)
        return FileOnDisk(path: target, of: file.filePath(under: root), folder: folder)
    }

    /// Copies a file, and the files that SQLite keeps beside it under its name.
    func copyStore(_ file: RemotePath, to target: FilePath) throws(FileProblem) {
        try copy(file, to: target)
        for suffix in ["-wal", "-journal"] {
            guard let name = file.last?.appending(suffix: suffix) else { continue }
            let place = file.parent.appending(name)
            guard try statusIfPresent(of: place)?.kind == .file else { continue }
            try copy(place, to: FilePath(pathBytes: target.bytes + Array(suffix.utf8)))
        }
    }

    /// Copies the bytes of a file.
    func copy(_ file: RemotePath, to target: FilePath) throws(FileProblem) {
        // The file is opened, so that a distant storage fetches it once, and keeps it.
        let source = try open(file)
        let size = Int(try source.status().size)
        let most = 1 << 20
        let piece = try PrivateBytes(count: min(size, most), path: source.path)
        try PrivateFile.write(target) { (output) throws(FileProblem) in
            for offset in stride(from: 0, to: size, by: most) {
                let room = UnsafeMutableRawBufferPointer(
                    rebasing: piece.memory[..<min(most, size - offset)])
                try source.fill(room, at: offset)
                try output.write(UnsafeRawBufferPointer(room))
            }
        }
    }
}
