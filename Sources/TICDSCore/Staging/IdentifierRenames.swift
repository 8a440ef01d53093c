/// New identifiers for documents and clients.
public struct IdentifierRenames: Sendable, Hashable {
    /// New identifiers by the old ones, of documents.
    public var documents: [RemoteName: RemoteName]
    /// New identifiers by the old ones, of clients.
    public var clients: [RemoteName: RemoteName]

    /// Renames; nothing unless told otherwise.
    public init(documents: [RemoteName: RemoteName] = [:], clients: [RemoteName: RemoteName] = [:]) {
        self.documents = documents
        self.clients = clients
    }

    /// Whether everything keeps its identifier.
    public var isEmpty: Bool { documents.isEmpty && clients.isEmpty }
}
