public import CoreDataStore
public import SystemCalls
public import SystemPackage

/// The store from which a new copy of a document starts: the newest usable whole store, or an empty store.
public struct StartingStore: Sendable {
    /// A whole store that was not used, and the reason.
    public struct Refusal: Sendable {
        /// Identifier of the client that uploaded the store.
        public var client: RemoteName
        /// The reason why it was not used.
        public var problem: FileProblem
        /// Whether the choice leaves the store out.
        public var isChosen = false

        /// The reason, in one line.
        public var reason: String { problem.found.map { "\(problem.problem): \($0)" } ?? problem.problem }
    }

    /// The stores that may be used.
    public struct Choice: Sendable {
        /// Only the store of this client.
        public var client: RemoteName?
        /// Whether to start with an empty store.
        public var setsAlone = false
        /// Only stores that were modified before this.
        public var until: FileTime?
        /// Only stores without changes of these clients.
        public var without: Set<RemoteName> = []

        /// A choice of any store of any client.
        public init() {}
    }

    /// The whole store; nil if the document starts with an empty store.
    public private(set) var whole: WholeStoreSnapshot?
    /// The layers around the store, from the outside in.
    public private(set) var layers: [WholeStoreKind] = []
    /// Identifiers of the sets that the store contains; nil if they are unknown.
    public private(set) var registered: Set<String>?
    /// The lines of its register.
    public private(set) var lines: [RegisteredChangeSet] = []
    /// Sets of clients that should be left out, but are in the store.
    public private(set) var setsNotLeftOut = 0
    /// Stores that were not used.
    public private(set) var refusals: [Refusal] = []
    /// The errors of newer stores that should have been used: the result may lack what only they contain.
    public var unusable: [FileProblem] { refusals.filter { !$0.isChosen }.map(\.problem) + shortfalls }
    /// The reasons why objects of the store may be missing.
    private var shortfalls: [FileProblem] = []
    /// Objects of a binary store that cannot be read or converted.
    public private(set) var damagedObjects = 0
    /// The notes for readers of the store.
    public private(set) var notes: [StoreNote] = []
    let storage: any RemoteStorage
    let document: DocumentSnapshot
    private let keyring: RemoteKeyring
    private let model: FilePath?

    /// - Parameter model: the model of the app, or a folder of models; needed if the store contains none.
    public init(
        of document: DocumentSnapshot, in storage: any RemoteStorage, _ keyring: RemoteKeyring,
        model: FilePath?
    ) {
        self.storage = storage
        self.keyring = keyring
        self.document = document
        self.model = model
    }

    /// Makes the store at `work`, and opens it for writing.
    /// - Throws: `.unknownName` if the chosen client has no store; `.refused` if there is neither a store nor a model;
    ///   the error of the keyring if the password is missing or wrong; the error of the chosen client's store, or of a
    ///   model that cannot be read.
    public mutating func open(_ choice: Choice, at work: FilePath) throws(FileProblem) -> WritableStore {
        let wanted = document.wholeStores.filter {
            !choice.setsAlone && (choice.client == nil || $0.client == choice.client)
        }
        wanted.filter { $0.store == nil }.forEach { noteUnread($0) }
        let uploads = wanted.filter { $0.store != nil }.sorted {
            ($0.store?.modified ?? .now) > ($1.store?.modified ?? .now)
        }
        if let client = choice.client, uploads.isEmpty {
            throw FileProblem(
                .unknownName, path: document.path.filePath(under: storage.root),
                "the client has uploaded no whole store", found: client.text,
                advice: "Choose another client with --from")
        }
        for upload in uploads {
            do throws(FileProblem) {
                guard let store = try use(upload, choice, at: work) else { continue }
                whole = upload
                return store
            } catch {
                if [.encrypted, .wrongPassword, .writeFailed].contains(error.kind) { throw error }
                // An unreadable or invalid model is not a fault of a store.
                if let model, error.path.starts(with: model),
                    error.isUnread || error.path == model && [.missing, .unsupported].contains(error.kind)
                {
                    throw error
                }
                refusals.append(Refusal(client: upload.client, problem: error))
                Self.discard(work)
            }
        }
        if choice.client != nil, let refusal = refusals.first(where: { !$0.isChosen }) {
            throw refusal.problem
        }
        return try openEmpty(at: work)
    }

    /// Records an upload whose store is not a file, such as a link: it may be the newest upload.
    private mutating func noteUnread(_ upload: WholeStoreSnapshot) {
        do throws(FileProblem) {
            _ = try storage.open(upload.path.appending(RemoteLayout.wholeStoreFile))
        } catch {
            if error.kind != .missing { refusals.append(Refusal(client: upload.client, problem: error)) }
        }
    }

    private mutating func leaveOut(_ upload: WholeStoreSnapshot, _ place: FilePath, _ reason: String) {
        let problem = FileProblem(.refused, path: place, reason, advice: "Choose another one with --from")
        refusals.append(Refusal(client: upload.client, problem: problem, isChosen: true))
    }

    /// Uses a store; returns nil if the choice leaves it out.
    private mutating func use(
        _ upload: WholeStoreSnapshot, _ choice: Choice, at work: FilePath
    ) throws(FileProblem) -> WritableStore? {
        guard let file = upload.store else { throw FileProblem(.missing, path: work, "no store") }
        let place = file.path.filePath(under: storage.root)
        if let until = choice.until, file.modified >= until {
            leaveOut(upload, place, "is not older than the given time")
            return nil
        }
        let known = try register(upload)
        if choice.client == nil, !choice.without.isEmpty {
            guard let known else {
                leaveOut(upload, place, "may contain changes of the clients to be left out")
                return nil
            }
            if let client = known.clients.first(where: { choice.without.contains(RemoteName($0)) })
                ?? (choice.without.contains(upload.client) ? upload.client.text : nil)
            {
                leaveOut(upload, place, "contains changes of \(client)")
                return nil
            }
        }
        let opened = try WholeStoreFile.open(file.path, in: storage, keyring: keyring)
        do throws(FileProblem) {
            let writable = try copy(opened, to: work)
            registered = known?.identifiers
            lines = known?.lines ?? []
            if known == nil, let register = upload.register {
                shortfalls.append(
                    FileProblem(
                        .damaged, path: register.path.filePath(under: storage.root),
                        "the register beside the whole store is damaged, so that sets which the store has may be applied again",
                        advice: "Choose another whole store with --from"))
            }
            setsNotLeftOut = known?.count(choice.without) ?? 0
            return writable
        } catch {
            // Problems of copies are reported for the file in the remote.
            throw [opened.path, work].contains(error.path) ? error.renamed(place) : error
        }
    }

    /// Copies a whole store to `work`, and opens it there for writing.
    private mutating func copy(
        _ opened: WholeStoreFile, to work: FilePath
    ) throws(FileProblem) -> WritableStore {
        let found = try model.map { path throws(FileProblem) in
            try ModelFile.load(path, for: opened.path, mismatch: .refuse)
        }
        let store = try PersistentStores.open(opened.path, model: found?.model)
        var damaged = 0
        if store is SQLiteStore {
            try StoreCopy.copy(opened.path, to: work)
        } else {
            try StoreCopy.convert(store, to: work) { _ in damaged += 1 }
        }
        let writable = try WritableStore(
            work, model: found?.model ?? store.model, identifier: SyncID.attribute)
        notes = store.notes
        shortfalls = store.shortfalls
        damagedObjects = damaged
        if damaged > 0 {
            let objects = damaged == 1 ? "1 object" : "\(damaged) objects"
            notes.append(
                StoreNote(
                    code: "objectsUnreadable",
                    text: "\(objects) of the whole store cannot be read or converted"))
        }
        layers = opened.layers
        return writable
    }

    /// Removes an unfinished store.
    private static func discard(_ work: FilePath) {
        // try?: it stays
        guard let folder = try? OwnedDescriptor.folder(work.removingLastComponent()) else { return }
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let name = (work.lastComponent.map(\.bytes) ?? []) + Array(suffix.utf8)
            try? folder.remove(FilePath(pathBytes: name))  // try?: some of these do not exist
        }
    }

    /// A new store for the model.
    private func openEmpty(at work: FilePath) throws(FileProblem) -> WritableStore {
        guard let model else { throw noStart("no model to make one") }
        let loaded: ManagedObjectModel
        do throws(FileProblem) {
            loaded = try ModelFile.load(model)
        } catch {
            guard refusals.isEmpty else { throw noStart("--model names no single model to make one") }
            throw error
        }
        try SQLiteStoreWriter(creating: work, model: loaded).finish()
        return try WritableStore(work, model: loaded, identifier: SyncID.attribute)
    }

    private func noStart(_ model: String) -> FileProblem {
        let others = refusals.map { "\($0.client): \($0.reason)" }
        let remote = ShellWord.quoted(storage.root)
        let asUploaded = refusals.first.map {
            """
            , or export a whole store as it was uploaded: ticds-store export \(remote) \
            --document=\(ShellWord.quoted(document.identifier.bytes)) --client=\(ShellWord.quoted($0.client.bytes)) --to FOLDER
            """
        }
        return FileProblem(
            .refused, path: document.path.filePath(under: storage.root),
            refusals.isEmpty
                ? "there is no whole store to start from, and \(model)"
                : "no whole store can be used to start from, and there is \(model)",
            found: others.isEmpty ? nil : others.joined(separator: "; "),
            advice: "Give the model of the app with --model" + (asUploaded ?? ""))
    }

    /// The sets that a register lists.
    struct Register {
        var identifiers: Set<String> = []
        var clients: Set<String> { Set(counts.keys) }
        private(set) var lines: [RegisteredChangeSet] = []
        private var counts: [String: Int] = [:]

        func count(_ clients: Set<RemoteName>) -> Int { clients.reduce(0) { $0 + (counts[$1.text] ?? 0) } }

        mutating func add(_ changeSet: RegisteredChangeSet) {
            guard let identifier = changeSet.identifier, identifiers.insert(identifier).inserted else {
                return
            }
            lines.append(changeSet)
            counts[changeSet.clientIdentifier ?? "", default: 0] += 1
        }
    }

    /// The register beside a whole store; nil if it does not exist or is damaged.
    /// - Throws: the error of reading it, since without it the sets in the store would be applied again.
    func register(_ upload: WholeStoreSnapshot) throws(FileProblem) -> Register? {
        guard let file = upload.register else { return nil }
        return try unlessInvalid { () throws(FileProblem) in
            var register = Register()
            try ChangeSetRegister(storage.onDisk(file.path)).forEachChangeSet { register.add($0) }
            return register
        }
    }

    /// The sets that clients have applied, and that the remote no longer contains. The register of the used store has
    /// already been read.
    public var goneSets: GoneSets {
        GoneSets(from: document, in: storage, butThatOf: registered == nil ? nil : whole?.client)
    }
}
