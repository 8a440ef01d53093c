public import SystemCalls

/// An entry that the framework did not put there, or that needs a person's eye.
public struct Stray: Hashable, Sendable {
    /// What an entry seems to be.
    public enum Kind: String, Sendable, CaseIterable {
        /// A copy that a cloud service or a person made beside the original.
        case conflictedCopy
        /// `.NAME.icloud`, `NAME.nextcloud` and the like: the file itself is not on this machine.
        case cloudPlaceholder
        /// A file of the framework's without a single byte: online-only, or cut off.
        case emptyFile
        /// A file of the framework's of one byte, or of nothing but zeros: online-only, or lost.
        case notDownloaded
        /// What a sync service or a browser is still fetching.
        case partialDownload
        /// A temporary file of a program or of a sync service.
        case temporaryFile
        /// `.DS_Store`, `desktop.ini`, `Icon\r`, `.dropbox` and the like.
        case systemFile
        /// Never followed.
        case symbolicLink
        /// A fifo, a socket or a device.
        case specialFile
        /// A file where a folder belongs, or a folder where a file belongs.
        case wrongKind
        /// Differs from its neighbour `twin` in letter case or Unicode form only.
        case nameTwin
        /// Nothing that is known.
        case unknown
    }

    /// Where the entry lies in the remote.
    public var path: RemotePath
    /// What it seems to be.
    public var kind: Kind
    /// File, folder, link or something else.
    public var fileKind: FileKind
    /// Bytes of a file; of a folder 0.
    public var size: Int64
    /// Modification time.
    public var modified: FileTime
    /// The entry of the same folder that it is a copy or a twin of, where that is known.
    public var twin: RemoteName?
}
