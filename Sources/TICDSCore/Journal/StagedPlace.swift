public import SystemCalls
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A private folder for what a plan is to take in with ``Change/adopt(path:staged:)``: on the remote's volume, so that it
/// moves instead of being copied, and outside of the remote. It goes with this value, and when a signal ends the process.
public final class StagedPlace {
    /// Owner, group and mode of the remote's folder, which what is new shall have, too.
    public let model: FileStatus
    private var folder: TemporaryFolder?
    private let ground: FilePath
    private let stateFolder: FilePath

    private static let prefix = "incoming"

    /// Makes the folder, and removes those that processes left behind that are no more.
    public init(_ state: RemoteState) throws(FileProblem) {
        let parent = state.root.removingLastComponent()
        if let status = try? FileStatus.of(state.root), status.kind == .folder {
            model = status
        } else {
            model = try FileStatus.of(parent)
        }
        stateFolder = state.folder
        try Folders.make(stateFolder)
        ground = try StagingGround(state).staging
        try Folders.make(ground)
        try Self.removeLeftovers(in: ground)
        folder = try TemporaryFolder(in: ground, prefix: "\(Self.prefix)-\(getpid())")
    }

    deinit {
        folder = nil
        // The folders around it stay while anything else is in them.
        for folder in [ground, stateFolder] { _ = folder.withPlatformString { rmdir($0) } }
    }

    /// The folder; absolute.
    public var path: FilePath { folder?.path ?? ground }

    private static func removeLeftovers(in ground: FilePath) throws(FileProblem) {
        let open = try OpenFile.folder(ground)
        for name in try Folders.entries(of: open) {
            let parts = name.string.split(separator: "-")
            guard parts.count == 3, parts[0] == prefix, let process = pid_t(parts[1]), process > 0,
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try Folders.remove(name, in: open)
        }
    }
}
