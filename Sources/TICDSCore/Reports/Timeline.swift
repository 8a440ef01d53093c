import Base
public import SystemCalls

/// The activity of the clients of a remote: the change sets of each by column of time, and its last activity.
///
/// A change set counts at the time in its name, which is its author's clock at the beginning of the synchronisation; if
/// the name contains no time, or an impossible one, at the modification time of the file, which the framework itself
/// uses (ticds-remote-format(5), 1.2; ticds-protocol(7), 1.9). Only the last synchronisation of each client leaves a
/// trace (1.5); a client that only reads leaves no other.
public struct Timeline: Sendable {
    /// The part of the activity to draw.
    public struct Selection: Sendable {
        /// The documents; nil for all.
        public var documents: Set<RemoteName>?
        /// The clients; nil for all.
        public var clients: Set<RemoteName>?
        /// The time to begin with; nil for the earliest that is plausible.
        public var since: FileTime?
        /// The time to end before; nil for the latest that is plausible.
        public var until: FileTime?

        /// A selection; by default of everything.
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
        /// The source of the trace.
        public enum Kind: String, CaseIterable, Sendable {
            /// The time of the recent sync file.
            case lastSync
            /// The time of the whole store, which is the time of the app's last write before the upload.
            case wholeStore
            /// The removal from a document.
            case deleted
        }

        /// The source of the trace.
        public var kind: Kind
        /// Identifier of the document.
        public var document: RemoteName
        /// The time of the event; if only bounds of a removal are known, the earlier one.
        public var time: FileTime
        /// The evidence for the time of a removal; nil for other marks.
        public var removal: RemovalTime?

        /// Whether the event can have been later than ``time``.
        public var isOnlyBound: Bool { removal?.evidence == .bounds }
    }

    /// One client, in all selected documents.
    public struct Row: Sendable {
        /// Identifier of the client.
        public var client: RemoteName
        /// The app's description of the device; nil if it is unknown.
        public var description: String?
        /// The number of change sets, by column.
        public var counts: [Int]
        /// The number of change sets before the first column.
        public var before = 0
        /// The number of change sets after the last column.
        public var after = 0
        /// The marks by time, also those outside of the columns.
        public var marks: [Mark] = []
        /// The latest time of a change set or mark; nil for a client without either.
        public var latest: FileTime?

        /// The reason why there may be more change sets than were listed; nil if there is none.
        public var unlisted: FileProblem?

        /// The number of change sets in all columns.
        public var changeSets: Seen<Int> { Seen(counts.reduce(0, +), unlisted) }
        /// The latest of its recent syncs; nil means unknown, not never.
        public var lastSync: FileTime? { marks.last { $0.kind == .lastSync }?.time }
    }

    /// The scale; nil if no event has a time.
    public var scale: TimelineScale?
    /// The rows, with the clients with the latest activity first.
    public var rows: [Row] { didSet { largestCount = Self.largestCount(rows) } }
    /// The largest number of change sets in a column of a row.
    public private(set) var largestCount: Int
    /// Change sets, shown or not, whose names contain no plausible time.
    public var untimedNames: Int
    /// Change sets whose name and modification time are more than a day apart: a clock was wrong, or the folder was
    /// copied without its times.
    public var disagreeing: Int
    /// The reason why clients may have left more than was listed; nil if there is none.
    public var unlisted: FileProblem?
    /// The reason why there may be more change sets.
    public var unlistedSets: FileProblem?
    /// The reason why there may be later synchronisations.
    public var unlistedSyncs: FileProblem?

    private static func largestCount(_ rows: [Row]) -> Int {
        rows.compactMap { $0.counts.max() }.max() ?? 0
    }

    /// - Parameters:
    ///   - descriptions: the descriptions of the clients.
    ///   - removals: the evidence for the times of removals, besides the listing.
    ///   - columns: the largest number of columns.
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
        largestCount = Self.largestCount(rows)
    }
}

/// Gathers the times of a snapshot before the columns are chosen.
struct TimelineCollector {
    /// The traces of one client.
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

    /// The framework dates from the autumn of 2010.
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

    /// The reason why there may be more clients, change sets or marks.
    func unlisted(_ snapshot: RemoteSnapshot) -> FileProblem? {
        [RemoteLayout.documents, RemoteLayout.clientDevices].lazy.compactMap {
            snapshot.gap(inNamesOf: [$0])
        }.first ?? documents(snapshot).lazy.compactMap { snapshot.gap(below: $0.path) }.first
    }

    /// The reason why there may be more in this folder of the documents.
    func unlisted(in folder: RemoteName, _ snapshot: RemoteSnapshot) -> FileProblem? {
        snapshot.gap(inNamesOf: [RemoteLayout.documents])
            ?? documents(snapshot).lazy.compactMap { snapshot.gap(below: $0.path.appending(folder)) }.first
    }

    /// The reason why there may be more change sets of a client.
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

    /// The columns from the first plausible time to the last, or within the requested bounds.
    func scale(columns: Int) -> TimelineScale? {
        let start = selection.since ?? plausible.lowerBound
        let end = selection.until ?? plausible.upperBound
        var all = TimeBounds()
        var inside = TimeBounds()
        for traces in clients.values {
            for times in [traces.changeSets, traces.marks.map(\.time)] {
                for time in times {
                    all.add(time)
                    if time >= start && time < end { inside.add(time) }
                }
            }
        }
        let first = selection.since ?? inside.first ?? selection.until.map(Self.before) ?? all.first
        let last = selection.until.map(Self.before) ?? inside.last ?? selection.since ?? all.last
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

/// The earliest and the latest of many times.
private struct TimeBounds {
    private(set) var first: FileTime?
    private(set) var last: FileTime?

    mutating func add(_ time: FileTime) {
        first = min(first ?? time, time)
        last = max(last ?? time, time)
    }
}
