import CoreDataStore
import KeyedArchive
public import SystemCalls
public import SystemPackage
public import TICDSCore

extension NewReplica {
    /// What a new replica contains, and what may be missing in it.
    public struct Contents: Sendable {
        /// The store that it begins with.
        public var start: StartingStore
        /// Change sets that the register of the replica lists.
        public var registeredChangeSets = 0
        /// Objects in the store.
        public var objects = 0
        /// Objects without a sync ID, to which no change set can refer.
        public var objectsWithoutSyncID = 0
        /// Files of external data that the store names and that do not exist.
        public var externalDataMissing = 0
        /// Why other such files cannot be read.
        public var externalDataUnread: [FileProblem] = []
    }

    /// Creates all files of the replica.
    /// - Parameters:
    ///   - model: the model of the app, or a folder of models; the fitting one is copied into the replica.
    ///   - client: the client whose whole store is used; nil for the newest usable one.
    /// - Throws: as `StartingStore` does.
    public func fill(
        _ configuration: ReplicaConfiguration, of document: DocumentSnapshot, key: RemoteName,
        in storage: any RemoteStorage, _ keyring: RemoteKeyring, model: FilePath?, from client: RemoteName?
    ) throws(FileProblem) -> Contents {
        var start = StartingStore(of: document, in: storage, keyring, model: model)
        var choice = StartingStore.Choice()
        choice.client = client
        let external = try makeStore(&start, choice)
        var contents = Contents(start: start)
        let gaps = try ExternalDataCopy.copy(
            external, of: start.whole, in: document, storage, keyring, beside: folder.store)
        contents.externalDataMissing = gaps.missing
        contents.externalDataUnread = gaps.unread
        let store = try SQLiteStore(folder.store)
        if let model { try keep(model, for: store) }
        try count(store, &contents)
        // Without a readable register beside the whole store there are no lines: the first run then applies the sets
        // in the store a second time, as the framework does.
        contents.registeredChangeSets = start.lines.count
        try ReplicaSession.prepare(folder, configuration, integrityKey: key, register: start.lines)
        return contents
    }

    /// Writes the store as one file without a write-ahead log, which any tool can edit.
    /// - Returns: the names of its files of external data.
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
        } catch {
            throw error.problem(with: folder.store)
        }
        return external
    }

    /// Copies the model with the version hashes of the store into the replica.
    private func keep(_ model: FilePath, for store: SQLiteStore) throws(FileProblem) {
        let search = try ModelFile.candidates(in: model, for: store.metadata.versionHashes)
        guard let fitting = search.fitting.first else {
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
