import CoreDataStore
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSSync

/// A replay of a document up to a time, from which states of later times are made: whoever walks through the days does
/// not replay each of them from the beginning.
final class ReplayBase: Sendable {
    let folder: TemporaryFolder
    /// The whole store from which the replay began; nil for an empty store.
    let whole: WholeStoreSnapshot?
    /// Identifiers of the sets that it contains.
    let registered: Set<String>
    let model: ManagedObjectModel
    let state: ReplayState
    /// The sets that were applied.
    let sets: AppliedPrefix
    /// A number that changes with the whole stores from which the replay could begin.
    let wholeStores: Int

    init(
        _ folder: TemporaryFolder, _ whole: WholeStoreSnapshot?, _ registered: Set<String>,
        _ model: ManagedObjectModel, _ state: ReplayState, _ sets: AppliedPrefix, wholeStores: Int
    ) {
        self.folder = folder
        self.whole = whole
        self.registered = registered
        self.model = model
        self.state = state
        self.sets = sets
        self.wholeStores = wholeStores
    }

    /// The name of the store with the applied sets, without the end of a replay.
    static let store: FilePath.Component = "State.sqlite"
}

/// The first sets of a history that are older than a time.
struct AppliedPrefix: Sendable {
    /// The number of sets.
    private let count: Int
    /// A number that changes with each set.
    private let fingerprint: Int

    /// No sets.
    init() { (count, fingerprint) = (0, 0) }

    /// All sets that are older than `until`.
    init(_ history: ChangeHistory, until: FileTime?) {
        (count, fingerprint, _) = Self.read(history, until: until, most: .max)
    }

    private static func read(
        _ history: ChangeHistory, until: FileTime?, most: Int
    ) -> (count: Int, fingerprint: Int, next: Int) {
        var hasher = Hasher()
        var (count, next) = (0, 0)
        while next < history.count, count < most {
            let entry = history[next]
            next += 1
            if let until, entry.file.modified >= until { continue }
            hasher.combine(entry)
            count += 1
        }
        return (count, hasher.finalize(), next)
    }

    /// The position in a history behind these sets; nil if it does not begin with them, without regard to sets that are
    /// not older than `until`.
    func end(in history: ChangeHistory, until: FileTime?) -> Int? {
        let found = Self.read(history, until: until, most: count)
        return found.count == count && found.fingerprint == fingerprint ? found.next : nil
    }
}

/// The newest replay of each document that was looked at last. A thread that goes on with one takes it away.
final class ReplayBases: Sendable {
    private let kept = Mutex<[(document: RemotePath, base: ReplayBase)]>([])
    /// The number of documents.
    private static let most = 2

    func take(_ document: RemotePath) -> ReplayBase? {
        kept.withLock { kept in
            guard let position = kept.firstIndex(where: { $0.document == document }) else { return nil }
            return kept.remove(at: position).base
        }
    }

    func put(_ base: ReplayBase, for document: RemotePath) {
        kept.withLock { kept in
            kept.removeAll { $0.document == document }
            kept.append((document, base))
            if kept.count > Self.most { kept.removeFirst() }
        }
    }

    func removeAll() { kept.withLock { $0 = [] } }
}

/// The state of a document before a time, replayed.
struct DocumentState {
    let document: DocumentSnapshot
    let moment: RemoteMoment
    let until: FileTime?

    /// The result, and the replay for those that go on with it.
    struct Replayed {
        let base: ReplayBase
        /// The folder of the result.
        let folder: TemporaryFolder
        let record: ReplayRecord
        let external: ExternalDataCopy.Gaps

        var store: FilePath { folder.path.appending(ReplayBase.store) }
    }

    private var wholeStores: Int {
        var hasher = Hasher()
        for store in document.wholeStores {
            if let until, let file = store.store, file.modified >= until { continue }
            hasher.combine(store)
        }
        hasher.combine(document.sharedExternalData)
        return hasher.finalize()
    }

    /// Replays the document, as `ticds-store replay` does, from an earlier state if that is possible.
    /// - Parameter start: gets the stores that were not used, also if the replay fails.
    func replayed(
        after earlier: ReplayBase?, _ start: inout StartingStore
    ) throws(FileProblem) -> Replayed {
        let history = ChangeHistory(of: document, order: .sending)
        let wholeStores = wholeStores
        if let earlier, earlier.wholeStores == wholeStores,
            let next = earlier.sets.end(in: history, until: until)
        {
            let store = try WritableStore(
                earlier.folder.path.appending(ReplayBase.store), model: earlier.model,
                identifier: SyncID.attribute)
            return try result(of: advance(earlier, along: history, from: next, in: store))
        }
        let folder = try privateFolder()
        var choice = StartingStore.Choice()
        choice.until = until
        let store = try start.open(choice, at: folder.path.appending(ReplayBase.store))
        let base = ReplayBase(
            folder, start.whole, start.registered ?? [], store.model, ReplayState(), AppliedPrefix(),
            wholeStores: wholeStores)
        return try result(of: advance(base, along: history, from: 0, in: store))
    }

    /// The base with the sets from a position on applied, whose store is closed.
    private func advance(
        _ base: ReplayBase, along history: ChangeHistory, from next: Int, in store: consuming WritableStore
    ) throws(FileProblem) -> ReplayBase {
        var state = base.state
        try replay(from: base).advance(
            &state, along: history, from: next, in: moment.storage, moment.keyring, into: store)
        // Nobody writes a register.
        state.record.appliedSets = []
        try store.finish()
        return ReplayBase(
            base.folder, base.whole, base.registered, base.model, state,
            AppliedPrefix(history, until: until), wholeStores: base.wholeStores)
    }

    private func replay(from base: ReplayBase) -> Replay {
        var replay = Replay()
        replay.registered = base.registered
        replay.until = until
        return replay
    }

    /// A copy of the base in which the replay ends.
    private func result(of base: ReplayBase) throws(FileProblem) -> Replayed {
        let folder = try privateFolder()
        let work = folder.path.appending(ReplayBase.store)
        try StoreCopy.copy(base.folder.path.appending(ReplayBase.store), to: work)
        let (record, names) = try finish(base, at: work)
        let external = try ExternalDataCopy.copy(
            names, of: base.whole, in: document, moment.storage, moment.keyring, beside: work)
        return Replayed(base: base, folder: folder, record: record, external: external)
    }

    /// Ends the replay in a store, and closes the store: each open one may keep all its pages in memory.
    private func finish(
        _ base: ReplayBase, at work: FilePath
    ) throws(FileProblem) -> (record: ReplayRecord, externalFiles: Set<String>) {
        let store = try WritableStore(work, model: base.model, identifier: SyncID.attribute)
        let record = try replay(from: base).finish(base.state, in: store)
        let names = try store.externalFiles()
        try store.finish()
        return (record, names)
    }

    private func privateFolder() throws(FileProblem) -> TemporaryFolder {
        let folder = try TemporaryFolder(prefix: "ticds-mount")
        folder.represent(document.path.filePath(under: moment.storage.root), as: ReplayBase.store)
        return folder
    }
}
