public import SystemCalls
public import SystemPackage

/// What is to be uploaded as the whole store of a client: files that are made, and stay as they are until the plan is
/// carried out.
public struct StoreUpload: Sendable {
    /// `WholeStore.ticdsync` and, where that is a folder, what is in it; folders before their entries.
    public var entries: [TreeEntry]
    /// `AppliedSyncChangeSets.ticdsync`; nil where nothing was applied.
    public var register: PlannedContent?
    /// Identifiers of the change sets that the register names, as bytes.
    public var applied: Set<[UInt8]>
    /// The beginning of the digest over the version hashes of the store; see `WholeStoreContents.modelDigest`.
    public var modelDigest: String?
    /// The same of the stores that other clients uploaded, as far as these can be read.
    public var otherDigests: [RemoteName: String]
    /// Whether the store may lack change sets that its register does not name.
    public var mayLack = false

    /// An upload of these files.
    public init(
        entries: [TreeEntry], register: PlannedContent?, applied: Set<[UInt8]>, modelDigest: String?,
        otherDigests: [RemoteName: String] = [:]
    ) {
        self.entries = entries
        self.register = register
        self.applied = applied
        self.modelDigest = modelDigest
        self.otherDigests = otherDigests
    }
}

extension PlannedContent {
    /// A file of this machine as it is now.
    /// - Parameter path: absolute.
    public static func file(_ path: FilePath) throws(FileProblem) -> PlannedContent {
        let status = try FileStatus.of(path)
        let state = EntryState(kind: status.kind, size: status.size, modified: status.modified)
        return .file(path: PlannedBytes(path.bytes), seen: state)
    }
}
