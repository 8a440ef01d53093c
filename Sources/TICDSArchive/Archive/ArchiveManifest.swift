public import SystemCalls
public import TICDSCore

/// What an archive holds: its first member, `ticds-manifest.json` (ticds-archive-format(5)).
public struct ArchiveManifest: Sendable, Hashable {
    /// Name and version of the form.
    public static let schema = "ticds.archive/1"
    /// The member that holds it; always the first one.
    public static let memberName = "ticds-manifest.json"
    /// Manifests above this size in bytes are refused: some four million entries.
    static let sizeLimit = 1 << 30

    /// The program and version that wrote the archive.
    public var program: String
    /// The identifier of the application, with which the paths of all other members begin.
    public var application: RemoteName
    /// The identifier of the remote, 16 hexadecimal digits; nil in archives that are no snapshots.
    public var remote: String?
    /// Whether the files are encrypted as they are in an encrypted remote.
    public var isEncrypted: Bool
    /// Whether they were decrypted on their way into the archive.
    public var wasDecrypted: Bool
    /// Which part of the remote it holds.
    public var scope: ArchiveScope
    /// What should be in the archive and is not, with the reason.
    public var leftOut: [LeftOut]
    /// Folders and files in the order of their paths, every folder before what it holds.
    public var entries: [ArchivedEntry]

    /// An entry of the remote that did not get into the archive.
    public struct LeftOut: Sendable, Hashable {
        /// Where the entry lies in the remote.
        public var path: RemotePath
        /// Why it was left out, in words.
        public var problem: String

        /// An entry that was left out, and why.
        public init(path: RemotePath, problem: String) {
            self.path = path
            self.problem = problem
        }
    }

    /// Files, and their bytes.
    public var totals: FileTotals {
        var totals = FileTotals()
        for entry in entries where !entry.isFolder { totals.add(entry.size) }
        return totals
    }
}

/// A folder or file of an archive.
public struct ArchivedEntry: Sendable, Hashable {
    /// From the root of the remote down; empty for the root itself.
    public var path: RemotePath
    /// What it is for, told by its place; `.folder` for folders.
    public var role: FileRole
    /// Bytes; 0 for folders.
    public var size: Int64
    /// Modification time.
    public var modified: FileTime
    /// SHA-256 of a file; nil for folders.
    public var digest: [UInt8]?

    /// Whether it is a folder.
    public var isFolder: Bool { role == .folder }

    /// An entry; `digest` is SHA-256 of a file's bytes.
    public init(path: RemotePath, role: FileRole, size: Int64, modified: FileTime, digest: [UInt8]? = nil) {
        self.path = path
        self.role = role
        self.size = size
        self.modified = modified
        self.digest = digest
    }
}

/// Which part of a remote an archive holds.
public struct ArchiveScope: Sendable, Hashable {
    /// Nil for all.
    public var documents: [RemoteName]?
    /// Nil for all.
    public var clients: [RemoteName]?
    /// Whether only whole stores and their registers are in it.
    public var isOnlyWholeStores: Bool

    /// Everything, unless told otherwise.
    public init(
        documents: [RemoteName]? = nil, clients: [RemoteName]? = nil, isOnlyWholeStores: Bool = false
    ) {
        self.documents = documents
        self.clients = clients
        self.isOnlyWholeStores = isOnlyWholeStores
    }

    /// True for a whole application.
    public var isEverything: Bool { documents == nil && clients == nil && !isOnlyWholeStores }
}
