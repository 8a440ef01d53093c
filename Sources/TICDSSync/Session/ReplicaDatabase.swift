import Base
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCore

/// The data that a replica remembers besides the document: tables in `ReplicaState.sqlite`. The file is opened alone,
/// or attached to the document with ATTACH DATABASE, so that one transaction changes both.
struct ReplicaDatabase: Sendable {
    /// The schema name of the database on the connection: `main`, or `base` if it is attached.
    let schema: String

    static let alone = ReplicaDatabase(schema: "main")
    static let attached = ReplicaDatabase(schema: "base")
    func table(_ name: String) -> String { "\(schema).TICDS_\(name)" }

    func create(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        for definition in [
            "NOTE (name TEXT PRIMARY KEY, value BLOB)",
            // Sets whose changes are in the document; `isRegistered` is 1 once the framework's register lists them.
            "SET (identifier TEXT PRIMARY KEY, client TEXT, creationDate REAL, applied REAL, digest BLOB, original TEXT, isRegistered INTEGER NOT NULL)",
            // Transactions that are not closed.
            "TRANSACTION (uuid TEXT PRIMARY KEY, state INTEGER NOT NULL, problem TEXT)",
            // Helper files to write: their bytes, or NULL for a file to remove.
            "OUTBOX (file TEXT PRIMARY KEY, bytes BLOB)",
            "EVENT (number INTEGER PRIMARY KEY, time REAL NOT NULL, kind TEXT NOT NULL, name TEXT, entity TEXT, relatedEntity TEXT, syncID TEXT, key TEXT, localValue BLOB, remoteValue BLOB, client TEXT, changeSet TEXT, resolution TEXT, reason TEXT)",
        ] {
            try connection.execute("CREATE TABLE \(schema).TICDS_\(definition)")
        }
        try connection.execute("CREATE INDEX \(schema).TICDS_SET_digest ON TICDS_SET (digest)")
        try connection.execute(
            "CREATE INDEX \(schema).TICDS_SET_new ON TICDS_SET (isRegistered) WHERE isRegistered = 0")
    }

    enum Name: String, Sendable {
        /// The `StoreSignature` of the document after the last transaction.
        case storeSignature
        case sending
        /// Sets that this replica sent and that a vacuum may have removed, one per line.
        case retiredSets
        /// The integrity key that the document gets together with the content of this replica.
        case reseeding
    }

    func note(_ name: Name, _ connection: borrowing SQLiteConnection) throws(SQLiteError) -> [UInt8]? {
        try note(named: name.rawValue, connection)
    }

    func note(named name: String, _ connection: borrowing SQLiteConnection) throws(SQLiteError) -> [UInt8]? {
        var row = try connection.prepare("SELECT value FROM \(table("NOTE")) WHERE name = ?1")
        try row.bind(name, at: 1)
        return try row.step() ? row.blob(0) : nil
    }

    func setNote(
        _ name: Name, _ value: [UInt8]?, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        try setNote(named: name.rawValue, value, connection)
    }

    func setNote(
        named name: String, _ value: [UInt8]?, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        guard let value else {
            var row = try connection.prepare("DELETE FROM \(table("NOTE")) WHERE name = ?1")
            try row.bind(name, at: 1)
            return try row.run()
        }
        var row = try connection.prepare("INSERT OR REPLACE INTO \(table("NOTE")) VALUES (?1, ?2)")
        try row.bind(name, at: 1)
        try row.bind(value, at: 2)
        try row.run()
    }

    func postedFiles(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> [String] {
        try connection.rows("SELECT file FROM \(table("OUTBOX")) ORDER BY file") { $0.text(0) ?? "" }
    }

    func deliver(_ file: String, _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        var row = try connection.prepare("DELETE FROM \(table("OUTBOX")) WHERE file = ?1")
        try row.bind(file, at: 1)
        try row.run()
    }
}

/// A change set whose changes are in the document.
struct NotedSet: Sendable, Hashable {
    var identifier: String
    var client: String?
    /// Modification time in the remote, or time of sending, in seconds since 2001-01-01 00:00:00 UTC.
    var creationDate: Double?
    var applied: Double?
    /// SHA-256 of the decrypted bytes; nil if this replica never read them.
    var digest: [UInt8]?
    /// The set that this one is a copy of; the changes of a copy are not applied.
    var original: String?
    var isRegistered: Bool
}

extension ReplicaDatabase {
    func knownSets(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> KnownSets {
        var counted = try connection.prepare("SELECT count(*) FROM \(table("SET"))")
        var known = KnownSets(capacity: try counted.step() ? Int(clamping: counted.integer(0) ?? 0) : 0)
        var rows = try connection.prepare("SELECT identifier FROM \(table("SET"))")
        while try rows.step() { rows.withBytes(0) { known.insert($0) } }
        return known
    }

    /// The latest time of sending before `limit` among the sets in the document.
    func latestSending(
        before limit: FileTime, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> FileTime? {
        var rows = try connection.prepare("SELECT identifier, creationDate FROM \(table("SET"))")
        var latest: FileTime?
        while try rows.step() {
            let named = rows.withBytes(0) { ChangeSetIdentifier.nominalTime($0) }
            guard let time = named ?? rows.real(1).flatMap({ FileTime(secondsSince2001: $0) }), time < limit
            else { continue }
            latest = max(latest ?? time, time)
        }
        return latest
    }

    func add(_ sets: [NotedSet], _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        var row = try connection.prepare(
            "INSERT OR REPLACE INTO \(table("SET")) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        for set in sets {
            try row.bind(set.identifier, at: 1)
            if let client = set.client { try row.bind(client, at: 2) }
            if let date = set.creationDate { row.bind(date, at: 3) }
            if let date = set.applied { row.bind(date, at: 4) }
            if let digest = set.digest { try row.bind(digest, at: 5) }
            if let original = set.original { try row.bind(original, at: 6) }
            row.bind(set.isRegistered ? 1 : 0 as Int64, at: 7)
            try row.run()
        }
    }

    /// The set with these contents; nil if there is none, or if this replica never read its contents.
    func set(
        withDigest digest: [UInt8], _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> String? {
        var row = try connection.prepare(
            "SELECT identifier FROM \(table("SET")) WHERE digest = ?1 ORDER BY applied, identifier LIMIT 1")
        try row.bind(digest, at: 1)
        return try row.step() ? row.text(0) : nil
    }

    func copies(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> Set<String> {
        Set(
            try connection.rows("SELECT identifier FROM \(table("SET")) WHERE original IS NOT NULL") {
                $0.text(0)
            })
    }

    func setsWithoutDigest(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> Set<String> {
        Set(try connection.rows("SELECT identifier FROM \(table("SET")) WHERE digest IS NULL") { $0.text(0) })
    }

    func setDigests(
        _ digests: [(identifier: String, digest: [UInt8])], _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        var row = try connection.prepare("UPDATE \(table("SET")) SET digest = ?1 WHERE identifier = ?2")
        for (identifier, digest) in digests {
            try row.bind(digest, at: 1)
            try row.bind(identifier, at: 2)
            try row.run()
        }
    }

    func unregisteredSets(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> [NotedSet] {
        try connection.rows(
            "SELECT identifier, client, creationDate, applied, digest FROM \(table("SET")) "
                + "WHERE isRegistered = 0 ORDER BY applied, creationDate, identifier"
        ) {
            NotedSet(
                identifier: $0.text(0) ?? "", client: $0.text(1), creationDate: $0.real(2),
                applied: $0.real(3), digest: $0.blob(4), isRegistered: false)
        }
    }

    func setRegistered(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        try connection.execute("UPDATE \(table("SET")) SET isRegistered = 1 WHERE isRegistered = 0")
    }
}
