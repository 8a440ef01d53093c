public import TICDSCore

/// The files of one remote that earlier verifications found sound, by their path.
public struct KnownFiles: Sendable, Hashable {
    /// False where nothing is remembered at all, and so no digests need be made.
    public let isInUse: Bool
    private(set) var files: [RemotePath: KnownFile] = [:]

    /// No files yet.
    public init(isInUse: Bool = false) { self.isInUse = isInUse }

    /// How many files are known.
    public var count: Int { files.count }

    /// What is known of the file at that path.
    public subscript(path: RemotePath) -> KnownFile? {
        get { files[path] }
        set { files[path] = newValue }
    }
}
