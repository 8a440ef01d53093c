import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// What documents and clients are called, as far as that can be read without asking for a password.
struct VacuumNames {
    private let path: FilePath
    private let documents: [NamedItem]
    private let clients: [NamedItem]
    private let descriptions: [String: String]

    init(_ remote: OpenRemote) {
        path = remote.path
        documents = remote.documents()
        descriptions = remote.clientNames()
        var names = Set(remote.snapshot.clientDevices.map(\.identifier))
        for document in remote.snapshot.documents {
            names.formUnion(document.clients.map(\.identifier))
            names.formUnion(document.recentSyncs.map(\.client))
            names.formUnion(document.wholeStores.map(\.client))
        }
        let descriptions = descriptions
        clients = names.sorted().map {
            NamedItem(identifier: $0.text, description: descriptions[$0.text])
        }
    }

    /// The named documents; nil for all of them.
    func documents(_ named: [String]) throws(FileProblem) -> Set<RemoteName>? {
        guard !named.isEmpty else { return nil }
        let resolver = NameResolver(noun: "document", option: "--document", remote: path, items: documents)
        return try Self.items(named, resolver)
    }

    func clients(_ named: [String], option: String) throws(FileProblem) -> Set<RemoteName> {
        try Self.items(named, NameResolver(noun: "client", option: option, remote: path, items: clients))
    }

    private static func items(
        _ named: [String], _ resolver: NameResolver
    ) throws(FileProblem) -> Set<RemoteName> {
        var found: Set<RemoteName> = []
        for name in named { found.insert(RemoteName(try resolver.item(name).identifier)) }
        return found
    }

    func description(of client: RemoteName) -> String? { descriptions[client.text] }

    func documentDescription(_ document: RemoteName) -> String? {
        documents.first { $0.identifier == document.text }?.description
    }

    /// What to call a client in a sentence.
    func name(of client: RemoteName) -> String { description(of: client) ?? client.text }
}
