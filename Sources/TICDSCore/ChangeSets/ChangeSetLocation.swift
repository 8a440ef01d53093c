public import SystemCalls
public import SystemPackage

/// The document, client and remote of a single change set file, by the names of the folders around it.
public struct ChangeSetLocation: Sendable, Hashable {
    /// Document, client and change set; nil if the names of the folders do not show them.
    public let place: ChangePlace
    private let file: FilePath

    /// The root of the remote that contains the file; nil for a file outside of a remote.
    public var remote: FilePath? {
        get throws(FileProblem) { try RemoteLocation.remote(around: file) }
    }

    /// Uses only the names in the path of `file`; a relative path is made absolute.
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
