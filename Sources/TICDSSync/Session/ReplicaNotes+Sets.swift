import CoreDataStore
import SystemCalls
import TICDSCore

/// A change set whose changes are in the document.
struct NotedSet: Sendable, Hashable {
    var identifier: String
    var client: String?
    /// Modification time in the remote, or of sending; seconds since 2001-01-01 00:00:00 UTC.
    var creationDate: Double?
    var applied: Double?
    /// SHA-256 of the plain bytes; nil where they were never seen.
    var digest: [UInt8]?
    /// The set that this one is a copy of; its changes are not applied again.
    var original: String?
    var isRegistered: Bool
}

extension ReplicaNotes {
    /// Identifiers of all sets that are in the document.
    func knownSets(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> Set<[UInt8]> {
        Set(
            try connection.rows("SELECT identifier FROM \(table("SET"))") { row in
                row.withBytes(0) { Array($0) }
            })
    }

    /// The latest time of sending among the sets in the document, of those before `limit`.
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

    /// The set with these contents; nil where there is none, or its contents were never seen.
    func set(
        withDigest digest: [UInt8], _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> String? {
        var row = try connection.prepare(
            "SELECT identifier FROM \(table("SET")) WHERE digest = ?1 ORDER BY applied, identifier LIMIT 1")
        try row.bind(digest, at: 1)
        return try row.step() ? row.text(0) : nil
    }

    /// Identifiers of sets that are copies of others.
    func copies(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> Set<String> {
        Set(
            try connection.rows("SELECT identifier FROM \(table("SET")) WHERE original IS NOT NULL") {
                $0.text(0)
            })
    }

    /// Identifiers of sets whose contents were never seen.
    func setsWithoutDigest(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> Set<String> {
        Set(try connection.rows("SELECT identifier FROM \(table("SET")) WHERE digest IS NULL") { $0.text(0) })
    }

    func setDigest(
        _ digest: [UInt8], of identifier: String, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        var row = try connection.prepare("UPDATE \(table("SET")) SET digest = ?1 WHERE identifier = ?2")
        try row.bind(digest, at: 1)
        try row.bind(identifier, at: 2)
        try row.run()
    }

    /// Sets that the framework's register does not have yet.
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
