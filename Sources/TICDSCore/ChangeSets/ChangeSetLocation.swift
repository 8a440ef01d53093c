public import SystemCalls
public import SystemPackage

/// Where a single change set file belongs, as far as the folders around it tell.
public struct ChangeSetLocation: Sendable, Hashable {
    /// Document, client and change set, as far as the folders tell.
    public let place: ChangePlace
    private let file: FilePath

    /// The root of the remote that the file lies in; nil for a file by itself. Looks for it in the folders above.
    public var remote: FilePath? {
        get throws(FileProblem) { try RemoteLocation.remote(around: file) }
    }

    /// Looks at the names above `file`, and at the disk only where it is relative.
    public init(of file: FilePath) throws(FileProblem) {
        let absolute = try file.isAbsolute ? file.lexicallyNormalized() : file.resolved() ?? file
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
        self.file = absolute
    }
}
