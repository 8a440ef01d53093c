public import SystemPackage
public import SystemCalls
public import TICDSCore

/// A remote of which every folder was listed, and the names of its clients: the input of planners that need no report.
/// Such a value does not exist for a remote with a folder that could not be listed.
public struct ListedRemote: Sendable {
    /// The application folder, absolute and without links.
    public let root: FilePath
    /// The listing.
    public let snapshot: RemoteSnapshot
    /// The descriptions of the clients.
    public let names: ClientNames
    /// The style in which the notes of plans write times and sizes.
    let style: TextStyle

    var tree: RemoteTree { snapshot.tree }

    /// The entry at `path`; nil if there is none.
    subscript(path: RemotePath) -> FolderEntry? { tree[path].part }

    /// A remote from which plans can be made.
    /// - Parameters:
    ///   - root: absolute and without links.
    ///   - names: the descriptions of the clients; plans use identifiers if these are missing.
    ///   - style: how the notes of plans write times and sizes.
    /// - Throws: the first error of listing.
    public init(
        root: FilePath, _ snapshot: RemoteSnapshot, names: ClientNames = ClientNames(),
        style: TextStyle = TextStyle()
    ) throws(FileProblem) {
        self.root = root
        self.snapshot = try snapshot.listed.whole
        self.names = names
        self.style = style
    }
}
