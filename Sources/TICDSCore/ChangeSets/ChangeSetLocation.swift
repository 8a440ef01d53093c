import SystemCalls
public import SystemPackage

/// Where a single change set file belongs, as far as the folders around it tell.
public struct ChangeSetLocation: Sendable, Hashable {
    /// The root of the remote that the file lies in; nil for a file by itself.
    public var remote: FilePath?
    public var place: ChangePlace

    /// Looks at the names above `file`, and for a remote at the folders above it.
    public init(of file: FilePath) {
        let absolute = file.isAbsolute ? file.lexicallyNormalized() : file.resolved() ?? file
        let names = absolute.components.map { RemoteName(FilePath(root: nil, components: $0).bytes) }
        let name = names.last ?? RemoteName("")
        let identifier = (name.removing(suffix: RemoteLayout.changeSetSuffix) ?? name).text
        let count = names.count
        let isInside =
            count >= 5 && names[count - 3] == RemoteLayout.syncChanges && names[count - 5] == RemoteLayout.documents
        place = ChangePlace(
            document: isInside ? names[count - 4].text : nil, client: isInside ? names[count - 2].text : nil,
            changeSet: identifier)
        remote = Self.remote(above: absolute)
    }

    /// The nearest folder above `file` that has a salt, or that looks like a remote.
    private static func remote(above file: FilePath) -> FilePath? {
        var folder = file.removingLastComponent()
        for _ in 0..<64 where !folder.components.isEmpty {
            let storage = LocalStorage(root: folder)
            let salt: RemotePath = [RemoteLayout.encryption, RemoteLayout.salt]
            if (try? storage.status(of: salt)) != nil { return folder }
            if (try? storage.status(of: [RemoteLayout.clientDevices]))?.kind == .folder { return folder }
            folder = folder.removingLastComponent()
        }
        return nil
    }
}
