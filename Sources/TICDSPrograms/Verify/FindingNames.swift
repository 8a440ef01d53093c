import TICDSCommandLine
import TICDSCore

/// What people call the documents and clients of a remote, as far as that can be read.
struct FindingNames {
    private let clients: [String: String]
    private let documents: [RemoteName: String]

    init(_ open: OpenRemote) {
        clients = open.clientNames()
        documents = Dictionary(
            open.documents().compactMap { item in
                item.description.map { (RemoteName(item.identifier), $0) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Without any names.
    init() {
        clients = [:]
        documents = [:]
    }

    /// The description, else the identifier.
    func client(_ identifier: RemoteName) -> String {
        clients[identifier.text] ?? identifier.description
    }

    /// `cookbook (Family cookbook)`
    func document(_ identifier: RemoteName) -> String {
        documents[identifier].map { "\(identifier) (\($0))" } ?? identifier.description
    }
}
