import SystemCalls

/// Something that makes the horizon of a document unsafe, because it hides what a client has.
public struct VacuumObstacle: Hashable, Sendable {
    /// What hides what a client has.
    public enum Kind: String, Sendable {
        /// A placeholder, a file that is being downloaded, or one of one byte or nothing but zeros.
        case notDownloaded
        /// A file without a single byte: online-only, or cut off.
        case empty
        /// A folder that could not be listed, or a file that could not be read.
        case unreadable
        /// A client of which neither a recent sync nor a register tells anything.
        case noRecentSync
        /// The time of a recent sync has not come yet.
        case recentSyncInFuture
        /// A folder of a whole store without one.
        case noWholeStore
        /// A document without any.
        case noWholeStores
        /// The register of a whole store cannot be read.
        case unreadableRegister
    }

    /// What is in the way.
    public var kind: Kind
    /// What is missing or unreadable.
    public var path: RemotePath
    /// Whose it is; nil where it concerns all.
    public var client: RemoteName?
    /// In one sentence without a full stop.
    public var problem: String

    /// - Parameter file: the file that `path` stands for, where that is another.
    init(_ kind: Kind, _ path: RemotePath, of file: RemotePath? = nil, _ problem: String) {
        self.kind = kind
        self.path = path
        client = Self.client(of: file ?? path)
        self.problem = problem
    }

    /// A file whose content is not here.
    init(_ absence: AbsentContent, _ path: RemotePath, of file: RemotePath? = nil) {
        self.init(absence == .empty ? .empty : .notDownloaded, path, of: file, "\(path) is \(absence.text)")
    }

    /// A file that could not be read.
    init(_ kind: Kind, _ path: RemotePath, unread problem: FileProblem) {
        self.init(kind, path, "\(path) cannot be read: \(problem.problem)")
    }

    /// The client to whom a file of a document belongs: `Documents/<document>/<folder>/<client>...`
    private static func client(of path: RemotePath) -> RemoteName? {
        guard path.names.count > 3 else { return nil }
        let name = path.names[3]
        guard path.names[2] == RemoteLayout.recentSyncs else { return name }
        return name.removing(suffix: RemoteLayout.recentSyncSuffix) ?? name
    }
}
