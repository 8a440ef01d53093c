import Base
import CoreDataStore
public import SystemCalls
public import SystemPackage
public import TICDSCore
public import TICDSOperations

/// A replica's folder during its creation, hidden beside its place; if unfinished, it is removed with this value.
public final class NewReplica: Sendable {
    /// The final path of the folder.
    public let place: FilePath
    /// The hidden folder in which the replica is created.
    public let folder: ReplicaFolder
    private let aside: TemporaryFolder
    private let name: FilePath

    /// - Parameter remote: the application folder, in which no replica may be; nil for a remote that is not in a local
    ///   folder.
    /// - Throws: `.refused` if `place` exists and is not an empty folder, or is inside the remote; `.missing` if the
    ///   parent folder does not exist.
    public init(at place: FilePath, remote: FilePath?) throws(FileProblem) {
        guard let component = place.lastComponent, component.kind == .regular else {
            throw FileProblem(
                .refused, path: place, "cannot be used as the name of a folder", advice: "Give another name")
        }
        guard let resolved = try place.parent.resolved() else {
            throw .noFolder(place.parent)
        }
        self.place = resolved.appending(component)
        name = FilePath(root: nil, [component])
        if let remote, self.place.starts(with: try remote.resolved() ?? remote) {
            throw FileProblem(
                .refused, path: place, "lies inside the remote, where it would harm the clients",
                advice: "Choose a place outside it")
        }
        // A clone that was killed after its last step leaves its hidden folder, and its replica, which is refused next.
        TemporaryFolder.removeAbandoned(in: resolved, prefix: Self.prefix)
        try Self.checkFree(self.place)
        aside = try TemporaryFolder(in: resolved, prefix: Self.prefix)
        folder = ReplicaFolder(aside.path.appending(component))
        aside.represent(place, as: component)
        // Mode 0700: the files in it are decrypted.
        try OwnedDescriptor.folder(aside.path).makeFolder(name, mode: 0o700)
    }

    private static let prefix = ".ticds-clone"

    private static func checkFree(_ place: FilePath) throws(FileProblem) {
        guard let status = try FileStatus.ifPresent(place) else { return }
        var isFree = status.kind == .folder
        if isFree {
            try DirectoryReader.forEachEntry(of: try OwnedDescriptor.folder(place)) { _, _ in isFree = false }
        }
        if isFree { return }
        // try?: only chooses between two refusals
        let isReplica = (try? FileStatus.of(ReplicaFolder(place).configuration)) != nil
        throw FileProblem(
            .refused, path: place, isReplica ? "is already a replica" : "exists already, and is not empty",
            advice: isReplica ? "Bring it up to date with ticds-sync run" : "Choose another place")
    }

    /// Gives the finished folder its final name with rename(2), once the files are on disk.
    public func publish() throws(FileProblem) {
        let own = try OwnedDescriptor.folder(folder.path)
        try own.syncVolume()
        try Self.checkFree(place)
        try NewFile.rename(folder.path, to: place)
        try OwnedDescriptor.folder(place.removingLastComponent()).sync()
    }

    /// The content of a new replica, and what may be missing in it.
    public struct Contents: Sendable {
        /// The store with which it begins.
        public var start: StartingStore
        /// The number of change sets that the register of the replica lists.
        public var registeredChangeSets = 0
        /// The number of objects in the store.
        public var objects = 0
        /// The number of objects without a sync ID, to which no change set can refer.
        public var objectsWithoutSyncID = 0
        /// The number of missing files of external data that the store names.
        public var externalDataMissing = 0
        /// The errors of files of external data that cannot be read.
        public var externalDataUnread: [FileProblem] = []
    }

    /// Creates all files of the replica.
    /// - Parameters:
    ///   - model: the model of the app, or a folder of models; the matching one is copied into the replica.
    ///   - client: the client whose whole store is used; nil for the newest usable one.
    public func fill(
        _ configuration: ReplicaConfiguration, of document: DocumentSnapshot, key: RemoteName,
        in storage: any RemoteStorage, _ keyring: RemoteKeyring, model: FilePath?, from client: RemoteName?
    ) throws(FileProblem) -> Contents {
        var start = StartingStore(of: document, in: storage, keyring, model: model)
        var choice = StartingStore.Choice()
        choice.client = client
        let external = try makeStore(&start, choice)
        // A store that may become readable later is no reason to start permanently from less.
        if var unread = start.unusable.first(where: \.isUnread) {
            unread.advice = "Try again, or choose another whole store with --from"
            throw unread
        }
        var contents = Contents(start: start)
        let gaps = try ExternalDataCopy.copy(
            external, of: start.whole, in: document, storage, keyring, beside: folder.store)
        contents.externalDataMissing = gaps.missing
        contents.externalDataUnread = gaps.unread
        let store = try SQLiteStore(folder.store, examines: false)
        if let model { try keep(model, for: store) }
        try count(store, &contents)
        // Without a readable register beside the whole store there are no lines: the first run then applies the sets
        // in the store a second time, as the framework does.
        contents.registeredChangeSets = start.lines.count
        try ReplicaSession.prepare(folder, configuration, integrityKey: key, register: start.lines)
        return contents
    }

    /// Writes the store as one file, without a log, which any tool can edit. Returns the store's files of external
    /// data.
    private func makeStore(
        _ start: inout StartingStore, _ choice: StartingStore.Choice
    ) throws(FileProblem) -> Set<String> {
        let external: Set<String>
        do {
            let store = try start.open(choice, at: folder.store)
            external = try store.externalFiles()
            try store.finish()
        }
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(
                uri: SQLiteURI.uri(of: folder.store, immutable: false), mode: .readWrite)
            try connection.execute("PRAGMA journal_mode = DELETE")
        } catch { throw error.problem(with: folder.store) }
        return external
    }

    /// Copies the model with the version hashes of the store into the replica.
    private func keep(_ model: FilePath, for store: SQLiteStore) throws(FileProblem) {
        let search = try ModelFile.candidates(in: model, for: store.metadata.versionHashes)
        guard let fitting = try search.best() else {
            throw FileProblem(
                .refused, path: model, "is not the model that the store was saved with",
                advice: "ticds-store list shows the version hashes of the whole stores")
        }
        let bytes = try FileBytes.read(fitting.path, limit: .model)
        try NewFile.write(bytes.array, to: folder.model)
    }

    private func count(_ store: SQLiteStore, _ contents: inout Contents) throws(FileProblem) {
        contents.objects = try store.objectCounts().reduce(0) { $0 + $1.count }
        var without = 0
        try store.forEachText(of: SyncID.attribute) { _, _, text in
            if text?.isEmpty != false { without += 1 }
        }
        contents.objectsWithoutSyncID = without
    }
}

extension RegistrationPlanner {
    /// The plan that registers the client of a replica with the app and with the document (ticds-protocol(7), 1.1 and
    /// 1.2); without actions if the client is registered. A replica that was created offline registers at its first
    /// run.
    /// - Throws: `.refused` for an identifier that clients would not list; `.unknownName` if the document does not exist;
    ///   `.encrypted` if the password is missing.
    public func plan(registering replica: ReplicaConfiguration) throws(FileProblem) -> Plan {
        try plan(
            registering: DeviceInfo(description: replica.description, identifier: replica.client),
            joining: RemoteName(replica.document))
    }
}

/// The conditions for the registration of a replica's client.
public enum ReplicaRegistration {
    /// The document's only integrity key, which each run compares (ticds-protocol(7), 1.8.1).
    /// - Throws: `.refused` if there is no key, or a different one; the reason why a part of the key's folder could not
    ///   be read.
    public static func integrityKey(
        of document: RemoteName, in snapshot: RemoteSnapshot, _ storage: any RemoteStorage
    ) throws(FileProblem) -> RemoteName {
        let folder = IntegrityKeyFolder(of: document, in: snapshot, storage)
        _ = try snapshot.tree.listing(folder.path).whole
        let keys = folder.keys
        guard let key = keys.first, keys.count == 1 else {
            throw FileProblem(
                .refused, path: folder.path.filePath(under: storage.root),
                keys.isEmpty
                    ? "the document has no integrity key; without one no client can register"
                    : "the document has several integrity keys; clients may take any of them",
                found: keys.isEmpty ? nil : keys.map(\.name.text).joined(separator: ", "),
                advice: "For details, run ticds-integrity check")
        }
        return key.name
    }

    /// Refuses an identifier that is in use.
    /// - Throws: `.refused` if a client with this identifier is a member of the document.
    public static func checkFree(
        _ client: RemoteName, in document: DocumentSnapshot, _ storage: any RemoteStorage
    ) throws(FileProblem) {
        guard let member = document.client(client) else { return }
        throw FileProblem(
            .refused, path: document.path.filePath(under: storage.root),
            "there is already a client \"\(member.identifier)\" in the document: two clients with one identifier never see each other's changes",
            advice:
                "Choose another identifier; if that client is gone for good, remove it with ticds-client delete first"
        )
    }
}
