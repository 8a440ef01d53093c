import Base
import CoreDataStore
public import SystemCalls
public import TICDSCore
public import TICDSOperations

/// The remote of a replica while a command uses it.
public struct ReplicaRemote: Sendable {
    /// The storage of its files.
    public var storage: any RemoteStorage
    /// The keyring that decrypts and encrypts its files.
    public var keyring: RemoteKeyring
    /// The journal and the lock of the remote.
    public var state: RemoteState
    private let writing: Result<any WritableStorage, FileProblem>

    /// A remote in a local folder with its keyring, and the state with the journal of its changes.
    public init(storage: any RemoteStorage, keyring: RemoteKeyring, state: RemoteState) {
        self.init(
            storage: storage, keyring: keyring, state: state, writing: .success(WritableFolder(storage)))
    }

    /// A remote in any storage.
    /// - Parameter writing: the writing side, or the reason why there is none.
    package init(
        storage: any RemoteStorage, keyring: RemoteKeyring, state: RemoteState,
        writing: Result<any WritableStorage, FileProblem>
    ) {
        self.storage = storage
        self.keyring = keyring
        self.state = state
        self.writing = writing
    }

    /// The writing side of the remote.
    /// - Throws: the reason why nothing can be sent there.
    var writable: any WritableStorage {
        get throws(FileProblem) { try writing.get() }
    }
}

extension ReplicaSession {
    /// The command of a run in the journal, by which the next run recognises its own interrupted operation.
    public static let runCommand = "ticds-sync run"

    /// Whether this client is registered with the document.
    public enum Membership: String, Sendable, CaseIterable {
        /// The client has a folder for its sets.
        case member
        /// The client has no folder for its sets, and was not removed: it must register first.
        case unregistered
        /// The client was removed from the document.
        case removed
    }

    /// Whether this client is registered, unregistered or removed.
    /// - Throws: an error if the remote cannot be read.
    public func membership(_ storage: any RemoteStorage) throws(FileProblem) -> Membership {
        try Membership(of: RemoteName(configuration.client), in: RemoteName(configuration.document), storage)
    }

    /// Whether the client of this replica must be registered before a run: the replica was created offline, or the folder
    /// of the client is missing. Everything else that a run checks is checked first, so that a refused run changes
    /// nothing.
    public func mustRegister(_ storage: any RemoteStorage) throws(FileProblem) -> Bool {
        guard try mustRegister(membership(storage)) else { return false }
        let listing = try listing(KnownSets(), storage)
        let key = try expectedKey(among: listing.integrityKeys)
        try RunPreconditions(folder: folder, integrityKey: key, storage: storage).checkDocument(listing)
        return true
    }

    private func mustRegister(_ membership: Membership) throws(FileProblem) -> Bool {
        switch membership {
        case .member: false
        case .unregistered: true
        // A replica that has never run cannot have been removed: the tombstone belongs to an earlier client with its
        // identifier.
        case .removed: try status(nil).lastRun == nil
        }
    }

    func listing(_ known: KnownSets, _ storage: any RemoteStorage) throws(FileProblem) -> DocumentListing {
        try DocumentListing(
            of: RemoteName(configuration.document), as: RemoteName(configuration.client),
            configuration.variant, known: known, in: storage)
    }

    /// Synchronises: fetches and applies the sets of the other clients, and sends the local edits.
    /// - Parameter resolve: decides the conflicts for which the policy is `ask`.
    /// - Throws: `.refused` if this client may not synchronise, or at a conflict if the policy is `fail`; the document is
    ///   then unchanged.
    public func run(
        _ options: RunOptions, _ remote: ReplicaRemote, now: FileTime = .now,
        resolve: @escaping (OpenConflict) throws(FileProblem) -> SyncResolution
    ) throws(FileProblem) -> RunReport {
        try checkEncryption(remote.keyring)
        var remote = remote
        var report = RunReport()
        report.isDryRun = options.isDryRun
        let writable = try options.isDryRun ? WritableFolder(remote.storage) : remote.writable
        let sending = ChangeSetUpload(
            configuration: configuration, writable: writable,
            keyring: remote.keyring, state: remote.state, lockWait: options.lockWait)
        if !options.isDryRun { try finishReseed(remote.storage) }
        var known = try ReplicaState(folder.state).read(ReplicaDatabase.alone.knownSets)
        var listing = try listing(known, remote.storage)
        let admission = RunPreconditions(
            folder: folder, integrityKey: try expectedKey(among: listing.integrityKeys),
            storage: remote.storage)
        do throws(FileProblem) {
            if options.isDryRun, try mustRegister(listing.membership) {
                report.registers = true
                try admission.checkDocument(listing)
            } else {
                try admission.check(listing)
            }
        } catch {
            // An operation that was interrupted may have left the document without its key or its folders.
            if let problem = try interruptedOperation(remote) { throw problem }
            throw error
        }
        if !options.isDryRun {
            if try integrityKey == nil, listing.integrityKeys.count == 1 {
                try adopt(listing.integrityKeys[0])
            }
            let isRecovered = try sending.recover()
            try ReplicaQueue(folder: folder).removeLeftovers(known: known)
            TemporaryFolder.removeAbandoned(in: folder.path, prefix: ChangeSetUpload.scratch)
            let isFinished = try finishSending(sending, now)
            if isRecovered || isFinished {
                // The listing and the known sets are no longer current.
                remote.storage = try remote.storage.listedAgain()
                known = try ReplicaState(folder.state).read(ReplicaDatabase.alone.knownSets)
                listing = try self.listing(known, remote.storage)
            }
        }
        report.strays = listing.strays.map { "\($0)" }
        report.problems = listing.problems
        try addOwnSets(listing, known, to: &report)
        var waiting = WaitingSets()
        if options.direction != .push { waiting = try fetch(listing, known, remote, options, &report) }
        try synchronise(&waiting, listing, remote, options, now, resolve, &report)
        if !options.isDryRun {
            try send(sending, listing, options, now, &report)
            try noteEncryption(remote.keyring)
        }
        report.transactions = transactions
        return report
    }

    /// The interrupted operation of another command that explains the state of the remote; nil if there is none.
    private func interruptedOperation(_ remote: ReplicaRemote) throws(FileProblem) -> FileProblem? {
        let waiting = try OperationRecovery.unfinished(remote.state)
        guard let first = waiting.first(where: { $0.command != Self.runCommand }) else { return nil }
        let root = remote.state.root
        return FileProblem(
            .refused, path: root, "operation \(first.number) (\(first.command)) has not been ended",
            advice: "If it is no longer running: ticds-journal recover \(ShellWord.quoted(root))")
    }

    /// Fetches the sets that are not in the document; they are returned in the order of application.
    private func fetch(
        _ listing: DocumentListing, _ known: KnownSets, _ remote: ReplicaRemote, _ options: RunOptions,
        _ report: inout RunReport
    ) throws(FileProblem) -> WaitingSets {
        let queue = ReplicaQueue(folder: folder)
        var sets = try queue.setsGoneFromRemote(known: known, listed: Set(listing.newSets.map(\.identifier)))
        var firstBad: FileTime?
        for set in listing.newSets {
            do throws(FileProblem) {
                sets.append(try queue.fetch(set, remote.storage, remote.keyring))
                report.setsFetched += 1
            } catch {
                switch error.kind {
                case .encrypted, .writeFailed: throw error
                case .missing, .changedWhileReading: report.problems.append(error)
                default:
                    firstBad = min(firstBad ?? set.sent, set.sent)
                    report.badSets.append(
                        BadSet(client: set.client.text, identifier: set.identifier, problem: error))
                }
            }
        }
        sets.sort { ($0.sent, $0.identifier) < ($1.sent, $1.identifier) }
        if !sets.isEmpty { try queue.write(sets) }
        var waiting = WaitingSets(sets: sets)
        if let firstBad, stopsAtBadSets(options) { waiting.holdBack(&report) { $0.sent >= firstBad } }
        try recordDigests(ofPossibleOriginalsOf: waiting.sets, listing, remote)
        return waiting
    }

    private func stopsAtBadSets(_ options: RunOptions) -> Bool {
        (options.onBadSet ?? configuration.onBadSet) == .stop
    }

    /// Records the digests of sets in the document that may be the originals of `sets`, so that a copy is recognised. This
    /// replica has not read the sets that were in the document when it was created.
    private func recordDigests(
        ofPossibleOriginalsOf sets: [FetchedSet], _ listing: DocumentListing, _ remote: ReplicaRemote
    ) throws(FileProblem) {
        if sets.isEmpty { return }
        let names = Set(sets.map(\.identifier))
        let sizes = Dictionary(
            grouping: listing.newSets.filter { names.contains($0.identifier) }, by: \.client
        ).mapValues { Set($0.map(\.size)) }
        let state = try ReplicaState(folder.state)
        let unseen = try state.read(ReplicaDatabase.alone.setsWithoutDigest)
        if unseen.isEmpty { return }
        var digests: [(identifier: String, digest: [UInt8])] = []
        for (client, sizes) in sizes {
            let place = RemoteLayout.syncChanges(of: client, in: listing.document)
            for entry in try remote.storage.entriesIfPresent(of: place)
            where entry.kind == .file && sizes.contains(entry.size) {
                guard let name = entry.name.removing(suffix: RemoteLayout.changeSetSuffix)?.text,
                    unseen.contains(name), let bytes = try plainBytes(place.appending(entry.name), remote)
                else { continue }
                digests.append((name, ReplicaQueue.digest(bytes)))
            }
        }
        if digests.isEmpty { return }
        // One transaction, since each waits for the disk.
        try state.change { connection throws(SQLiteError) in
            try ReplicaDatabase.alone.setDigests(digests, connection)
        }
    }

    /// The decrypted bytes of a set that is in the document; nil if the set no longer exists or cannot be decrypted.
    private func plainBytes(_ set: RemotePath, _ remote: ReplicaRemote) throws(FileProblem) -> SharedBytes? {
        try unlessInvalid { () throws(FileProblem) in
            try remote.keyring.read(remote.storage, set, limit: .changeSet)
        }
    }

    /// The new sets, and the sets in the document that come after the first new one, in the order of application. The
    /// latter are applied again, so that every replica ends with the same document, in whatever order sets arrive. A
    /// new set waits while a later set is gone, since it would undo changes that could not be applied again.
    private func setsToApply(
        _ waiting: inout WaitingSets, _ listing: DocumentListing, _ remote: ReplicaRemote,
        _ options: RunOptions, _ report: inout RunReport
    ) throws(FileProblem) -> [SetToApply] {
        guard let earliest = waiting.sets.first else { return [] }
        var gone = try goneSets(
            after: earliest, listing.knownSets(after: earliest.sent, earliest.identifier), listing)
        report.goneSets += gone.map(\.gone).filter { !report.goneSets.contains($0) }
        gone.removeAll { !listing.isMember($0.client) }
        if let last = gone.last, stopsAtBadSets(options) {
            waiting.holdBack(&report) { ($0.sent, $0.identifier) < (last.sent, last.identifier) }
        }
        let sets = waiting.sets
        guard let first = sets.first else { return [] }
        let copies = try ReplicaState(folder.state).read(ReplicaDatabase.alone.copies)
        var found: [(sent: FileTime, identifier: String, set: SetToApply)] = sets.map {
            ($0.sent, $0.identifier, .new($0))
        }
        for set in try listing.knownSets(after: first.sent, first.identifier)
        where !copies.contains(set.identifier) {
            let known = SetToApply.known(set, set.path.filePath(under: remote.storage.root)) {
                () throws(FileProblem) in try remote.keyring.read(remote.storage, set.path, limit: .changeSet)
            }
            found.append((set.sent, set.identifier, known))
        }
        return found.sorted { ($0.sent, $0.identifier) < ($1.sent, $1.identifier) }.map(\.set)
    }

    private func synchronise(
        _ waiting: inout WaitingSets, _ listing: DocumentListing, _ remote: ReplicaRemote,
        _ options: RunOptions,
        _ now: FileTime, _ resolve: @escaping (OpenConflict) throws(FileProblem) -> SyncResolution,
        _ report: inout RunReport
    ) throws(FileProblem) {
        // ends: each attempt but the last holds back at least one new set
        while true {
            let sets = try setsToApply(&waiting, listing, remote, options, &report)
            var attempt = report
            let unreadable = try synchronise(sets, waiting, options, now, resolve, &attempt)
            guard let unreadable else {
                report = attempt
                return
            }
            // Nothing was changed. At least one new set comes before the unreadable one, so that this terminates.
            report.goneSets.append(unreadable.gone)
            waiting.holdBack(&report) {
                ($0.sent, $0.identifier) < (unreadable.sent, unreadable.gone.identifier)
            }
        }
    }

    /// - Returns: a set that had to be applied again and could not be read; nil if all went well.
    private func synchronise(
        _ setsToApply: [SetToApply], _ waiting: WaitingSets, _ options: RunOptions, _ now: FileTime,
        _ resolve: @escaping (OpenConflict) throws(FileProblem) -> SyncResolution, _ report: inout RunReport
    ) throws(FileProblem) -> UnreadableSet? {
        let sets = waiting.sets
        let counts = try (
            being: OutgoingChanges.count(folder.beingSynchronized, of: folder),
            recorded: OutgoingChanges.count(folder.unsynchronized, of: folder)
        )
        report.changesWaiting = counts.being + counts.recorded
        if sets.isEmpty, try isUnchanged() {
            if counts.recorded == 0 || options.direction == .pull { return nil }
            let isPlain = counts.being == 0 && waiting.heldBack.isEmpty && !options.isDryRun
            if isPlain, try passOn() { return nil }
        }
        if sets.isEmpty, waiting.heldBack.isEmpty, report.changesWaiting == 0, !options.isDryRun {
            try recordOnly(options.direction, now, &report)
            return nil
        }
        let being = try OutgoingChanges.read(folder.beingSynchronized)
        let recorded = try OutgoingChanges.read(folder.unsynchronized)
        var work = ApplyTransaction(
            folder: folder, configuration: configuration, options: options, now: now.secondsSince2001,
            setLimit: setLimit, resolve: resolve)
        do throws(FileProblem) {
            try work.run(setsToApply, earlier: LocalEditRecorder.merged(being, recorded), &report)
        } catch {
            if let unreadable = work.unreadable { return unreadable }
            throw error
        }
        if options.isDryRun { return nil }
        try end(work.signature)
        let queue = ReplicaQueue(folder: folder)
        let done = Set(work.applied.map(\.identifier) + report.forgotten.map(\.identifier))
        try queue.write(sets.filter { !done.contains($0.identifier) } + waiting.heldBack)
        try queue.remove(sets.filter { done.contains($0.identifier) })
        return nil
    }
}

/// Sets that were fetched, in the order of application.
private struct WaitingSets {
    /// Sets to apply.
    var sets: [FetchedSet] = []
    /// Sets that stay in the queue.
    var heldBack: [FetchedSet] = []

    /// Leaves sets in the queue.
    mutating func holdBack(_ report: inout RunReport, where isHeld: (FetchedSet) -> Bool) {
        let held = sets.filter(isHeld)
        sets.removeAll(where: isHeld)
        heldBack += held
        report.setsHeldBack += held.count
    }
}

/// A set in the document that had to be applied again and that cannot be read.
struct UnreadableSet {
    var sent: FileTime
    var gone: GoneSet
}

extension ReplicaSession.Membership {
    init(of client: RemoteName, in document: RemoteName, _ storage: any RemoteStorage) throws(FileProblem) {
        let folder = RemoteLayout.syncChanges(of: client, in: document)
        let tombstone = Tombstones.path(of: client, in: document)
        let isMember = try storage.kind(of: folder) == .folder
        let isRemoved = try storage.kind(of: tombstone) != nil
        self = isMember ? .member : isRemoved ? .removed : .unregistered
    }
}
