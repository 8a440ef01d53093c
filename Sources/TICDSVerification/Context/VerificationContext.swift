public import SystemCalls
public import SystemPackage
public import TICDSCore

/// What every check works with: the remote as listed, the way to its files, and the moment of the verification. A
/// class, since it is handed on for every file, from several threads at a time.
public final class VerificationContext: Sendable {
    /// The way to the files.
    public let storage: LocalStorage
    /// The remote as listed.
    public let snapshot: RemoteSnapshot
    /// The same as of the snapshot, for those who ask for every file.
    let isEncrypted: Bool
    /// Locked where the remote is encrypted and no password was given: then contents of encrypted files are not
    /// checked.
    public let keyring: RemoteKeyring
    /// The time that "the future" is measured against.
    public let now: FileTime
    /// Bytes of a file that may be held in memory at a time.
    public let memoryLimit: Int
    /// The same for those who read a file whole.
    var readLimit: ReadLimit { ReadLimit(memoryLimit, "file that is verified in memory") }
    let unread = UnreadFiles()
    /// Whether this machine remembers that the remote was encrypted.
    public let wasEncrypted: Bool
    /// Places that a stray stands for.
    let taken: TakenPlaces
    private let members: [RemoteName: [RemoteName]]

    /// A context; 32 MiB of a file in memory at a time, unless told otherwise.
    public init(
        storage: LocalStorage, snapshot: RemoteSnapshot, keyring: RemoteKeyring, now: FileTime,
        memoryLimit: Int = 32 << 20, wasEncrypted: Bool = false
    ) {
        self.storage = storage
        self.snapshot = snapshot
        isEncrypted = snapshot.isEncrypted
        self.keyring = keyring
        self.now = now
        self.memoryLimit = memoryLimit
        self.wasEncrypted = wasEncrypted
        taken = TakenPlaces(snapshot)
        members = Dictionary(
            snapshot.documents.map { ($0.identifier, $0.clients.map(\.identifier)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The folder of the remote.
    public var root: FilePath { snapshot.root }

    /// The clients that are registered with a document, or with the application where that is nil.
    public func clients(of document: RemoteName?) -> [RemoteName] {
        guard let document else { return snapshot.clientDevices.map(\.identifier) }
        return members[document] ?? []
    }

    /// True where nothing in the remote says any more that it is encrypted, and it was before.
    var hasLostEncryption: Bool {
        wasEncrypted && snapshot.tree[EncryptionSigns.salt] == nil && snapshot.encryptionTest == nil
    }

    /// A finding, with the clients that it affects.
    /// - Parameters:
    ///   - client: the client that it is about.
    ///   - effects: instead of those of the kind, where this case differs.
    public func finding(
        _ kind: FindingKind, at path: RemotePath, document: RemoteName? = nil, client: RemoteName? = nil,
        subject: String? = nil, offset: Int? = nil, expected: String? = nil, found: String? = nil,
        bytes: Int64? = nil, effects: [Effect]? = nil
    ) -> Finding {
        Finding(
            kind: kind, path: path, document: document, client: client, subject: subject, offset: offset,
            expected: expected, found: found, bytes: bytes,
            affected: (effects ?? kind.effects).map { affected($0, document: document, client: client) })
    }

    /// A finding that a problem of a file makes, with its offset and what was expected and found.
    public func finding(
        _ kind: FindingKind, _ problem: FileProblem, at path: RemotePath, document: RemoteName? = nil,
        client: RemoteName? = nil
    ) -> Finding {
        finding(
            kind, at: path, document: document, client: client, offset: problem.offset,
            expected: problem.expected, found: problem.text)
    }

    private func affected(_ effect: Effect, document: RemoteName?, client: RemoteName?) -> Affected {
        let all = clients(of: document)
        let concerned: [RemoteName] =
            switch effect.reach {
            case .everyone, .everyoneElse, .members: all
            case .thisClient: client.map { [$0] } ?? []
            case .newClients, .nobody: []
            }
        let isForNewClients: Bool =
            switch effect.reach {
            case .everyone, .everyoneElse, .newClients: true
            case .thisClient, .members, .nobody: false
            }
        return Affected(
            effect.consequence, clients: concerned, but: effect.reach == .everyoneElse ? client : nil,
            newClients: isForNewClients, only: effect.variant)
    }
}

extension FileProblem {
    /// What is wrong, and what was found.
    var text: String { [problem, found].compactMap(\.self).joined(separator: ": ") }
}
