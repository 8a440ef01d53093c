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
        let names = absolute.components.map { RemoteName($0.bytes) }
        let name = names.last ?? RemoteName("")
        let identifier = (name.removing(suffix: RemoteLayout.changeSetSuffix) ?? name).text
        let count = names.count
        let isInside =
            count >= 5 && names[count - 3] == RemoteLayout.syncChanges
            && names[count - 5] == RemoteLayout.documents
        place = ChangePlace(
            document: isInside ? names[count - 4].text : nil, client: isInside ? names[count - 2].text : nil,
            changeSet: identifier)
        remote = RemoteLocation.remote(around: absolute)
    }
}
