public import SystemCalls
public import SystemPackage

/// The folder of a replica while it is being created: hidden beside its final place until it is complete. An unfinished
/// folder is removed together with this value.
public final class NewReplica: Sendable {
    /// The final path of the folder.
    public let place: FilePath
    /// The hidden folder in which the replica is created.
    public let folder: ReplicaFolder
    private let aside: TemporaryFolder
    private let name: FilePath

    /// - Parameter remote: the application folder, in which no replica may lie.
    /// - Throws: `.refused` if `place` exists and is not an empty folder, or lies inside the remote; `.missing` if the
    ///   parent folder does not exist.
    public init(at place: FilePath, remote: FilePath) throws(FileProblem) {
        guard let component = place.lastComponent, component.kind == .regular else {
            throw FileProblem(.refused, path: place, "is not a valid name for a new folder")
        }
        guard let resolved = try place.parent.resolved() else {
            throw FileProblem(.missing, path: place.parent, "the folder for the replica does not exist")
        }
        self.place = resolved.appending(component)
        name = FilePath(root: nil, [component])
        if self.place.starts(with: try remote.resolved() ?? remote) {
            throw FileProblem(
                .refused, path: place, "lies inside the remote, where it would harm the clients",
                advice: "Choose a place outside it")
        }
        try Self.checkFree(self.place)
        aside = try TemporaryFolder(in: resolved, prefix: Self.prefix)
        folder = ReplicaFolder(aside.path.appending(component))
        // Mode 0700: the files in it are decrypted.
        try OwnedDescriptor.folder(aside.path).makeFolder(name, mode: 0o700)
    }

    private static let prefix = ".ticds-clone"

    private static func checkFree(_ place: FilePath) throws(FileProblem) {
        guard let status = try FileStatus.ifPresent(place) else { return }
        var isFree = status.kind == .folder
        if isFree {
            try DirectoryReader.forEachEntry(of: try OwnedDescriptor.folder(place)) { _, _ in isFree = false }
        }
        if isFree { return }
        // try?: only chooses between two refusals
        let isReplica = (try? FileStatus.of(ReplicaFolder(place).configuration)) != nil
        throw FileProblem(
            .refused, path: place, isReplica ? "is already a replica" : "exists already, and is not empty",
            advice: isReplica ? "Bring it up to date with ticds-sync run" : "Choose another place")
    }

    /// Gives the finished folder its final name with rename(2), after the files are on disk.
    public func publish() throws(FileProblem) {
        let own = try OwnedDescriptor.folder(folder.path)
        try own.syncVolume()
        try Self.checkFree(place)
        try NewFile.rename(folder.path, to: place)
        try OwnedDescriptor.folder(place.removingLastComponent()).sync()
    }
}
