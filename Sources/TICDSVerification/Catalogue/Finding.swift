public import SystemPackage
public import TICDSCore

/// One fault of a remote, or one fact worth knowing: what, where, whom it affects, and what to do.
public struct Finding: Sendable, Hashable {
    /// What is wrong, and what to do about it.
    public var kind: FindingKind
    /// The file or folder it is about, inside the remote.
    public var path: RemotePath
    /// The document it belongs to; nil for findings about the application.
    public var document: RemoteName?
    /// The client it is about: the author of a set, the owner of a whole store.
    public var client: RemoteName?
    /// Another name that the remedy needs, such as a sync ID.
    public var subject: String?
    /// Offset in bytes inside the file.
    public var offset: Int?
    /// What a sound remote has there.
    public var expected: String?
    /// What this remote has there.
    public var found: String?
    /// Bytes that are wasted or lost; nil if that is not known.
    public var bytes: Int64?
    /// What it does to which clients of this remote.
    public var affected: [Affected]

    /// The commands and sentences of the remedy, with the names and paths of this finding.
    /// - Parameters:
    ///   - root: the folder of the remote.
    ///   - isLoose: whether `root` is not a remote, but the folder of a single file. Commands that need a remote are left
    ///     out.
    public func remedy(under root: FilePath, isLoose: Bool = false) -> [String] {
        (isLoose ? kind.looseRemedy : kind.wholeRemedy).map { RemedyText.fill($0, for: self, under: root) }
    }
}
