import KeyedArchive
import SystemCalls

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
    private let plausible: Range<FileTime>

    /// The framework is of the autumn of 2010.
    private static let firstPlausible = FileTime(seconds: 1_262_304_000)
    private static let day: Int64 = 86_400

    init(_ selection: Timeline.Selection, now: FileTime) {
        self.selection = selection
        let tomorrow = FileTime(seconds: now.seconds +| Self.day)
        plausible = Self.firstPlausible..<max(tomorrow, Self.firstPlausible)
    }

    mutating func collect(_ snapshot: RemoteSnapshot) {
        for device in snapshot.clientDevices where isWanted(device.identifier) {
            clients[device.identifier] = Traces()
        }
        for document in snapshot.documents
        where selection.documents?.contains(document.identifier) ?? true {
            collect(document)
        }
    }

    private mutating func collect(_ document: DocumentSnapshot) {
        for client in document.clients where isWanted(client.identifier) {
            collect(client)
        }
        for sync in document.recentSyncs {
            mark(.lastSync, document, sync.client, sync.file.modified)
        }
        for store in document.wholeStores {
            if let file = store.store { mark(.wholeStore, document, store.client, file.modified) }
        }
        for tombstone in document.deletedClients {
            mark(.deleted, document, tombstone.identifier, tombstone.file.modified)
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
        _ kind: Timeline.Mark.Kind, _ document: DocumentSnapshot, _ client: RemoteName, _ time: FileTime
    ) {
        guard isWanted(client) else { return }
        clients[client, default: Traces()].marks.append(
            Timeline.Mark(kind: kind, document: document.identifier, time: time))
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
