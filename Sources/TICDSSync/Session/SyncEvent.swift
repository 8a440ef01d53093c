import Base
import CoreDataStore
public import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// A conflict or a warning of a run, as stored in the log of the replica.
public struct SyncEvent: Sendable, Hashable {
    /// A conflict or a warning.
    public enum Kind: String, Sendable, Hashable {
        /// A conflict between a local change and a change of another client, or a ``SyncNotice``.
        case conflict, warning
    }

    /// Row number in the log; later events have greater numbers.
    public var number: Int64 = 0
    /// The time in seconds since 2001-01-01 00:00:00 UTC; NaN if the log has none.
    public var time: Double
    /// Whether it is a conflict or a warning.
    public var kind: Kind
    /// For a warning, the name of ``SyncNotice/Kind``.
    public var name: String?
    /// Name of the object's entity.
    public var entity: String?
    /// Name of the related object's entity.
    public var relatedEntity: String?
    /// The object's sync ID.
    public var syncID: String?
    /// Name of the property.
    public var key: String?
    /// For a conflict, the local value.
    public var local: ArchivedValue = .none
    /// For a conflict, the value of the other client; for a warning, ``SyncNotice/value``.
    public var remote: ArchivedValue = .none
    /// Identifier of the client that made the change.
    public var client: String?
    /// Identifier of the set that has the change.
    public var changeSet: String?
    /// For a conflict, `remote`, `local` or `undecided`.
    public var resolution: String?
    /// The reason in words, if there is more to say.
    public var reason: String?
    /// The number of the framework's warning.
    public var warningNumber: Int? { name.flatMap { SyncNotice.Kind(rawValue: $0) }?.warningNumber }
}

extension SyncEvent {
    init(_ notice: SyncNotice, time: Double, client: String?, changeSet: String?) {
        self.init(
            time: time, kind: .warning, name: notice.kind.rawValue, entity: notice.entity,
            relatedEntity: notice.relatedEntity, syncID: notice.syncID, key: notice.key, remote: notice.value,
            client: client, changeSet: changeSet, reason: notice.reason)
    }
}

extension ReplicaDatabase {
    func add(_ events: [SyncEvent], _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        let marks = (1...13).map { "?\($0)" }.joined(separator: ", ")
        var row = try connection.prepare("INSERT INTO \(table("EVENT")) VALUES (NULL, \(marks))")
        for event in events {
            row.bind(event.time, at: 1)
            let texts = [
                2: event.kind.rawValue, 3: event.name, 4: event.entity, 5: event.relatedEntity,
                6: event.syncID, 7: event.key, 10: event.client, 11: event.changeSet, 12: event.resolution,
                13: event.reason,
            ]
            for (place, text) in texts { if let text { try row.bind(text, at: place) } }
            if let bytes = Self.archived(event.local) { try row.bind(bytes, at: 8) }
            if let bytes = Self.archived(event.remote) { try row.bind(bytes, at: 9) }
            try row.run()
        }
    }

    /// Calls `body` with the events in order, beginning with `since`.
    func forEachEvent(
        _ connection: borrowing SQLiteConnection, _ body: (SyncEvent) -> Void
    ) throws(SQLiteError) {
        var rows = try connection.prepare("SELECT * FROM \(table("EVENT")) ORDER BY number")
        while try rows.step() {
            let kind = rows.text(2).flatMap { SyncEvent.Kind(rawValue: $0) } ?? .warning
            body(
                SyncEvent(
                    number: rows.integer(0) ?? 0, time: rows.real(1) ?? .nan, kind: kind, name: rows.text(3),
                    entity: rows.text(4), relatedEntity: rows.text(5), syncID: rows.text(6),
                    key: rows.text(7),
                    local: Self.value(rows.blob(8)), remote: Self.value(rows.blob(9)), client: rows.text(10),
                    changeSet: rows.text(11), resolution: rows.text(12), reason: rows.text(13)))
        }
    }

    private static func archived(_ value: ArchivedValue) -> [UInt8]? {
        // try?: the log goes on without a value
        value == .none ? nil : try? KeyedArchiveWriter.bytes(root: value)
    }

    private static func value(_ bytes: [UInt8]?) -> ArchivedValue {
        guard let bytes,
            // try?: bytes of our own log, for display
            let reader = try? KeyedArchiveReader(SharedBytes(bytes)),
            let root = try? reader.root()  // try?: as above
        else { return .none }
        return (try? reader.value(of: root)) ?? .none  // try?: as above
    }
}

/// Collects the conflicts and warnings of a run, each with the set that caused it.
final class RunLog {
    private(set) var events: [SyncEvent] = []
    private(set) var client = ""
    private(set) var changeSet = ""
    /// True while sets are applied again: their warnings were logged the first time.
    var isSilent = false
    private var conflicts = 0
    private var warnings = 0
    private let time: Double

    /// - Parameter time: the time of the run, in seconds since 2001-01-01 00:00:00 UTC.
    init(time: Double) { self.time = time }

    func begin(_ set: FetchedSet) {
        client = set.client.text
        changeSet = set.identifier
    }

    func add(_ notice: SyncNotice) {
        if isSilent { return }
        warnings += 1
        keep(
            SyncEvent(
                notice, time: time, client: notice.source?.client ?? client,
                changeSet: notice.source?.changeSet ?? changeSet))
    }

    func add(_ conflict: SyncConflict, _ resolution: SyncResolution) {
        conflicts += 1
        keep(
            SyncEvent(
                time: time, kind: .conflict, entity: conflict.entity, syncID: conflict.syncID,
                key: conflict.key, local: conflict.local, remote: conflict.remote, client: client,
                changeSet: changeSet, resolution: "\(resolution)"))
    }

    private func keep(_ event: SyncEvent) { if events.count < RunReport.eventLimit { events.append(event) } }

    func fill(_ report: inout RunReport) {
        report.conflicts = conflicts
        report.warnings = warnings
        report.events = events
    }
}

/// Resolves conflicts by the policy.
struct ConflictResolver {
    let policy: ConflictPolicy
    let log: RunLog
    let document: FilePath
    let ask: (OpenConflict) throws(FileProblem) -> SyncResolution

    func resolve(_ conflict: SyncConflict) throws(FileProblem) -> SyncResolution {
        let resolution = try resolution(of: conflict)
        log.add(conflict, resolution)
        return resolution
    }

    private func resolution(of conflict: SyncConflict) throws(FileProblem) -> SyncResolution {
        switch policy.choice(entity: conflict.entity, attribute: conflict.key) {
        case .remote: return .remote
        case .local: return .local
        case .newest:
            guard let local = conflict.localTime, let remote = conflict.remoteTime else { return .remote }
            return local > remote ? .local : .remote
        case .ask:
            return try ask(OpenConflict(conflict: conflict, client: log.client, changeSet: log.changeSet))
        case .fail:
            throw FileProblem(
                .refused, path: document,
                "“\(conflict.key)” of \(conflict.entity) \(conflict.syncID) was changed here "
                    + "and by client \(log.client), and the policy is to stop at conflicts",
                advice: "Decide with --conflicts, or with a rule in Replica.json")
        }
    }
}
