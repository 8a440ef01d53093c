/// What people call the clients of a remote, as far as that is known.
public struct ClientNames: Sendable {
    private let descriptions: [String: String]

    /// - Parameter descriptions: by identifier.
    public init(_ descriptions: [String: String] = [:]) { self.descriptions = descriptions }

    /// The description of a client; nil where it has none, or where that could not be read.
    public func description(of client: RemoteName) -> String? { descriptions[client.text] }

    /// A client for the sentences of a plan: `Anna's Mac (IDENTIFIER)`, or the identifier alone.
    public func name(of client: RemoteName) -> String {
        guard let description = description(of: client), description != client.text else {
            return client.description
        }
        return "\(description) (\(client))"
    }
}
