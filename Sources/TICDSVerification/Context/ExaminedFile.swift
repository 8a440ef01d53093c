public import SystemCalls
public import TICDSCore

/// One file of a remote that is to be opened.
public struct ExaminedFile: Sendable, Hashable {
    /// Where the file lies in the remote.
    public var path: RemotePath
    /// What the file is for.
    public var role: FileRole
    /// Bytes, as listed.
    public var size: Int64
    /// Modification time, as listed.
    public var modified: FileTime
    /// The document it belongs to; nil for what concerns the application.
    public var document: RemoteName?
    /// The author of a change set, the owner of a whole store, register, device info, tombstone or recent sync.
    public var client: RemoteName?

    /// A file as the listing has it.
    public init(
        path: RemotePath, role: FileRole, size: Int64, modified: FileTime, document: RemoteName? = nil,
        client: RemoteName? = nil
    ) {
        self.path = path
        self.role = role
        self.size = size
        self.modified = modified
        self.document = document
        self.client = client
    }
}
