import Base
public import CoreDataStore
import KeyedArchive
public import SystemCalls
public import TICDSCore

/// Applies a document's change sets to a store, in their order (ticds-remote-format(5), 3.5; ticds-protocol(7), 2).
public struct Replay: Sendable {
    /// Identifiers of sets that the store already contains; they are skipped.
    public var registered: Set<String> = []
    /// Applies only sets that were modified before this time; nil for all.
    public var until: FileTime?
    /// Clients whose sets are skipped.
    public var without: Set<RemoteName> = []

    /// A replay of all sets of all clients.
    public init() {}

    /// Applies the sets. A set that cannot be read, or a change that cannot be applied, makes a notice; the rest is
    /// applied.
    /// - Throws: `.encrypted` if the password is missing; errors of the store.
    public func run(
        _ history: ChangeHistory, in storage: any RemoteStorage, _ keyring: RemoteKeyring,
        into store: WritableStore, progress: (Int) -> Void = { _ in }
    ) throws(FileProblem) -> ReplayRecord {
        var state = ReplayState()
        try advance(&state, along: history, in: storage, keyring, into: store, progress: progress)
        return try finish(state, in: store)
    }

    /// Applies the sets from a position on to a store in which the state already is, without the end of a replay: a
    /// later call can go on.
    public func advance(
        _ state: inout ReplayState, along history: ChangeHistory, from start: Int = 0,
        in storage: any RemoteStorage, _ keyring: RemoteKeyring, into store: WritableStore,
        progress: (Int) -> Void = { _ in }
    ) throws(FileProblem) {
        let collector = NoticeCollector(state.record)
        var applier = ChangeApplier(store) { collector.add($0) }
        applier.owners = state.owners
        try ReadAhead.forEach(weight: { (step: ReplayStep) in step.weight }) { give in
            for index in start..<max(start, history.count) {
                let entry = history[index]
                let isRead = skipped(entry) == nil
                guard give(.set(entry, index)), isRead ? read(entry, storage, keyring, give) : true else {
                    return
                }
            }
        } use: { (step) throws(FileProblem) in
            switch step {
            case .set(let entry, let index):
                progress(index)
                if let count = skipped(entry) {
                    collector.record[keyPath: count] += 1
                } else {
                    collector.begin(entry)
                    applier.source = SyncSource(
                        client: entry.client.text, changeSet: entry.file.identifier.text)
                }
            case .unreadable(let problem):
                if problem.kind == .encrypted { throw problem }
                collector.record.setsUnreadable += 1
                collector.add(SyncNotice(kind: .unreadableSet, reason: problem.withoutPath))
            case .damage(let problem):
                collector.isWhole = false
                collector.add(SyncNotice(kind: .unreadableChange, reason: problem.withoutPath))
            case .change(let change):
                collector.next()
                try applier.apply(change)
            case .end(let entry):
                collector.endOfChanges()
                try applier.finishSet()
                collector.record.setsApplied += 1
                if collector.isWhole {
                    collector.record.appliedSets.append(RegisteredChangeSet(entry))
                } else {
                    collector.record.setsAppliedInPart += 1
                }
            case .failure(let problem): throw problem
            }
        }
        progress(history.count)
        collector.record.changesApplied += applier.applied
        state = ReplayState(record: collector.record, owners: applier.owners)
    }

    /// Ends a replay: deletes what the delete rules reach from the objects that the sets have deleted.
    public func finish(_ state: ReplayState, in store: WritableStore) throws(FileProblem) -> ReplayRecord {
        let collector = NoticeCollector(state.record)
        var applier = ChangeApplier(store) { collector.add($0) }
        applier.owners = state.owners
        _ = try applier.finish()
        return collector.record
    }

    /// The count of a set that is not applied; nil for a set that is applied.
    private func skipped(_ entry: ChangeHistory.Entry) -> WritableKeyPath<ReplayRecord, Int>? {
        if without.contains(entry.client) { return \.setsOfOthers }
        if registered.contains(entry.file.identifier.text) { return \.setsInStore }
        if let until, entry.file.modified >= until { return \.setsAfterwards }
        return nil
    }

    /// Reads and decodes a set, on a different thread from the one that applies it.
    /// - Returns: false if no more is wanted.
    private func read(
        _ entry: ChangeHistory.Entry, _ storage: any RemoteStorage, _ keyring: RemoteKeyring,
        _ give: (ReplayStep) -> Bool
    ) -> Bool {
        let reader: ChangeSetReader
        do throws(FileProblem) {
            let bytes = try keyring.read(storage, entry.path, limit: .changeSet)
            reader = try ChangeSetReader(bytes, path: entry.path.filePath(under: storage.root))
        } catch {
            return give(.unreadable(error))
        }
        var isWanted = true
        do throws(FileProblem) {
            try reader.forEachChange(
                orShortfall: { problem throws(FileProblem) in isWanted = isWanted && give(.damage(problem)) },
                { change throws(FileProblem) in isWanted = isWanted && give(.change(change)) })
        } catch {
            return give(.failure(error))
        }
        return isWanted && give(.end(entry))
    }
}

/// A replay that has not ended, apart from its store.
public struct ReplayState: Sendable {
    /// The result so far.
    public var record = ReplayRecord()
    /// Deleted objects that stay in the store until the end.
    fileprivate var owners = DeletedOwners<StoreObjectID>()

    /// A replay that has not begun.
    public init() {}

    fileprivate init(record: ReplayRecord, owners: DeletedOwners<StoreObjectID>) {
        self.record = record
        self.owners = owners
    }
}

/// The next step of a replay.
private enum ReplayStep: Sendable {
    /// A set, and its position in the history.
    case set(ChangeHistory.Entry, Int)
    /// The set cannot be opened.
    case unreadable(FileProblem)
    /// A change of it cannot be read.
    case damage(FileProblem)
    case change(SyncChange)
    case end(ChangeHistory.Entry)
    /// The rows of the set cannot be read.
    case failure(FileProblem)

    /// The weight of a piece in `ReadAhead`: some hundred changes, or 256 KiB of values, make a full piece.
    var weight: Double {
        guard case .change(let change) = self else { return 1.0 / 256 }
        return 1.0 / 256 + Double(change.changedAttributes.roughSize) / 262_144
    }
}

extension ArchivedValue {
    /// Bytes of text and data; the largest number if there is a second level of collections.
    fileprivate var roughSize: Int {
        switch self {
        case .dictionary(let pairs): pairs.reduce(0) { $0 +| $1.value.sizeOfScalar }
        default: sizeOfScalar
        }
    }

    private var sizeOfScalar: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .array, .set, .orderedSet, .dictionary, .attributedString, .object: .max
        default: 16
        }
    }
}

extension RegisteredChangeSet {
    /// A line of a register; its creation date is the modification time in the remote (ticds-remote-format(5), 3.4).
    fileprivate init(_ entry: ChangeHistory.Entry) {
        self.init(
            identifier: entry.file.identifier.text, fileName: entry.file.name.text,
            clientIdentifier: entry.client.text, creationDate: entry.file.modified.secondsSince2001)
    }
}

/// Records the notices of a replay, each with its client, set and change.
private final class NoticeCollector {
    var record: ReplayRecord
    /// Whether every change of the current set could be read.
    var isWhole = true
    private var client = ""
    private var changeSet = ""
    private var sequence = 0

    init(_ record: ReplayRecord) { self.record = record }

    func begin(_ entry: ChangeHistory.Entry) {
        client = entry.client.text
        changeSet = entry.file.identifier.text
        isWhole = true
        sequence = 0
    }

    func next() {
        sequence += 1
        record.changesRead += 1
    }

    func endOfChanges() { sequence = 0 }

    func add(_ notice: SyncNotice) {
        if let source = notice.source {
            return record.add(notice, client: source.client, changeSet: source.changeSet, sequence: 0)
        }
        record.add(notice, client: client, changeSet: changeSet, sequence: sequence)
    }
}

extension FileProblem {
    /// The problem in one line, without the path.
    fileprivate var withoutPath: String {
        let facts = [expected.map { "expected \($0)" }, found.map { "found \($0)" }].compactMap { $0 }
        return facts.isEmpty ? problem : "\(problem) (\(facts.joined(separator: ", ")))"
    }
}

/// The result of a replay, and the changes that it could not apply.
public struct ReplayRecord: Sendable {
    /// A notice, and the change that caused it.
    public struct PlacedNotice: Sendable, Hashable {
        /// Identifier of the author of the change.
        public var client: String
        /// Identifier of its change set.
        public var changeSet: String
        /// Position of the change in the order of application within its set, from 1; 0 for the set as a whole.
        public var sequence: Int
        /// The warning or problem.
        public var notice: SyncNotice
    }

    /// The notices of one kind.
    public struct Notices: Sendable {
        /// The number of notices.
        public var count = 0
        /// The first notices, at most ``noticeLimit``.
        public var first: [PlacedNotice] = []
    }

    /// The number of sets that were applied.
    public var setsApplied = 0
    /// The number of applied sets with some changes that could not be read. They are not in ``appliedSets``: a register
    /// that named them would keep every client from applying the rest.
    public var setsAppliedInPart = 0
    /// The sets that were read and applied as a whole, as lines of a register without a time of application.
    public var appliedSets: [RegisteredChangeSet] = []
    /// The number of sets that the store already contained.
    public var setsInStore = 0
    /// The number of sets that were skipped because of their client.
    public var setsOfOthers = 0
    /// The number of sets that were skipped because they are not older than ``Replay/until``.
    public var setsAfterwards = 0
    /// The number of sets that could not be opened. A single change that could not be read is counted in `notices`.
    public var setsUnreadable = 0
    /// The number of changes in the opened sets.
    public var changesRead = 0
    /// The number of changes that took effect.
    public var changesApplied = 0
    /// The notices by kind.
    public var notices: [SyncNotice.Kind: Notices] = [:]
    /// The largest number of notices of one kind that are kept.
    public static let noticeLimit = 100

    /// A record of a replay that has not begun.
    public init() {}

    mutating func add(_ notice: SyncNotice, client: String, changeSet: String, sequence: Int) {
        notices[notice.kind, default: Notices()].count += 1
        guard notices[notice.kind]?.first.count ?? 0 < Self.noticeLimit else { return }
        notices[notice.kind]?.first.append(
            PlacedNotice(client: client, changeSet: changeSet, sequence: sequence, notice: notice))
    }

    /// Whether the store lacks or refused anything that a change set contains or may contain.
    public var isPartial: Bool {
        let kinds: [SyncNotice.Kind] = [
            .withoutSyncID, .unknownEntity, .unknownProperty, .refused, .unknownType, .unreadableChange,
            .unreadableSet,
        ]
        return kinds.contains { notices[$0] != nil }
    }
}
