import CoreDataStore
import SystemPackage

/// What a replica remembers besides the document: tables of ours in `ReplicaState.sqlite`, reached by themselves or
/// attached to the document, so that they change with it in one transaction.
struct ReplicaNotes: Sendable {
    /// The database's name on the connection: `main`, or `base` where it is attached.
    let schema: String

    static let alone = ReplicaNotes(schema: "main")
    static let attached = ReplicaNotes(schema: "base")

    func table(_ name: String) -> String { "\(schema).TICDS_\(name)" }

    func create(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        for definition in [
            "NOTE (name TEXT PRIMARY KEY, value BLOB)",
            // Sets whose changes are in the document; `isRegistered` once the register of the framework has them, too.
            "SET (identifier TEXT PRIMARY KEY, client TEXT, creationDate REAL, applied REAL, digest BLOB, original TEXT, isRegistered INTEGER NOT NULL)",
            // Transactions that are not closed.
            "TRANSACTION (uuid TEXT PRIMARY KEY, state INTEGER NOT NULL, problem TEXT)",
            // Helper files that are due: their bytes, or null where they are to go.
            "OUTBOX (file TEXT PRIMARY KEY, bytes BLOB)",
            "EVENT (number INTEGER PRIMARY KEY, time REAL NOT NULL, kind TEXT NOT NULL, name TEXT, entity TEXT, relatedEntity TEXT, syncID TEXT, key TEXT, localValue BLOB, remoteValue BLOB, client TEXT, changeSet TEXT, resolution TEXT, reason TEXT)",
        ] {
            try connection.execute("CREATE TABLE \(schema).TICDS_\(definition)")
        }
        try connection.execute("CREATE INDEX \(schema).TICDS_SET_digest ON TICDS_SET (digest)")
        try connection.execute(
            "CREATE INDEX \(schema).TICDS_SET_new ON TICDS_SET (isRegistered) WHERE isRegistered = 0")
    }
}

// MARK: Notes by name

extension ReplicaNotes {
    enum Name: String, Sendable {
        /// What the document's file was like after the last transaction.
        case storeSignature
        /// The identifier under which edits are being sent.
        case sending
    }

    func note(_ name: Name, _ connection: borrowing SQLiteConnection) throws(SQLiteError) -> [UInt8]? {
        var row = try connection.prepare("SELECT value FROM \(table("NOTE")) WHERE name = ?1")
        try row.bind(name.rawValue, at: 1)
        return try row.step() ? row.blob(0) : nil
    }

    /// Nil forgets the note.
    func setNote(
        _ name: Name, _ value: [UInt8]?, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        guard let value else {
            var row = try connection.prepare("DELETE FROM \(table("NOTE")) WHERE name = ?1")
            try row.bind(name.rawValue, at: 1)
            return try row.run()
        }
        var row = try connection.prepare("INSERT OR REPLACE INTO \(table("NOTE")) VALUES (?1, ?2)")
        try row.bind(name.rawValue, at: 1)
        try row.bind(value, at: 2)
        try row.run()
    }
}

// MARK: Helper files that are due

extension ReplicaNotes {
    /// Notes what a helper file is to hold; nil removes it.
    func post(
        _ bytes: [UInt8]?, to file: FilePath, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        var row = try connection.prepare("INSERT OR REPLACE INTO \(table("OUTBOX")) VALUES (?1, ?2)")
        try row.bind(file.lastComponent?.string ?? "", at: 1)
        if let bytes { try row.bind(bytes, at: 2) }
        try row.run()
    }

    func postedFiles(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> [String] {
        try connection.rows("SELECT file FROM \(table("OUTBOX")) ORDER BY file") { $0.text(0) ?? "" }
    }

    func posted(_ file: String, _ connection: borrowing SQLiteConnection) throws(SQLiteError) -> [UInt8]? {
        var row = try connection.prepare("SELECT bytes FROM \(table("OUTBOX")) WHERE file = ?1")
        try row.bind(file, at: 1)
        return try row.step() ? row.blob(0) : nil
    }

    func deliver(_ file: String, _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        var row = try connection.prepare("DELETE FROM \(table("OUTBOX")) WHERE file = ?1")
        try row.bind(file, at: 1)
        try row.run()
    }
}
