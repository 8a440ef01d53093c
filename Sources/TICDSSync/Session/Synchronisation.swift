import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// The part of a run that changes the document, in one transaction: records what was edited, applies the sets of the
/// others, and notes what was done (ticds-protocol(7), 4.8 and 5).
struct Synchronisation {
    let folder: ReplicaFolder
    let configuration: ReplicaConfiguration
    let options: RunOptions
    let now: Double
    /// Decides what the policy leaves to a person.
    let resolve: (OpenConflict) throws(FileProblem) -> SyncResolution

    /// Changes of one's own that are left to send.
    private(set) var remaining: [SyncChange] = []
    /// Sets that are in the document now.
    private(set) var applied: [FetchedSet] = []
    /// Originals of sets that are copies.
    private var copies: [String: String] = [:]
    /// What the document's file is like after the transaction; nil where somebody has written to it since.
    private(set) var signature: [UInt8]?

    init(
        _ folder: ReplicaFolder, _ configuration: ReplicaConfiguration, _ options: RunOptions, now: Double,
        resolve: @escaping (OpenConflict) throws(FileProblem) -> SyncResolution
    ) {
        self.folder = folder
        self.configuration = configuration
        self.options = options
        self.now = now
        self.resolve = resolve
    }

    /// Carries the transaction out; whatever fails, the document is as before.
    /// - Parameters:
    ///   - sets: in order of application.
    ///   - earlier: changes of one's own that were recorded before.
    mutating func run(
        _ sets: [PlacedSet], earlier: [SyncChange], _ report: inout RunReport
    ) throws(FileProblem) {
        signature = try Self.transaction(folder, isDryRun: options.isDryRun) { (store) throws(FileProblem) in
            try work(sets, earlier, store, &report)
        }
    }

    /// Opens the document, and ends its transaction after `body`; whatever fails, it is as before.
    /// - Returns: what the document's file is like then; nil where somebody has written to it since, and for a dry run.
    static func transaction(
        _ folder: ReplicaFolder, isDryRun: Bool, _ body: (WritableStore) throws(FileProblem) -> Void
    ) throws(FileProblem) -> [UInt8]? {
        let store = try openStore(folder)
        do throws(FileProblem) {
            try body(store)
            if !isDryRun { return try finish(store, folder) }
            try store.rollBack()
            return nil
        } catch {
            try? store.rollBack()  // try?: SQLite rolls back at the next opening, too; the first error counts
            throw error
        }
    }

    /// Ends a transaction, with the document and what the others know of it on disk together.
    /// - Returns: what the document's file is like then; nil where somebody has written to it since.
    private static func finish(_ store: WritableStore, _ folder: ReplicaFolder) throws(FileProblem)
        -> [UInt8]?
    {
        try store.bringBaseUp()
        let before = try dataVersion(store)
        try store.finish()
        // try?: without it the next run looks at every row
        let signature = try? StoreSignature.of(folder.store)
        return try dataVersion(store) == before ? signature : nil
    }

    /// A number that changes when another program writes to the document.
    private static func dataVersion(_ store: WritableStore) throws(FileProblem) -> Int64? {
        try store.withConnection { connection throws(SQLiteError) in
            var row = try connection.prepare("PRAGMA main.data_version")
            return try row.step() ? row.integer(0) : nil
        }
    }

    private static func openStore(_ folder: ReplicaFolder) throws(FileProblem) -> WritableStore {
        let model =
            try FileStatus.ifPresent(folder.model) == nil ? nil : try ModelFile.load(folder.model)
        return try WritableStore(
            live: folder.store, base: folder.state, model: model, identifier: SyncID.attribute)
    }

    private mutating func work(
        _ sets: [PlacedSet], _ earlier: [SyncChange], _ store: WritableStore, _ report: inout RunReport
    ) throws(FileProblem) {
        let recorded = try Self.record(store, after: earlier, now: now, &report)
        let local = LocalEditRecorder.merged(earlier, recorded)
        let log = RunLog(time: now)
        let policy = options.conflicts ?? configuration.conflicts
        let decider = ConflictDecider(policy: policy, log: log, document: folder.store, ask: resolve)
        var check = ConflictCheck(
            LocalChanges(local),
            resolve: { conflict throws(FileProblem) in try decider.decide(conflict) },
            onNotice: { log.add($0) })
        var applier = ChangeApplier(StoreDocument(store)) { log.add($0) }
        var rules = SetCheck(store)
        var again = 0
        for (position, placed) in sets.enumerated() {
            guard case .new(let set) = placed else {
                let before = applier.applied
                log.isSilent = true
                if try applyAgain(placed, &rules, check.local, &applier) { report.setsAppliedAgain += 1 }
                log.isSilent = false
                again += applier.applied - before
                continue
            }
            log.begin(set)
            if let original = try original(of: set, store) {
                report.duplicates.append(
                    RunReport.Duplicate(
                        client: set.client.text, identifier: set.identifier, original: original))
                copies[set.identifier] = original
                applied.append(set)
                continue
            }
            let checked: CheckedSet
            do throws(FileProblem) {
                checked = try rules.read(FileBytes.read(set.file, limit: .changeSet), path: set.file)
            } catch {
                let bad = BadSet(client: set.client.text, identifier: set.identifier, problem: error)
                guard !set.isGone else {
                    report.forgotten.append(bad)
                    continue
                }
                report.badSets.append(bad)
                if (options.onBadSet ?? configuration.onBadSet) == .skip { continue }
                report.setsHeldBack += sets[(position + 1)...].count { $0.isNew }
                break
            }
            try apply(checked, &check, &applier)
            applied.append(set)
            report.setsApplied += 1
        }
        remaining = check.local.remaining
        log.isSilent = true
        again += try applyOwn(&applier)
        log.isSilent = false
        report.changesApplied = applier.applied - again
        report.changesWaiting = remaining.count
        log.fill(&report)
        try note(store, log)
    }

    private func apply(
        _ set: CheckedSet, _ check: inout ConflictCheck, _ applier: inout ChangeApplier<StoreDocument>
    ) throws(FileProblem) {
        if check.local.isEmpty {
            try set.forEachChange { (change) throws(FileProblem) in try applier.apply(change) }
        } else {
            var changes: [SyncChange] = []
            try set.forEachChange { changes.append($0) }
            for change in try check.admit(changes) { try applier.apply(change) }
        }
        try applier.finishSet()
    }

    /// Applies what is left of one's own changes once more: they are sent after the sets of the others, and come after
    /// them everywhere. Conflicts of attributes are decided by then; of relationships, insertions and deletions the check
    /// knows none.
    /// - Returns: how many took effect.
    private func applyOwn(_ applier: inout ChangeApplier<StoreDocument>) throws(FileProblem) -> Int {
        guard applier.applied > 0, !remaining.isEmpty else { return 0 }
        let before = applier.applied
        let sorted = remaining.enumerated().sorted {
            ($0.element.type.number, $0.offset) < ($1.element.type.number, $1.offset)
        }
        for (_, change) in sorted { try applier.apply(change) }
        try applier.finishSet()
        return applier.applied - before
    }

    /// Applies a set that is in the document once more, after one that belongs before it. What was edited here since
    /// stays.
    /// - Returns: false where the set is gone or damaged by now, or need not be applied.
    /// - Throws: where it cannot be read: without it the document would be another than the other replicas have.
    private func applyAgain(
        _ placed: PlacedSet, _ rules: inout SetCheck, _ local: LocalChanges,
        _ applier: inout ChangeApplier<StoreDocument>
    ) throws(FileProblem) -> Bool {
        guard case .known(let path, let read) = placed else { return false }
        let set = try unlessUnfit { () throws(FileProblem) in try rules.read(try read(), path: path) }
        guard let set else { return false }
        try set.forEachChange { (change) throws(FileProblem) in
            if let left = local.leave(change) { try applier.apply(left) }
        }
        try applier.finishSet()
        return true
    }

    /// What was edited since the last transaction, as sync changes.
    /// - Parameter earlier: changes that were recorded before, and wait.
    static func record(
        _ store: WritableStore, after earlier: [SyncChange], now: Double, _ report: inout RunReport
    ) throws(FileProblem) -> [SyncChange] {
        var tidied: [String] = []
        let edits = try store.edits(reserved: LocalEditRecorder.reserved(earlier)) { notice in
            // Columns of Core Data's own, which nobody means to edit.
            if notice.kind == .versionFilledIn || notice.kind == .entityFilledIn { return }
            let object = notice.identifier.isEmpty ? "row \(notice.primaryKey)" : notice.identifier
            tidied.append("\(notice.entity) \(object): \(notice.text)")
        }
        let recorded = LocalEditRecorder.changes(edits, model: store.model, now: now)
        report.editsRecorded = recorded.count
        report.tidied = tidied
        return recorded
    }

    /// The set that has the same contents and is in the document; nil where there is none.
    private func original(of set: FetchedSet, _ store: WritableStore) throws(FileProblem) -> String? {
        if let twin = applied.first(where: { $0.digest == set.digest }) { return twin.identifier }
        return try store.withConnection { (connection) throws(SQLiteError) in
            try ReplicaNotes.attached.set(withDigest: set.digest, connection)
        }
    }

    private func note(_ store: WritableStore, _ log: RunLog) throws(FileProblem) {
        if options.isDryRun { return }
        let sets = applied.map {
            NotedSet(
                identifier: $0.identifier, client: $0.client.text,
                creationDate: $0.modified.secondsSince2001,
                applied: now, digest: $0.digest, original: copies[$0.identifier], isRegistered: false)
        }
        let bytes = try OutgoingChanges.bytes(remaining, path: folder.beingSynchronized)
        let isSending = options.direction != .pull
        let transaction = SyncTransaction(uuid: ArchivedUUID.random().description, state: .open)
        if !sets.isEmpty {
            try RegisterFile.write(
                sets.map(\.registered),
                to: folder.unsavedApplied.appending(transaction.uuid + ReplicaFolder.unsavedSuffix))
        }
        try store.withConnection { (connection) throws(SQLiteError) in
            let notes = ReplicaNotes.attached
            try notes.add(sets, connection)
            try notes.add(log.events, connection)
            try notes.post(isSending ? bytes : nil, to: folder.beingSynchronized, connection)
            try notes.post(isSending ? nil : bytes, to: folder.unsynchronized, connection)
            if !sets.isEmpty { try notes.put(transaction, connection) }
        }
    }
}
