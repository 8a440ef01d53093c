import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// The documents and clients of a remote whose whole stores a command looks at.
struct RemoteStores {
    let remote: OpenRemote
    let documents: [DocumentSnapshot]
    /// Nil for all.
    let clients: Set<RemoteName>?
    /// Locked where no password is given: then what is encrypted cannot be read, and the rest can.
    let keyring: RemoteKeyring
    /// What the clients are called.
    let names: [String: String]

    init(
        _ path: FilePath, _ document: DocumentOptions, _ clients: ClientOptions, _ password: PasswordOptions
    ) throws(FileProblem) {
        let remote = try OpenRemote(path, password)
        let named = remote.documents()
        let chosen = try document.some(of: named, in: remote.path).map { RemoteName($0.identifier) }
        documents = remote.snapshot.documents.filter { found in
            document.document == nil || chosen.contains { $0.text == found.identifier.text }
        }
        self.clients = try Self.clients(clients, remote, documents)
        do throws(FileProblem) {
            keyring = try remote.keyring()
        } catch {
            guard error.kind == .encrypted else { throw error }
            keyring = RemoteKeyring(.locked)
        }
        names = remote.clientNames(keyring)
        self.remote = remote
    }

    private static func clients(
        _ options: ClientOptions, _ remote: OpenRemote, _ documents: [DocumentSnapshot]
    ) throws(FileProblem) -> Set<RemoteName>? {
        guard !options.clients.isEmpty else { return nil }
        let uploaders = Set(documents.flatMap(\.wholeStores).map(\.client)).sorted()
        let wanted = Set(try options.some(of: uploaders.map(remote.named), in: remote.path).map(\.identifier))
        return Set(uploaders.filter { wanted.contains($0.text) })
    }

    /// What people call a client; its identifier where that is not known.
    func name(of client: RemoteName) -> String { names[client.text] ?? client.text }
}

extension ExitStatus {
    /// How a command ends that could not read all it was asked for: the password decides.
    static func unread(_ problems: [FileProblem]) -> ExitStatus {
        if problems.isEmpty { return .success }
        return problems.contains { $0.kind == .encrypted || $0.kind == .wrongPassword } ? .password : .partial
    }
}
