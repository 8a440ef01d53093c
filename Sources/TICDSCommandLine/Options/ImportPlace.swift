public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Where an archive or a copy is to go: the folder of a remote, there or not, or the folder around it.
public struct ImportPlace {
    private let named: FilePath
    private let application: RemoteName?

    /// - Parameter application: the identifier that the remote is to have, where it gets another one.
    public init(_ named: FilePath, _ application: RemoteName?) {
        self.named = named
        self.application = application
    }

    /// Where to unpack before it is known what the archive holds: on the volume that it will go to.
    public func stagingState() throws(FileProblem) -> RemoteState {
        let path = try absolute()
        var isAround = false
        if try FileStatus.ifPresent(path) != nil { isAround = try !isRemote(path) }
        return RemoteState(
            root: isAround ? path.appending("incoming") : path, stateHome: try Environment.stateHome)
    }

    /// The remote.
    /// - Parameter application: what the archive says.
    /// - Throws: `.refused` where the name of the folder differs from the identifier of the application, which would not find it.
    public func target(_ application: RemoteName?) throws(FileProblem) -> FilePath {
        let path = try absolute()
        let wanted = self.application ?? application
        if let wanted, !wanted.isSafe || wanted.isHidden {
            throw FileProblem(.refused, path: path, "\"\(wanted)\" cannot be the name of a remote")
        }
        let isThere = try FileStatus.ifPresent(path)?.kind == .folder
        let name = path.lastComponent.map { RemoteName($0.bytes) }
        if isThere, name != wanted, try !isRemote(path) {
            guard let wanted else {
                throw FileProblem(
                    .refused, path: path, "the archive does not contain the identifier of the app",
                    advice: "Name the folder to create; its name must be the app's identifier")
            }
            return path.pushing(FilePath(nameBytes: wanted.bytes))
        }
        guard let wanted, name != wanted else { return path }
        throw FileProblem(
            .refused, path: path,
            "the folder's name differs from the application's identifier, so the app would not find it",
            expected: "\(wanted)", found: name?.description,
            advice: "Name a folder of that name, or give --rename-application")
    }

    /// Whether the folder itself is a remote.
    private func isRemote(_ path: FilePath) throws(FileProblem) -> Bool {
        try unlessInvalid { () throws(FileProblem) in try RemoteLocation.find(path) } == path
    }

    private func absolute() throws(FileProblem) -> FilePath {
        if let path = try named.resolved() { return path }
        if named.lastComponent?.kind == .regular, let path = try named.resolvedInFolder() { return path }
        throw FileProblem(
            .missing, path: named.removingLastComponent(), "no such folder",
            advice: "Create it first, or name another folder")
    }
}
