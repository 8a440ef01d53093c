import Glibc
public import SystemCalls
public import SystemPackage

/// A private folder for the entries that a plan moves into the remote with ``PlanAction/Kind/adopt(path:staged:)``. It
/// is on the remote's volume, so that they move instead of being copied, and outside of the remote. It is removed with
/// this value, and when a signal ends the process.
public final class IncomingFolder {
    /// Owner, group and mode of the remote's folder, which new entries get.
    public let model: FileStatus
    private var folder: TemporaryFolder?
    private let location: FilePath
    private let stateFolder: FilePath

    /// Makes the folder, and removes folders of processes that have ended.
    public init(_ state: RemoteState) throws(FileProblem) {
        model = try state.model()
        stateFolder = state.folder
        try PrivateDirectory.make(stateFolder)
        location = try StagingLocation(state).shared
        var attempts = 0
        while folder == nil {
            attempts += 1
            do throws(FileProblem) {
                try PrivateDirectory.make(location)
                try PrivateDirectory.checkPrivate(location, owners: [HostIdentity.userNumber])
                folder = try TemporaryFolder(in: location, prefix: "incoming")
            } catch {
                // Another command that ended has removed the empty folders.
                guard attempts < 100, try !PrivateDirectory.exists(location) else { throw error }
            }
        }
    }

    deinit {
        folder = nil
        // The folders around it stay while they contain other entries.
        for folder in [location, stateFolder] { _ = folder.withPlatformString { rmdir($0) } }
    }

    /// The folder; absolute.
    public var path: FilePath { folder?.path ?? location }
}

extension RemoteState {
    /// Owner, group and mode of the remote's folder; if it does not exist yet, of the folder around it. Entries for
    /// another machine are private here.
    func model() throws(FileProblem) -> FileStatus {
        isElsewhere ? HostIdentity.privateModel : try FileStatus.model(of: root)
    }
}

extension FileStatus {
    /// The status of the folder `root`; if it does not exist yet, of the folder around it. New entries get its owner
    /// and group.
    static func model(of root: FilePath) throws(FileProblem) -> FileStatus {
        let status = try FileStatus.ifPresent(root)
        if let status, status.kind == .folder { return status }
        return try FileStatus.of(root.removingLastComponent())
    }

    /// The mode of new files in a folder with this mode: without execute permission.
    package var modeOfFiles: UInt32 { mode & 0o666 | 0o600 }
}

extension OwnedDescriptor {
    /// Gives a new folder owner, group and mode of the folder `model`, and all permissions for its owner.
    package func adopt(like model: FileStatus) throws(FileProblem) {
        try adopt(owner: model.owner, group: model.group, mode: model.mode & 0o777 | 0o700)
    }
}
