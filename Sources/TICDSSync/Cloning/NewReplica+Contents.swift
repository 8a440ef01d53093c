import CoreDataStore
import KeyedArchive
public import SystemCalls
public import SystemPackage
public import TICDSCore

extension NewReplica {
    /// What is in a replica that was made, and what people should know of it.
    public struct Contents: Sendable {
        /// The store that it begins with.
        public var start: StartingStore
        /// Lines of the register.
        public var registeredChangeSets = 0
        /// Objects in it.
        public var objects = 0
        /// Objects that no client can refer to: they have no sync ID.
        public var objectsWithoutSyncID = 0
        /// Files of external data that the store refers to and that cannot be found.
        public var externalDataMissing = 0
    }

    /// Makes everything that is in the folder.
    /// - Parameters:
    ///   - model: the model of the app, or a folder of models; kept with the replica.
    ///   - client: the client whose whole store is taken; nil for the newest that can be used.
    /// - Throws: as `StartingStore` does.
    public func fill(
        _ configuration: ReplicaConfiguration, of document: DocumentSnapshot, key: RemoteName,
        in storage: LocalStorage, _ keyring: RemoteKeyring, model: FilePath?, from client: RemoteName?
    ) throws(FileProblem) -> Contents {
        var start = StartingStore(of: document, in: storage, keyring, model: model)
        var choice = StartingStore.Choice()
        choice.client = client
        let external = try makeStore(&start, choice)
        var contents = Contents(start: start)
        contents.externalDataMissing = try ExternalDataCopy.copy(
            external, of: start.whole, in: document, storage, beside: folder.store)
        let store = try SQLiteStore(folder.store)
        if let model { try keep(model, for: store) }
        try count(store, &contents)
        // Where the whole store has no register that can be read, none: sets that are in the store are applied a
        // second time then, as the framework does.
        contents.registeredChangeSets = start.lines.count
        try ReplicaSession.prepare(folder, configuration, integrityKey: key, register: start.lines)
        return contents
    }

    /// The store, as one file that any tool can edit.
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

    /// Keeps the model that fits the store, and no other.
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
        try store.forEachText(of: SyncID.attribute) { _, _, text in if text?.isEmpty != false { without += 1 }
        }
        contents.objectsWithoutSyncID = without
    }
}
