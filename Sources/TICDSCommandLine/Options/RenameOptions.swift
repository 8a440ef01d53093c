package import ArgumentParser
package import SystemCalls
package import SystemPackage
package import TICDSCore
package import TICDSOperations

/// New identifiers for an import or a copy.
package struct RenameOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("rename-document"),
        help: .value("old=new", "Give a document another identifier. May be given several times."))
    package var documents: [Renaming] = []

    @Option(
        name: .customLong("rename-client"),
        help: .value("old=new", "Give a client another identifier. May be given several times."))
    package var clients: [Renaming] = []

    @Option(
        name: .customLong("rename-application"),
        help: .value(
            "name",
            "The identifier of the app that will use the remote, which becomes the name of the folder."))
    package var application: String?

    package init() {}

    package func validate() throws {
        for list in [documents, clients] where Set(list.map(\.old)).count < list.count {
            throw ValidationError("The same identifier is renamed twice.")
        }
    }

    package var renames: IdentifierRenames {
        IdentifierRenames(
            documents: Dictionary(documents.map { ($0.old, $0.new) }) { $1 },
            clients: Dictionary(clients.map { ($0.old, $0.new) }) { $1 })
    }

    /// Notes in a plan which identifiers are renamed and which are not.
    package func note(_ plan: inout Plan, _ example: String = "") {
        if renames.isEmpty { return }
        plan.note(
            .consequence,
            "Renamed in names of files and folders, in the lists of documents and devices, in tombstones, integrity keys "
                + "and registers; not in whole stores, nor in the app's own data\(example)")
    }
}

/// A pair `OLD=NEW`, split at the last equal sign, since an old identifier may contain one.
package struct Renaming: Sendable, ExpressibleByArgument {
    package let old: RemoteName
    package let new: RemoteName

    package init?(argument: String) {
        guard let sign = argument.lastIndex(of: "=") else { return nil }
        old = RemoteName(String(argument[..<sign]))
        new = RemoteName(String(argument[argument.index(after: sign)...]))
        if old.bytes.isEmpty || new.bytes.isEmpty { return nil }
    }
}

/// The target of an archive or a copy: the folder of a remote, which need not exist yet, or the folder around it.
package struct ImportPlace {
    private let named: FilePath
    private let application: RemoteName?

    /// - Parameter application: the new identifier of the remote; nil to keep that of the archive.
    package init(_ named: FilePath, _ application: RemoteName?) {
        self.named = named
        self.application = application
    }

    /// The state for unpacking before the contents of the archive are known, on the volume of the target.
    package func stagingState() throws(FileProblem) -> RemoteState {
        let path = try absolute()
        var isAround = false
        if try FileStatus.ifPresent(path) != nil { isAround = try !isRemote(path) }
        return RemoteState(
            root: isAround ? path.appending("incoming") : path, stateHome: try Environment.stateHome)
    }

    /// The remote.
    /// - Parameter application: the application identifier in the archive.
    /// - Throws: `.refused` if the name of the folder is not the application identifier, so that the app would not find
    ///   it.
    package func target(_ application: RemoteName?) throws(FileProblem) -> FilePath {
        let path = try absolute()
        let wanted = self.application ?? application
        if let wanted, !wanted.isSafe || wanted.isHidden {
            throw FileProblem(
                .refused, path: path, "\"\(wanted)\" cannot be the name of a remote",
                advice: "Use the identifier of the app, such as com.example.app")
        }
        let kind = try FileStatus.ifPresent(path)?.kind
        let isThere = kind == .folder
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
        if kind == nil {
            throw FileProblem(
                .refused, path: path, "no such folder, in which to create \(wanted)",
                advice:
                    "To give the remote another identifier, use --rename-application. Otherwise create the folder, and "
                    + "run the command again: mkdir \(ShellWord.quoted(named))")
        }
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
        throw .noFolder(named.parent)
    }
}
