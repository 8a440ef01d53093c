import Base
public import SystemCalls

/// When the clients of a remote were active: the change sets of each by column of time, and its last activity.
///
/// A change set counts at the time that its name tells, which is its author's clock at the beginning of the
/// synchronisation; where the name tells none, or one that cannot be, at the modification time of the file, by which
/// the framework itself goes (ticds-remote-format(5), 1.2; ticds-protocol(7), 1.9). Of synchronisations only the last
/// of each client leaves a trace (1.5); a client that only reads shows as nothing else.
public struct Timeline: Sendable {
    /// What to draw.
    public struct Selection: Sendable {
        /// Nil for all.
        public var documents: Set<RemoteName>?
        /// Nil for all.
        public var clients: Set<RemoteName>?
        /// The time to begin with; nil for the earliest that is plausible.
        public var since: FileTime?
        /// The time to end before; nil for the latest that is plausible.
        public var until: FileTime?

        /// Everything, unless told otherwise.
        public init(
            documents: Set<RemoteName>? = nil, clients: Set<RemoteName>? = nil, since: FileTime? = nil,
            until: FileTime? = nil
        ) {
            self.documents = documents
            self.clients = clients
            self.since = since
            self.until = until
        }
    }

    /// A single event of a client that left a trace.
    public struct Mark: Hashable, Sendable {
        /// What left the trace.
        public enum Kind: String, CaseIterable, Sendable {
            /// The time of the recent sync file.
            case lastSync
            /// The time of the whole store, which is that of the app's last write before the upload.
            case wholeStore
            /// The removal from a document.
            case deleted
        }

        /// What left the trace.
        public var kind: Kind
        /// Identifier of the document.
        public var document: RemoteName
        /// When it was; of a removal of which only bounds are known, the earlier one.
        public var time: FileTime
        /// What is known about the time of a removal; nil for other marks.
        public var removal: RemovalTime?

        /// Whether the event can have been later than ``time``.
        public var isOnlyBound: Bool { removal?.evidence == .bounds }
    }

    /// One client, in all the documents that were selected.
    public struct Row: Sendable {
        /// Identifier of the client.
        public var client: RemoteName
        /// What the app called the device; nil where that is not known.
        public var description: String?
        /// Change sets by column.
        public var counts: [Int]
        /// Change sets before the first column and after the last.
        public var before = 0
        /// Change sets after the last column.
        public var after = 0
        /// By time, also those that lie outside of the columns.
        public var marks: [Mark] = []
        /// The latest time of a change set or mark; nil for a client that left none.
        public var latest: FileTime?

        /// Why there may be more change sets than were listed; nil where there are not.
        public var unlisted: FileProblem?

        /// Change sets in all columns.
        public var changeSets: Seen<Int> { Seen(counts.reduce(0, +), unlisted) }
        /// The latest of its recent syncs; nil says unknown, not never.
        public var lastSync: FileTime? { marks.last { $0.kind == .lastSync }?.time }
    }

    /// Nil if nothing has a time.
    public var scale: TimelineScale?
    /// The clients with the latest activity come first.
    public var rows: [Row]
    /// Change sets, shown or not, whose names tell no time that can be.
    public var untimedNames: Int
    /// Change sets whose name and modification time are more than a day apart: a clock was wrong, or the folder was
    /// copied without its times.
    public var disagreeing: Int
    /// Why clients may have left more than was listed; nil where they have not.
    public var unlisted: FileProblem?
    /// Why there may be more change sets.
    public var unlistedSets: FileProblem?
    /// Why there may be later synchronisations.
    public var unlistedSyncs: FileProblem?

    /// The most that a column of a row holds.
    public var largestCount: Int { rows.compactMap { $0.counts.max() }.max() ?? 0 }

    /// - Parameters:
    ///   - descriptions: what clients are called.
    ///   - removals: what shows when clients were removed, besides the listing.
    ///   - columns: how many columns there may be.
    ///   - now: later times than this and a day cannot be, and earlier ones than the framework.
    public init(
        _ snapshot: RemoteSnapshot, descriptions: [RemoteName: String] = [:],
        removals: RemovalEvidence = RemovalEvidence(), selection: Selection = Selection(), columns: Int,
        now: FileTime
    ) {
        var collector = TimelineCollector(selection, removals, now: now)
        collector.collect(snapshot)
        let scale = collector.scale(columns: columns)
        self.scale = scale
        untimedNames = collector.untimedNames
        disagreeing = collector.disagreeing
        unlisted = collector.unlisted(snapshot)
        unlistedSets = collector.unlisted(in: RemoteLayout.syncChanges, snapshot)
        unlistedSyncs = collector.unlisted(in: RemoteLayout.recentSyncs, snapshot)
        rows = collector.clients.map { client, traces in
            var row = traces.row(client, descriptions[client], scale)
            row.unlisted = collector.unlistedSets(of: client, snapshot)
            return row
        }.sorted { one, other in
            if one.latest == other.latest { return one.client < other.client }
            guard let first = one.latest, let second = other.latest else { return one.latest != nil }
            return first > second
        }
    }
}

/// Gathers the times of a snapshot before anybody knows what columns they need.
struct TimelineCollector {
    /// What one client left.
    struct Traces {
        var changeSets: [FileTime] = []
        var marks: [Timeline.Mark] = []

        func row(_ client: RemoteName, _ description: String?, _ scale: TimelineScale?) -> Timeline.Row {
            let columns = scale?.starts.count ?? 0
            var row = Timeline.Row(
                client: client, description: description, counts: [Int](repeating: 0, count: columns))
            for time in changeSets {
                if let column = scale?.column(of: time) {
                    row.counts[column] += 1
                } else if let end = scale?.end, time >= end {
                    row.after += 1
                } else {
                    row.before += 1
                }
            }
            row.marks = marks.sorted { ($0.time, $0.kind.rawValue) < ($1.time, $1.kind.rawValue) }
            row.latest = [changeSets.max(), row.marks.last?.time].compactMap(\.self).max()
            return row
        }
    }

    private(set) var clients: [RemoteName: Traces] = [:]
    private(set) var untimedNames = 0
    private(set) var disagreeing = 0
    private let selection: Timeline.Selection
    private let removals: RemovalEvidence
    private let plausible: Range<FileTime>

    /// The framework is of the autumn of 2010.
    private static let firstPlausible = FileTime(seconds: 1_262_304_000)
    private static let day: Int64 = 86_400

    init(_ selection: Timeline.Selection, _ removals: RemovalEvidence, now: FileTime) {
        self.selection = selection
        self.removals = removals
        let tomorrow = FileTime(seconds: now.seconds +| Self.day)
        plausible = Self.firstPlausible..<max(tomorrow, Self.firstPlausible)
    }

    mutating func collect(_ snapshot: RemoteSnapshot) {
        for device in snapshot.clientDevices where isWanted(device.identifier) {
            clients[device.identifier] = Traces()
        }
        for document in documents(snapshot) { collect(document, snapshot) }
    }

    private func documents(_ snapshot: RemoteSnapshot) -> [DocumentSnapshot] {
        snapshot.documents.filter { selection.documents?.contains($0.identifier) ?? true }
    }

    /// Why there may be more clients, change sets or marks.
    func unlisted(_ snapshot: RemoteSnapshot) -> FileProblem? {
        [RemoteLayout.documents, RemoteLayout.clientDevices].lazy.compactMap {
            snapshot.gap(inNamesOf: [$0])
        }.first ?? documents(snapshot).lazy.compactMap { snapshot.gap(below: $0.path) }.first
    }

    /// Why there may be more in this folder of the documents.
    func unlisted(in folder: RemoteName, _ snapshot: RemoteSnapshot) -> FileProblem? {
        snapshot.gap(inNamesOf: [RemoteLayout.documents])
            ?? documents(snapshot).lazy.compactMap { snapshot.gap(below: $0.path.appending(folder)) }.first
    }

    /// Why there may be more change sets of a client.
    func unlistedSets(of client: RemoteName, _ snapshot: RemoteSnapshot) -> FileProblem? {
        snapshot.gap(inNamesOf: [RemoteLayout.documents])
            ?? documents(snapshot).lazy.compactMap {
                snapshot.gap(at: RemoteLayout.syncChanges(of: client, in: $0.identifier))
            }.first
    }

    private mutating func collect(_ document: DocumentSnapshot, _ snapshot: RemoteSnapshot) {
        for client in document.clients where isWanted(client.identifier) { collect(client) }
        for sync in document.recentSyncs { mark(.lastSync, document, sync.client, sync.file.modified) }
        for store in document.wholeStores {
            if let file = store.store { mark(.wholeStore, document, store.client, file.modified) }
        }
        for tombstone in document.deletedClients {
            let removal = removals.time(of: tombstone, from: document, in: snapshot)
            mark(
                .deleted, document, tombstone.identifier, removal.exact ?? removal.notBefore, removal)
        }
    }

    private mutating func collect(_ client: ClientChangeSets) {
        var times = clients.removeValue(forKey: client.identifier) ?? Traces()
        times.changeSets.reserveCapacity(times.changeSets.count + client.changeSets.count)
        for position in client.changeSets.indices {
            let modified = client.changeSets.modified(at: position)
            let named = client.changeSets.withIdentifier(at: position) {
                ChangeSetIdentifier.nominalTime($0)
            }
            if let named, plausible.contains(named) {
                if named.seconds(since: modified).magnitude > Self.day { disagreeing += 1 }
                times.changeSets.append(named)
            } else {
                untimedNames += 1
                times.changeSets.append(modified)
            }
        }
        clients[client.identifier] = times
    }

    private mutating func mark(
        _ kind: Timeline.Mark.Kind, _ document: DocumentSnapshot, _ client: RemoteName, _ time: FileTime,
        _ removal: RemovalTime? = nil
    ) {
        guard isWanted(client) else { return }
        clients[client, default: Traces()].marks.append(
            Timeline.Mark(kind: kind, document: document.identifier, time: time, removal: removal))
    }

    private func isWanted(_ client: RemoteName) -> Bool { selection.clients?.contains(client) ?? true }

    /// The columns from the first plausible time to the last, or from and to those that were asked for.
    func scale(columns: Int) -> TimelineScale? {
        let all = clients.values.flatMap { $0.changeSets + $0.marks.map(\.time) }
        let start = selection.since ?? plausible.lowerBound
        let end = selection.until ?? plausible.upperBound
        let inside = all.filter { $0 >= start && $0 < end }
        let first = selection.since ?? inside.min() ?? selection.until.map(Self.before) ?? all.min()
        let last = selection.until.map(Self.before) ?? inside.max() ?? selection.since ?? all.max()
        guard let first, let last else { return nil }
        return TimelineScale(from: min(first, last), through: last, columns: columns)
    }

    /// The last moment before a time.
    private static func before(_ time: FileTime) -> FileTime {
        time.nanoseconds > 0
            ? FileTime(seconds: time.seconds, nanoseconds: time.nanoseconds - 1)  // bounded: above 0
            : FileTime(seconds: time.seconds -| 1, nanoseconds: 999_999_999)
    }
}
