public import SystemPackage
public import TICDSCore

/// One thing that is wrong with a remote, or worth knowing: what, where, for whom, and what to do.
public struct Finding: Sendable, Hashable {
    /// What is wrong, and what to do about it.
    public var kind: FindingKind
    /// The file or folder it is about, inside the remote.
    public var path: RemotePath
    /// The document it belongs to; nil for what concerns the application.
    public var document: RemoteName?
    /// The client it is about: the author of a set, the owner of a whole store.
    public var client: RemoteName?
    /// What else the remedy needs to know: a sync ID, another name.
    public var subject: String?
    /// Offset in bytes inside the file.
    public var offset: Int?
    /// What a sound remote has there.
    public var expected: String?
    /// What this remote has there.
    public var found: String?
    /// Bytes that are wasted or lost, where that can be said.
    public var bytes: Int64?
    /// What it does to clients of this remote, and to which.
    public var affected: [Affected]

    /// The commands (or sentences) of the remedy, filled in for a remote that lies at `root`.
    /// - Parameter isLoose: `root` is no remote, but the folder of a file that lies in none. What needs a remote is left
    ///   out.
    public func remedy(under root: FilePath, isLoose: Bool = false) -> [String] {
        (isLoose ? kind.looseRemedy : kind.wholeRemedy).map { RemedyText.fill($0, for: self, under: root) }
    }
}
