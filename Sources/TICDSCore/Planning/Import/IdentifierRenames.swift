/// New identifiers for documents and clients.
public struct IdentifierRenames: Sendable, Hashable {
    public var documents: [RemoteName: RemoteName]
    public var clients: [RemoteName: RemoteName]

    public init(documents: [RemoteName: RemoteName] = [:], clients: [RemoteName: RemoteName] = [:]) {
        self.documents = documents
        self.clients = clients
    }

    public var isEmpty: Bool { documents.isEmpty && clients.isEmpty }
}
