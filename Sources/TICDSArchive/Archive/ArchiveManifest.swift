public import SystemCalls
public import SystemPackage
public import TICDSCore

/// The list of an archive's contents: its first member, `ticds-manifest.json` (ticds-archive-format(5)).
public struct ArchiveManifest: Sendable, Hashable {
    /// Name and version of the schema.
    public static let schema = "ticds.archive/1"
    /// The schema of an archive that depends on earlier ones.
    public static let incrementalSchema = "ticds.archive/2"
    /// The name of its member, which is always the first one.
    public static let memberName = "ticds-manifest.json"
    /// The largest manifest that is read, in bytes; it has about four million entries.
    static let sizeLimit = 1 << 30

    /// The program and version that wrote the archive.
    public var program: String
    /// The application identifier, with which the paths of all other members begin.
    public var application: RemoteName
    /// The identifier of the remote, 16 hexadecimal digits; nil in archives that are not snapshots.
    public var remote: String?
    /// Whether the archive contains encrypted files.
    public var isEncrypted: Bool
    /// Whether the files were decrypted for the archive.
    public var wasDecrypted: Bool
    /// The part of the remote that the archive contains.
    public var scope: ArchiveScope
    /// Entries of the remote that are missing from the archive, each with the reason.
    public var leftOut: [LeftOut]
    /// The earlier archives that contain the files that are not in this one.
    public var bases: [ArchiveBase] = []
    /// Folders and files in the order of their paths, each folder before its contents.
    public var entries: BackupEntries

    /// An entry of the remote that is not in the archive.
    public struct LeftOut: Sendable, Hashable {
        /// The path in the remote.
        public var path: RemotePath
        /// The reason, in words.
        public var problem: String

        /// The entry that was left out as an error of the archive at `archive`.
        public func problem(in archive: FilePath) -> FileProblem {
            FileProblem(
                .unreadable, path: archive,
                "\(path) was left out when the archive was made", found: problem,
                advice: "Look for it in the remote, or in another archive")
        }
    }

    /// The entry that was left out at a path, or the folder in which the path lies; nil if neither was.
    public func leftOut(at path: RemotePath) -> LeftOut? {
        leftOut.first { path.names.starts(with: $0.path.names) }
    }

    /// The number and total size of the files.
    public var totals: FileTotals { entries.totals() }
}

/// A folder or file of an archive.
public struct BackupEntry: Sendable, Hashable {
    /// The path in the remote; empty for the application folder itself.
    public var path: RemotePath
    /// The role by its path; `.folder` for folders.
    public var role: FileRole
    /// The size in bytes; 0 for folders.
    public var size: Int64
    /// Modification time.
    public var modified: FileTime
    /// SHA-256 of a file; nil for folders.
    public var digest: [UInt8]?
    /// The number in ``ArchiveManifest/bases`` of the earlier archive that contains the file, at the same path; nil if
    /// it is in the archive itself.
    public var base: Int?

    /// Whether the entry is a folder.
    public var isFolder: Bool { role == .folder }
}

/// The part of a remote that an archive contains.
public struct ArchiveScope: Sendable, Hashable {
    /// The documents; nil for all.
    public var documents: [RemoteName]?
    /// The clients; nil for all.
    public var clients: [RemoteName]?
    /// Whether the archive contains only whole stores and their registers.
    public var isOnlyWholeStores: Bool

    /// A scope; by default the whole remote.
    public init(
        documents: [RemoteName]? = nil, clients: [RemoteName]? = nil, isOnlyWholeStores: Bool = false
    ) {
        self.documents = documents
        self.clients = clients
        self.isOnlyWholeStores = isOnlyWholeStores
    }

    /// Whether the scope is the whole remote.
    public var isEverything: Bool { documents == nil && clients == nil && !isOnlyWholeStores }
}
