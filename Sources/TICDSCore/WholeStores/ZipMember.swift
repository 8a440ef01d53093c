public import SystemCalls

/// One entry of a zip, as its directory describes it. None of this is to be believed before it was read.
public struct ZipMember: Sendable, Hashable {
    /// Place among the entries, from 0.
    public var index: Int
    /// The name as bytes, never used as a path. Accents of names flagged as UTF-8 come composed.
    public var name: [UInt8]
    /// File, folder, link or something else.
    public var kind: FileKind
    /// Bytes when decompressed, as the zip says; nil where it does not.
    public var size: Int64?
    /// Modification time, in whole seconds; the framework writes none, which reads as late in 1979.
    public var modified: FileTime
    /// True where the zip's own encryption was used, which the framework never does.
    public var isEncrypted: Bool
}
