import KeyedArchive
import Cryptography
public import SystemCalls
public import SystemPackage

/// A private folder in which the copy of a remote grows, on the volume of the remote to be. Unlike a ``IncomingFolder``
/// it stays when the process ends, so that the next one can go on with the same copy.
public final class CopyFolder {
    /// Owner, group and mode of what is copied.
    public let model: FileStatus
    /// Where the copy grows. It may hold what an earlier process copied.
    public let tree: FilePath
    private let folder: FilePath
    private let state: RemoteState
    private let lock: FileLock

    /// The file that is being written.
    static let part: FilePath = "part"

    /// - Parameters:
    ///   - state: of the remote that is to be.
    ///   - source: the remote that is copied, absolute and without links.
    /// - Throws: `.refused` where another process is copying the same to the same place.
    public init(_ state: RemoteState, source: FilePath) throws(FileProblem) {
        model = try state.model()
        try state.makeKnown()
        let digest = hexadecimalDigits(of: SHA256.hash(source.bytes).prefix(6))
        let location = try StagingLocation(state).shared
        let folder = location.appending("\(UnfinishedCopy.prefix)\(digest)")
        try Folders.make(folder)
        for folder in [location, folder] { try Folders.checkPrivate(folder, owners: [Machine.userNumber]) }
        lock = try FileLock(folder.pushing(UnfinishedCopy.lockName), wait: 0) { holder in
            FileProblem(
                .refused, path: state.root, "another command is making the same copy in this place",
                found: holder,
                advice: "Wait until it has ended")
        }
        lock.write(holder: Machine.holder("ticds-remote copy"))
        let sourceFile = folder.pushing(UnfinishedCopy.sourceName)
        if try FileStatus.ifPresent(sourceFile) == nil {
            try AtomicFile.write(source.bytes, to: sourceFile)
        }
        self.folder = folder
        self.state = state
        tree = folder.pushing(UnfinishedCopy.treeName)
        try Folders.make(tree)
    }

    /// The folder around the copy.
    func open() throws(FileProblem) -> OwnedDescriptor { try OwnedDescriptor.folder(folder) }

    /// Moves the copy to a folder that goes with the process.
    public func move(to place: IncomingFolder) throws(FileProblem) -> FilePath {
        try open().move("tree", to: try OwnedDescriptor.folder(place.path), as: "tree")
        return place.path.appending("tree")
    }

    /// Removes what is left of the copy.
    public func discard() throws(FileProblem) { try UnfinishedCopy.remove(folder, state) }
}
