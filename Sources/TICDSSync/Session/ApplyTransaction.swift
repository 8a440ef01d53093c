import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// The part of a run that changes the document, in one transaction (ticds-protocol(7), 1.8 and 2).
struct ApplyTransaction {
    let folder: ReplicaFolder
    let configuration: ReplicaConfiguration
    let options: RunOptions
    let now: Double
    let setLimit: SetLimit
    /// Decides the conflicts for which the policy is `ask`.
    let resolve: (OpenConflict) throws(FileProblem) -> SyncResolution

    private(set) var remaining: [SyncChange] = []
    private(set) var applied: [FetchedSet] = []
    private(set) var copies: [String: String] = [:]
    /// The reason why the work ended: a set that had to be applied again and that cannot be read.
    private(set) var unreadable: UnreadableSet?
    /// The signature of the document after the transaction; nil if another program has written to it since.
    private(set) var signature: [UInt8]?

    mutating func run(
        _ sets: [SetToApply], earlier: [SyncChange], _ report: inout RunReport
    ) throws(FileProblem) {
        signature = try Self.transaction(folder, isDryRun: options.isDryRun) { (store) throws(FileProblem) in
            try work(sets, earlier, store, &report)
        }
    }

    /// Opens the document, runs `body`, and commits; rolls back after an error and in a dry run.
    /// - Returns: the signature of the document; nil if another program has written to it since, and for a dry run.
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

    /// Commits the document and its base, the store as the other clients know it, together.
    /// - Returns: the signature of the document; nil if another program has written to it since.
    private static func finish(_ store: WritableStore, _ folder: ReplicaFolder) throws(FileProblem)
        -> [UInt8]?
    {
        try store.updateBase()
        let before = try dataVersion(store)
        try store.finish()
        // try?: without it the next run looks at every row
        let signature = try? StoreSignature.of(folder.store)
        return try dataVersion(store) == before ? signature : nil
    }

    /// `PRAGMA data_version`, a number that changes when another connection writes to the document.
    private static func dataVersion(_ store: WritableStore) throws(FileProblem) -> Int64? {
        try store.withConnection { connection throws(SQLiteError) in
            var row = try connection.prepare("PRAGMA main.data_version")
            return try row.step() ? row.integer(0) : nil
        }
    }

    private static func openStore(_ folder: ReplicaFolder) throws(FileProblem) -> WritableStore {
        let model = try FileStatus.ifPresent(folder.model) == nil ? nil : try ModelFile.load(folder.model)
        return try WritableStore(
            live: folder.store, base: folder.state, model: model, identifier: SyncID.attribute)
    }

    private mutating func work(
        _ sets: [SetToApply], _ earlier: [SyncChange], _ store: WritableStore, _ report: inout RunReport
    ) throws(FileProblem) {
        let recorded = try Self.record(store, after: earlier, now: now, &report)
        let local = LocalEditRecorder.merged(earlier, recorded)
        let log = RunLog(time: now)
        let policy = options.conflicts ?? configuration.conflicts
        let resolver = ConflictResolver(policy: policy, log: log, document: folder.store, ask: resolve)
        var check = ConflictCheck(LocalChanges(local), resolve: resolver.resolve, onNotice: { log.add($0) })
        var applier = ChangeApplier(store) { log.add($0) }
        applier.notesLostOwners = !local.isEmpty || sets.contains { !$0.isNew }
        var rules = SetCheck(store)
        var again = 0
        for (position, next) in sets.enumerated() {
            guard case .new(let set) = next else {
                let before = applier.applied
                log.isSilent = true
                if try applyAgain(next, &rules, check.local, &applier) { report.setsAppliedAgain += 1 }
                log.isSilent = false
                again += applier.applied - before
                continue
            }
            log.begin(set)
            applier.source = SyncSource(client: set.client.text, changeSet: set.identifier)
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
        again += try applyLocalChanges(&applier)
        log.isSilent = false
        let removed = try applier.finish()
        report.removedWithOwner = removed.count
        remaining += LocalEditRecorder.deletions(of: removed, model: store.model, now: now)
        report.changesApplied = applier.applied - again
        report.changesWaiting = remaining.count
        log.fill(&report)
        try note(store, log)
    }

    private func apply(
        _ set: CheckedSet, _ check: inout ConflictCheck, _ applier: inout ChangeApplier<WritableStore>
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

    /// Applies the remaining local changes again: they are sent after the sets of the other clients, so every client
    /// applies them after those sets. The conflict check has decided about attributes; relationships, insertions and
    /// deletions never conflict.
    /// - Returns: the number of changes that took effect.
    private func applyLocalChanges(_ applier: inout ChangeApplier<WritableStore>) throws(FileProblem) -> Int {
        guard applier.applied > 0, !remaining.isEmpty else { return 0 }
        let before = applier.applied
        applier.source = SyncSource(client: configuration.client, changeSet: "")
        applier.isAgain = true
        defer { applier.isAgain = false }
        let sorted = remaining.enumerated().sorted {
            ($0.element.type.number, $0.offset) < ($1.element.type.number, $1.offset)
        }
        for (_, change) in sorted { try applier.apply(change) }
        try applier.finishSet()
        return applier.applied - before
    }

    /// Applies a set that is in the document again, after a new set that comes before it. Later local edits are kept.
    /// - Returns: false if the set is not of this kind, or if it cannot be read and bad sets are skipped.
    /// - Throws: an error if the set cannot be read, or no longer exists. Without it the document would differ from
    ///   other replicas, and lose the changes of the set.
    private mutating func applyAgain(
        _ next: SetToApply, _ rules: inout SetCheck, _ local: LocalChanges,
        _ applier: inout ChangeApplier<WritableStore>
    ) throws(FileProblem) -> Bool {
        guard case .known(let listed, let path, let read) = next else { return false }
        applier.source = SyncSource(client: listed.client.text, changeSet: listed.identifier)
        let set: CheckedSet
        do throws(FileProblem) {
            set = try rules.read(try read(), path: path)
        } catch {
            if error.isUnread { throw error }
            if (options.onBadSet ?? configuration.onBadSet) == .skip { return false }
            let gone = GoneSet(client: listed.client.text, identifier: listed.identifier, problem: error)
            unreadable = UnreadableSet(sent: listed.sent, gone: gone)
            throw error
        }
        applier.isAgain = true
        defer { applier.isAgain = false }
        try set.forEachChange { (change) throws(FileProblem) in
            if let remainder = local.remainder(of: change) { try applier.apply(remainder) }
        }
        try applier.finishSet()
        return true
    }

    /// The edits since the last transaction, as sync changes that follow the `earlier` ones.
    static func record(
        _ store: WritableStore, after earlier: [SyncChange], now: Double, _ report: inout RunReport
    ) throws(FileProblem) -> [SyncChange] {
        var recorded: [SyncChange] = []
        try record(store, after: earlier, now: now, &report) { recorded.append($0) }
        return recorded
    }

    /// Passes the edits since the last transaction to `body`, one by one.
    static func record(
        _ store: WritableStore, after earlier: [SyncChange], now: Double, _ report: inout RunReport,
        _ body: (SyncChange) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var tidied: [String] = []
        var recording = EditRecording(model: store.model, now: now)
        try store.forEachEdit(
            reserved: LocalEditRecorder.reserved(earlier),
            onNotice: { notice in
                // Z_OPT and Z_ENT are Core Data's own columns; a report need not mention that they were filled in.
                if notice.kind == .versionFilledIn || notice.kind == .entityFilledIn { return }
                let object = notice.identifier.isEmpty ? "row \(notice.primaryKey)" : notice.identifier
                tidied.append("\(notice.entity) \(object): \(notice.text)")
            }, { (edit) throws(FileProblem) in try recording.add(edit, onNotice: { _ in }, body) })
        report.editsRecorded = recording.count
        report.tidied = tidied
    }

    /// The edits since the last transaction as the content of a helper file; nil if there are none.
    static func recordContent(
        _ store: WritableStore, after earlier: [SyncChange], now: Double, to path: FilePath,
        _ limit: SetLimit, _ report: inout RunReport
    ) throws(FileProblem) -> HelperContent? {
        var draft = ChangeSetDraft()
        try record(store, after: earlier, now: now, &report) { (change) throws(FileProblem) in
            try OutgoingChanges.add(change, to: &draft, path: path, limit)
        }
        return try HelperContent(&draft, path: path, limit)
    }

    /// The identifier of a set with the same contents that is in the document; nil if there is none.
    private func original(of set: FetchedSet, _ store: WritableStore) throws(FileProblem) -> String? {
        if set.digest == ReplicaQueue.digestOfNothing { return nil }
        if let twin = applied.first(where: { $0.digest == set.digest }) { return twin.identifier }
        return try store.withConnection { (connection) throws(SQLiteError) in
            try ReplicaDatabase.attached.set(withDigest: set.digest, connection)
        }
    }

    private func note(_ store: WritableStore, _ log: RunLog) throws(FileProblem) {
        if options.isDryRun { return }
        let sets = applied.map {
            NotedSet(
                identifier: $0.identifier, client: $0.client.text, creationDate: $0.modified.secondsSince2001,
                applied: now, digest: $0.digest, original: copies[$0.identifier], isRegistered: false)
        }
        let content = try OutgoingChanges.content(remaining, path: folder.beingSynchronized, setLimit)
        let isSending = options.direction != .pull
        let transaction = SyncTransaction(uuid: ArchivedUUID.random().description, state: .open)
        if !sets.isEmpty {
            try RegisterFile.write(
                sets.map(\.registered),
                to: folder.unsavedApplied.appending(transaction.uuid + ReplicaFolder.unsavedSuffix))
        }
        try store.withConnection { (connection) throws(SQLiteError) in
            let notes = ReplicaDatabase.attached
            try notes.add(sets, connection)
            try notes.add(log.events, connection)
            if !sets.isEmpty { try notes.put(transaction, connection) }
        }
        try store.withTransaction { (connection) throws(FileProblem) in
            let notes = ReplicaDatabase.attached
            let (full, empty) =
                isSending
                ? (folder.beingSynchronized, folder.unsynchronized)
                : (folder.unsynchronized, folder.beingSynchronized)
            try notes.post(content, to: full, connection, database: folder.state)
            try notes.post(nil, to: empty, connection, database: folder.state)
        }
    }
}
