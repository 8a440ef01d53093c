/// How far a verification is.
public struct VerificationProgress: Sendable, Hashable {
    /// Files that were opened, of those that are to be opened.
    public var files = 0
    /// Files that are to be opened.
    public var filesInAll: Int
    /// Bytes of these files.
    public var bytes: Int64 = 0
    /// Bytes of the files that are to be opened.
    public var bytesInAll: Int64
    /// Findings so far.
    public var findings = 0
}
