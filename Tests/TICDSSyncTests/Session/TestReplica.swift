import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import TICDSCore
import TICDSOperations
import TICDSSync

/// A remote with one document, and the folder of its replicas.
final class SyncedRemote {
    static let document = "Document-1"

    let builder: RemoteBuilder
    let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
        builder = try RemoteBuilder().skeleton().document(Self.document)
    }

    var root: FilePath { builder.root }

    /// A replica of a registered client that begins with an empty document.
    func replica(_ client: String, model: String = SyncModel.contents) throws -> TestReplica {
        try builder.client(client).join(client, Self.document)
        return try TestReplica(client, root, at: scratch.path.appending(client), model: model)
    }

    /// Files of the sets in the remote, sorted.
    func sets() throws -> [String] {
        let folder: RemotePath = ["Documents", RemoteName(Self.document), "SyncChanges"]
        let storage = LocalStorage(root: root)
        return try storage.list(folder).listing.flatMap { client in
            try storage.list(folder.appending(client.name)).listing.map { "\(client.name)/\($0.name)" }
        }
    }
}

/// A replica in a folder of a test.
struct TestReplica {
    let folder: ReplicaFolder
    /// The application folder.
    let remote: FilePath
    let stateHome: FilePath
    let client: String
    let model: ManagedObjectModel

    /// - Parameter register: sets that count as being in the document.
    init(
        _ client: String, _ remote: FilePath, at path: FilePath, register: [RegisteredChangeSet] = [],
        model contents: String = SyncModel.contents
    ) throws {
        model = try SyncModel.model(contents)
        self.client = client
        self.remote = remote
        folder = ReplicaFolder(path)
        stateHome = path.removingLastComponent().appending("state")
        try TestFiles.makeFolder(path)
        try TestFiles.write(folder.model, Array(contents.utf8))
        try SQLiteStoreWriter(creating: folder.store, model: model).finish()
        let configuration = ReplicaConfiguration(
            remote: remote.string, document: SyncedRemote.document, client: client, description: "A test")
        try ReplicaSession.prepare(folder, configuration, integrityKey: "0F1E2D3C-KEY", register: register)
    }

    @discardableResult
    func run(
        _ options: RunOptions = RunOptions(), now: FileTime = .now,
        resolve: @escaping (OpenConflict) throws(FileProblem) -> SyncResolution = { _ in .undecided }
    ) throws -> RunReport {
        let remote = ReplicaRemote(
            storage: LocalStorage(root: remote), keyring: RemoteKeyring(.plain),
            state: RemoteState(root: remote, stateHome: stateHome))
        return try ReplicaSession(folder).run(options, remote, now: now, resolve: resolve)
    }

    func run(_ policy: ConflictPolicy) throws -> RunReport {
        var options = RunOptions()
        options.conflicts = policy
        return try run(options)
    }

    /// Edits the document like a different program.
    func edit(_ statements: String...) throws {
        let connection = try SQLiteConnection(
            uri: SQLiteURI.uri(of: folder.store, immutable: false), mode: .readWrite)
        for statement in statements { try connection.execute(statement) }
    }

    /// Inserts a note like a user without knowledge of Core Data's own columns.
    func insertNote(_ syncID: String, title: String) throws {
        try edit("INSERT INTO ZNOTE (Z_ENT, ZTITLE, ZTICDSSYNCID) VALUES (2, '\(title)', '\(syncID)')")
    }

    /// Every object with its properties, as lines.
    /// - Parameter ordered: whether the order within ordered relationships counts, which change sets do not contain.
    func objects(ordered: Bool = true) throws -> [String] {
        try Portrait.of(SQLiteStore(folder.store, model: model), ordered: ordered)
    }

    func registered() throws -> [String] {
        var identifiers: [String] = []
        try ChangeSetRegister(folder.applied).forEachChangeSet { identifiers.append($0.identifier ?? "?") }
        return identifiers.sorted()
    }
}
