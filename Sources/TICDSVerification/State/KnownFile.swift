public import SystemCalls

/// A file that a verification found sound, and how to know it again.
public struct KnownFile: Sendable, Hashable {
    /// Bytes.
    public var size: Int64
    /// Modification time.
    public var modified: FileTime
    /// Number of the file on its volume.
    public var inode: UInt64
    /// SHA-256 of its bytes.
    public var digest: [UInt8]
    /// When it was verified.
    public var checked: FileTime

    /// A file as it was when it was found sound.
    public init(size: Int64, modified: FileTime, inode: UInt64, digest: [UInt8], checked: FileTime) {
        self.size = size
        self.modified = modified
        self.inode = inode
        self.digest = digest
        self.checked = checked
    }

    init(_ status: FileStatus, digest: [UInt8], checked: FileTime) {
        self.init(
            size: status.size, modified: status.modified, inode: status.inode, digest: digest,
            checked: checked)
    }

    /// True where nothing that a listing shows has changed.
    func isSameFile(as other: KnownFile) -> Bool {
        size == other.size && modified == other.modified && inode == other.inode
    }
}
