import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSArchives
import TICDSCommandLine
import TICDSCore

/// Where a replay starts from: the newest whole store that can be used, or nothing.
struct ReplayStart {
    /// A store that was looked at and not taken.
    struct Refusal {
        var client: RemoteName
        var problem: FileProblem
    }

    /// The whole store; nil where the sets alone make the store.
    private(set) var whole: WholeStoreSnapshot?
    private(set) var layers: [WholeStoreKind] = []
    /// Identifiers of the sets that the store has in it; nil where that is not known.
    private(set) var registered: Set<String>?
    /// Sets of clients that are to be left out, but are in the store.
    private(set) var setsNotLeftOut = 0
    private(set) var refusals: [Refusal] = []
    private(set) var notes: [StoreNote] = []
    private let remote: OpenRemote
    private let vault: RemoteVault
    private let document: DocumentSnapshot
    private let model: FilePath?

    init(_ remote: OpenRemote, _ vault: RemoteVault, _ document: DocumentSnapshot, model: FilePath?) {
        self.remote = remote
        self.vault = vault
        self.document = document
        self.model = model
    }

    /// Which stores may be taken.
    struct Choice {
        /// Only the store of this client.
        var client: RemoteName?
        /// No store at all.
        var setsAlone = false
        var until: FileTime?
        var without: Set<RemoteName> = []
    }

    /// Makes the store to go on from at `work`, and opens it for writing.
    mutating func open(_ choice: Choice, at work: FilePath) throws(FileProblem) -> WritableStore {
        let uploads = document.wholeStores.filter { $0.store != nil && !choice.setsAlone }
            .filter { choice.client == nil || $0.client == choice.client }
            .sorted { ($0.store?.modified ?? .now) > ($1.store?.modified ?? .now) }
        if let client = choice.client, uploads.isEmpty {
            throw FileProblem(
                .unknownName, path: document.path.filePath(under: remote.path),
                "the client has uploaded no whole store", found: client.text)
        }
        for upload in uploads {
            do throws(FileProblem) {
                let store = try use(upload, choice, at: work)
                whole = upload
                return store
            } catch {
                if [.encrypted, .wrongPassword, .writeFailed].contains(error.kind) { throw error }
                refusals.append(Refusal(client: upload.client, problem: error))
                Self.discard(work)
            }
        }
        return try openEmpty(at: work)
    }

    private mutating func use(
        _ upload: WholeStoreSnapshot, _ choice: Choice, at work: FilePath
    ) throws(FileProblem) -> WritableStore {
        guard let file = upload.store else { throw FileProblem(.missing, path: work, "no store") }
        let place = file.path.filePath(under: remote.path)
        if let until = choice.until, file.modified >= until {
            throw FileProblem(.refused, path: place, "is not older than the moment asked for")
        }
        let known = register(upload)
        if choice.client == nil, !choice.without.isEmpty {
            guard let known else {
                throw FileProblem(
                    .refused, path: place,
                    "nobody knows whether changes of the clients to be left out are in it")
            }
            if let client = known.clients.first(where: { choice.without.contains(RemoteName($0)) })
                ?? (choice.without.contains(upload.client) ? upload.client.text : nil)
            {
                throw FileProblem(.refused, path: place, "has changes of \(client) in it")
            }
        }
        let opened = try WholeStoreFile.open(file.path, in: remote.storage, vault: vault)
        let found = try model.map { path throws(FileProblem) in
            try ModelArgument(path).resolve(for: opened.path)
        }
        let store = try PersistentStores.open(
            opened.path, model: found?.model, origin: found.map { .file($0.path) } ?? .none)
        var damaged = 0
        if store is SQLiteStore {
            try StoreCopy.copy(opened.path, to: work)
        } else {
            try StoreCopy.convert(store, to: work) { _ in damaged += 1 }
        }
        let writable = try WritableStore(
            work, model: found?.model ?? store.model, identifier: SyncID.attribute)
        notes = store.notes
        if damaged > 0 {
            notes.append(
                StoreNote(
                    code: "objectsUnreadable",
                    text:
                        "\(Quantities.count(damaged, "object")) of the whole store cannot be read or converted"
                ))
        }
        registered = known?.identifiers
        setsNotLeftOut = known?.count(choice.without) ?? 0
        layers = opened.layers
        return writable
    }

    /// Removes what was begun.
    private static func discard(_ work: FilePath) {
        guard let folder = try? OpenFile.folder(work.removingLastComponent()) else { return }
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let name = (work.lastComponent.map(\.bytes) ?? []) + Array(suffix.utf8)
            try? folder.remove(FilePath(pathBytes: name))
        }
    }

    /// A new store for the model.
    private func openEmpty(at work: FilePath) throws(FileProblem) -> WritableStore {
        guard let model else {
            let others = refusals.map { "\($0.client): \(ReplayReport.reason($0.problem))" }.joined(
                separator: "; ")
            throw FileProblem(
                .refused, path: document.path.filePath(under: remote.path),
                "there is no whole store to start from, and no model to make one",
                found: others.isEmpty ? nil : others,
                advice: "Give the model of the app with --model")
        }
        let loaded = try ModelFile.load(model)
        try SQLiteStoreWriter(creating: work, model: loaded).finish()
        return try WritableStore(work, model: loaded, identifier: SyncID.attribute)
    }
}

extension ReplayStart {
    /// The sets that a register lists.
    struct Register {
        var identifiers: Set<String> = []
        var clients: Set<String> { Set(counts.keys) }
        private var counts: [String: Int] = [:]

        func count(_ clients: Set<RemoteName>) -> Int { clients.reduce(0) { $0 + (counts[$1.text] ?? 0) } }

        mutating func add(_ changeSet: RegisteredChangeSet) {
            guard let identifier = changeSet.identifier, identifiers.insert(identifier).inserted else {
                return
            }
            counts[changeSet.clientIdentifier ?? "", default: 0] += 1
        }
    }

    /// The register beside a whole store; nil where there is none that can be read.
    private func register(_ upload: WholeStoreSnapshot) -> Register? {
        guard let file = upload.register else { return nil }
        var register = Register()
        do throws(FileProblem) {
            try ChangeSetRegister(file.path.filePath(under: remote.path)).forEachChangeSet {
                register.add($0)
            }
            return register
        } catch {
            return nil
        }
    }

    /// Sets that some client has applied, and that are neither in the store nor in the remote any more.
    func lostSets() -> Int {
        var present = registered ?? []
        for client in document.clients {
            for file in client.changeSets { present.insert(file.identifier.text) }
        }
        var lost: Set<String> = []
        for upload in document.wholeStores {
            if let register = register(upload) { lost.formUnion(register.identifiers.subtracting(present)) }
        }
        return lost.count
    }
}
