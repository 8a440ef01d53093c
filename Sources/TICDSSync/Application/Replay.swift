public import CoreDataStore
import KeyedArchive
public import SystemCalls
public import TICDSCore

/// Applies the change sets of a document to a store, one after the other, in the order of a history
/// (ticds-remote-format(5), 3.5; ticds-protocol(7), 5).
public struct Replay: Sendable {
    /// Identifiers of sets that the store already contains; they are skipped.
    public var registered: Set<String> = []
    /// Applies only sets that were modified before this time; nil for all.
    public var until: FileTime?
    /// Clients whose sets are skipped.
    public var without: Set<RemoteName> = []

    /// Replays all sets of all clients by default.
    public init() {}

    /// Applies the sets. A set that cannot be read, or a change that cannot be applied, makes a notice; the rest is
    /// applied.
    /// - Parameter progress: gets the number of sets that are done.
    /// - Throws: `.encrypted` if the password is missing; errors of the store.
    public func run(
        _ history: ChangeHistory, in storage: any RemoteStorage, _ keyring: RemoteKeyring,
        into store: WritableStore, progress: (Int) -> Void = { _ in }
    ) throws(FileProblem) -> ReplayRecord {
        let collector = NoticeCollector()
        var applier = ChangeApplier(store) { collector.add($0) }
        for index in 0..<history.count {
            let entry = history[index]
            progress(index)
            if without.contains(entry.client) {
                collector.record.setsOfOthers += 1
            } else if registered.contains(entry.file.identifier.text) {
                collector.record.setsInStore += 1
            } else if let until, entry.file.modified >= until {
                collector.record.setsAfterwards += 1
            } else {
                try apply(entry, storage, keyring, &applier, collector)
            }
        }
        progress(history.count)
        collector.record.changesApplied = applier.applied
        return collector.record
    }

    private func apply(
        _ entry: ChangeHistory.Entry, _ storage: any RemoteStorage, _ keyring: RemoteKeyring,
        _ applier: inout ChangeApplier<WritableStore>, _ collector: NoticeCollector
    ) throws(FileProblem) {
        collector.begin(entry)
        let reader: ChangeSetReader
        do throws(FileProblem) {
            let bytes = try keyring.read(storage, entry.path, limit: .changeSet)
            reader = try ChangeSetReader(bytes, path: entry.path.filePath(under: storage.root))
        } catch {
            if error.kind == .encrypted { throw error }
            collector.record.setsUnreadable += 1
            return collector.add(SyncNotice(.unreadableSet, reason: error.withoutPath))
        }
        try reader.forEachChange(
            onDamage: { problem throws(FileProblem) in
                collector.add(SyncNotice(.unreadableChange, reason: problem.withoutPath))
            },
            { change throws(FileProblem) in
                collector.next()
                try applier.apply(change)
            })
        collector.endOfChanges()
        try applier.finishSet()
        collector.record.setsApplied += 1
        collector.record.appliedSets.append(RegisteredChangeSet(entry))
    }
}

extension RegisteredChangeSet {
    /// The line of a set in a register: its creation date is its modification time in the remote (ticds-remote-format(5),
    /// 3.4).
    fileprivate init(_ entry: ChangeHistory.Entry) {
        self.init(
            identifier: entry.file.identifier.text, fileName: entry.file.name.text,
            clientIdentifier: entry.client.text, creationDate: entry.file.modified.secondsSince2001)
    }
}

/// Records the notices of a replay, each with its client, set and change.
private final class NoticeCollector {
    var record = ReplayRecord()
    private var client = ""
    private var changeSet = ""
    private var sequence = 0

    func begin(_ entry: ChangeHistory.Entry) {
        client = entry.client.text
        changeSet = entry.file.identifier.text
        sequence = 0
    }

    func next() {
        sequence += 1
        record.changesRead += 1
    }

    func endOfChanges() { sequence = 0 }

    func add(_ notice: SyncNotice) {
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
