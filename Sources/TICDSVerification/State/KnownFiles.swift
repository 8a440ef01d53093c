public import TICDSCore

/// The files of one remote that earlier verifications found sound, by their path.
public struct KnownFiles: Sendable, Hashable {
    /// False where nothing is remembered at all, and so no digests need be made.
    public let isInUse: Bool
    private(set) var files: [RemotePath: KnownFile] = [:]

    public init(isInUse: Bool = false) { self.isInUse = isInUse }

    public var count: Int { files.count }

    public subscript(path: RemotePath) -> KnownFile? {
        get { files[path] }
        set { files[path] = newValue }
    }
}
