import CoreDataStore
public import KeyedArchive

/// A conflict or a warning of a run, as stored in the log of the replica.
public struct SyncEvent: Sendable, Hashable {
    /// A conflict or a warning.
    public enum Kind: String, Sendable, Hashable {
        /// A conflict between a local change and one of another client; or a ``SyncNotice``.
        case conflict, warning
    }

    /// Row number in the log; later events have greater numbers.
    public var number: Int64 = 0
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public var time: Double
    /// Whether it is a conflict or a warning.
    public var kind: Kind
    /// Of a warning, the name of ``SyncNotice/Kind``.
    public var name: String?
    /// Name of the object's entity.
    public var entity: String?
    /// Name of the related object's entity.
    public var relatedEntity: String?
    /// The object's sync ID.
    public var syncID: String?
    /// Name of the property.
    public var key: String?
    /// Of a conflict, the local value.
    public var local: ArchivedValue = .none
    /// Of a conflict, the value of the other client; of a warning, ``SyncNotice/value``.
    public var remote: ArchivedValue = .none
    /// Identifier of the client that made the change.
    public var client: String?
    /// Identifier of the set that has the change.
    public var changeSet: String?
    /// Of a conflict: `remote`, `local` or `undecided`.
    public var resolution: String?
    /// The reason in words, if there is more to say.
    public var reason: String?

    /// An event of that time; set the other properties afterwards.
    public init(time: Double, kind: Kind) {
        self.time = time
        self.kind = kind
    }

    init(_ notice: SyncNotice, time: Double, client: String?, changeSet: String?) {
        self.init(time: time, kind: .warning)
        name = notice.kind.rawValue
        entity = notice.entity
        relatedEntity = notice.relatedEntity
        syncID = notice.syncID
        key = notice.key
        remote = notice.value
        reason = notice.reason
        self.client = client
        self.changeSet = changeSet
    }

    /// The number of the framework's warning.
    public var warningNumber: Int? { name.flatMap { SyncNotice.Kind(rawValue: $0) }?.warningNumber }
}

extension ReplicaNotes {
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

    /// Calls `body` with the events in order.
    /// - Parameter since: skips earlier events; nil for all.
    func forEachEvent(
        since: Double?, _ connection: borrowing SQLiteConnection,
        _ body: (SyncEvent) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        var rows = try connection.prepare(
            "SELECT * FROM \(table("EVENT")) WHERE time >= ?1 ORDER BY number")
        rows.bind(since ?? -Double.greatestFiniteMagnitude, at: 1)
        while try rows.step() {
            var event = SyncEvent(
                time: rows.real(1) ?? 0,
                kind: rows.text(2).flatMap { SyncEvent.Kind(rawValue: $0) } ?? .warning)
            event.number = rows.integer(0) ?? 0
            event.name = rows.text(3)
            event.entity = rows.text(4)
            event.relatedEntity = rows.text(5)
            event.syncID = rows.text(6)
            event.key = rows.text(7)
            event.local = Self.value(rows.blob(8))
            event.remote = Self.value(rows.blob(9))
            event.client = rows.text(10)
            event.changeSet = rows.text(11)
            event.resolution = rows.text(12)
            event.reason = rows.text(13)
            try body(event)
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
            let root = try? reader.root()  // try?: the same
        else { return .none }
        return (try? reader.value(of: root)) ?? .none  // try?: the same
    }
}
