import CoreDataStore
package import SystemCalls
package import SystemPackage

/// A value of a row of the database.
package enum FleetValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
    init(_ number: Int?) { self.init(number.map { Int64($0) }) }
    init(_ truth: Bool?) { self.init(truth.map { $0 ? 1 : 0 }) }
}

/// The database of a fleet: the results of its runs, as an SQLite file that any tool can read.
///
/// All tables are without row identifiers and the file is written again in the order of their keys, so that the same
/// results give the same bytes, for any order and number of merges.
package struct FleetDatabase: ~Copyable {
    /// The application ID in the header of the file: `TICF`.
    static let applicationIdentifier: Int64 = 0x5449_4346
    /// The version of the tables.
    static let version: Int64 = 1

    let connection: SQLiteConnection
    let path: FilePath

    /// The tables with their columns; the columns of the key come first.
    static let tables: [(name: String, columns: [String], keys: Int)] = [
        ("runs", ["run TEXT", "command TEXT", "begun TEXT", "version TEXT", "remotes INTEGER"], 1),
        (
            "remotes",
            [
                "id TEXT", "location TEXT", "application TEXT", "tags TEXT", "digest TEXT", "files INTEGER",
                "bytes INTEGER", "encrypted INTEGER", "seen TEXT",
            ], 1
        ),
        (
            "history",
            [
                "id TEXT", "run TEXT", "started TEXT", "seconds REAL", "state TEXT", "reason TEXT",
                "exit_status INTEGER", "signal INTEGER", "attempts INTEGER", "peak_memory INTEGER",
                "digest TEXT",
                "host TEXT", "version TEXT", "problem TEXT", "errors INTEGER", "warnings INTEGER",
                "notes INTEGER",
                "fingerprint TEXT",
            ], 2
        ),
        (
            "sizes",
            [
                "id TEXT", "run TEXT", "seen TEXT", "files INTEGER", "bytes INTEGER", "change_sets INTEGER",
                "change_set_bytes INTEGER", "whole_stores INTEGER", "whole_store_bytes INTEGER",
            ], 2
        ),
        (
            "documents",
            [
                "id TEXT", "document TEXT", "description TEXT", "last_sync TEXT", "clients INTEGER",
                "change_sets INTEGER", "change_set_bytes INTEGER", "newest_change_set TEXT",
                "whole_stores INTEGER",
                "whole_store_bytes INTEGER",
            ], 2
        ),
        (
            "clients",
            [
                "id TEXT", "client TEXT", "description TEXT", "registered INTEGER", "last_sync TEXT",
                "whole_store_uploaded TEXT", "documents INTEGER", "change_sets INTEGER",
                "change_set_bytes INTEGER",
                "not_applied INTEGER", "lag_as_of TEXT",
            ], 2
        ),
        (
            "stores",
            [
                "id TEXT", "document TEXT", "client TEXT", "kind TEXT", "size INTEGER", "modified TEXT",
                "objects INTEGER", "entities INTEGER", "model TEXT", "framework INTEGER",
            ], 3
        ),
        ("findings", ["id TEXT", "code TEXT", "severity TEXT", "count INTEGER"], 2),
        (
            "examples",
            [
                "id TEXT", "code TEXT", "number INTEGER", "document TEXT", "client TEXT", "path TEXT",
                "found TEXT",
            ], 3
        ),
        ("codes", ["code TEXT", "severity TEXT", "title TEXT"], 1),
        ("sources", ["id TEXT", "kind TEXT", "run TEXT", "started TEXT", "fingerprint TEXT"], 2),
    ]

    /// The names of columns without their types.
    static func columns(of table: String) -> [String] {
        let found = tables.first { $0.name == table }?.columns ?? []
        return found.map { String($0.prefix { $0 != " " }) }
    }

    private init(_ connection: consuming SQLiteConnection, _ path: FilePath) {
        self.connection = connection
        self.path = path
    }

    /// Opens a database for reading.
    package static func open(_ path: FilePath) throws(FileProblem) -> FleetDatabase {
        let status = try FileStatus.of(path)
        guard status.kind == .file else { throw .notRegular(status.kind, path: path) }
        let opened = try Self.reporting(path) { () throws(SQLiteError) in
            try SQLiteConnection(
                uri: SQLiteURI.uri(of: path, immutable: false), mode: .readOnly, longestValue: 64 << 20)
        }
        let database = FleetDatabase(opened, path)
        try database.checkVersion(schema: "main")
        return database
    }

    /// Creates a new database with empty tables.
    static func make(_ path: FilePath) throws(FileProblem) -> FleetDatabase {
        let opened = try Self.reporting(path) { () throws(SQLiteError) in
            try SQLiteConnection(
                uri: SQLiteURI.uri(of: path, immutable: false), mode: .create, longestValue: 64 << 20,
                allowsAttaching: true)
        }
        let database = FleetDatabase(opened, path)
        // No other process uses the file, and it is renamed when complete. Results come in the order of the keys, so
        // that a small cache is enough.
        let pragmas = [
            "journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", "cache_size = -8192",
            "application_id = \(applicationIdentifier)", "user_version = \(version)",
        ]
        for pragma in pragmas { try database.execute("PRAGMA \(pragma)") }
        for table in tables {
            let keys = table.columns.prefix(table.keys).map { $0.prefix { $0 != " " } }.joined(
                separator: ", ")
            let columns = table.columns.enumerated().map {
                $0.offset < table.keys ? "\($0.element) NOT NULL" : $0.element
            }
            try database.execute(
                "CREATE TABLE \(table.name)(\(columns.joined(separator: ", ")), PRIMARY KEY (\(keys))) WITHOUT ROWID"
            )
        }
        return database
    }

    /// Copies all rows of another database into these empty tables.
    func copy(from other: FilePath) throws(FileProblem) {
        try execute(
            "ATTACH DATABASE '\(Self.text(SQLiteURI.uri(of: other, immutable: false)))?mode=ro' AS former")
        try checkVersion(schema: "former")
        for table in Self.tables {
            let names = Self.columns(of: table.name).joined(separator: ", ")
            try execute(
                "INSERT OR REPLACE INTO \(table.name)(\(names)) SELECT \(names) FROM former.\(table.name)")
        }
        try execute("DETACH DATABASE former")
    }

    /// Writes the database to a new file, in the order of the keys.
    func write(to target: FilePath) throws(FileProblem) {
        // SQLite would not give it all permissions that the umask grants.
        try NewFile.write([], to: target)
        try execute("VACUUM INTO '\(Self.text(SQLiteURI.uri(of: target, immutable: false)))'")
    }

    /// The text between single quotes in SQL.
    private static func text(_ text: String) -> String { text.replacing("'", with: "''") }

    private func checkVersion(schema: String) throws(FileProblem) {
        let identifier = try integer("PRAGMA \(schema).application_id")
        let found = try integer("PRAGMA \(schema).user_version")
        guard identifier == Self.applicationIdentifier else {
            throw FileProblem(
                .unsupported, path: path, "is not the database of a fleet",
                advice: "Name a file that ticds-fleet merge wrote, or a new one")
        }
        guard found == Self.version else {
            throw FileProblem(
                .unsupported, path: path, "is the database of another version", expected: "\(Self.version)",
                found: "\(found)", advice: "Merge the runs into a new file")
        }
    }

    private func integer(_ sql: String) throws(FileProblem) -> Int64 {
        try reporting { () throws(SQLiteError) in
            var statement = try connection.prepare(sql)
            return try statement.step() ? statement.integer(0) ?? 0 : 0
        }
    }

    func execute(_ sql: String) throws(FileProblem) {
        try reporting { () throws(SQLiteError) in try connection.execute(sql) }
    }

    /// Runs `body`; its errors become errors of the file.
    func reporting<Value: ~Copyable>(_ body: () throws(SQLiteError) -> Value) throws(FileProblem) -> Value {
        try Self.reporting(path, body)
    }

    static func reporting<Value: ~Copyable>(
        _ path: FilePath, _ body: () throws(SQLiteError) -> Value
    ) throws(FileProblem) -> Value {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw FileProblem(
                .unreadable, path: path, "the database cannot be used", found: error.message,
                advice: "If it is damaged, merge the runs into a new file")
        }
    }

    /// A statement for the number of remotes whose latest result of a kind is in the database.
    package static func counting(_ kind: String) -> String {
        "SELECT count(DISTINCT id) FROM sources JOIN history USING (id, run) WHERE kind = '\(kind)' AND state = 'done'"
    }

    /// The rows of a statement that only reads.
    /// - Parameter limit: the largest number of rows.
    /// - Throws: `.refused` if the text is not one statement, or would change anything.
    package func rows(_ sql: String, limit: Int) throws(FileProblem) -> (
        columns: [String], rows: [[FleetValue]]
    ) {
        do throws(SQLiteError) {
            var statement = try connection.prepareOnly(sql)
            let columns = statement.columnNames
            var rows: [[FleetValue]] = []
            while rows.count < limit, try statement.step() {
                rows.append(columns.indices.map { Self.value(statement, $0) })
            }
            return (columns, rows)
        } catch {
            throw FileProblem(
                .refused, path: path, "the query cannot be answered", found: error.message,
                advice: "ticds-fleet(7) describes the tables")
        }
    }

    private static func value(_ statement: borrowing SQLiteStatement, _ column: Int) -> FleetValue {
        switch statement.storage(column) {
        case .null: .null
        case .integer: .integer(statement.integer(column) ?? 0)
        case .real: .real(statement.real(column) ?? 0)
        case .text, .blob: .text(statement.withBytes(column) { String(decoding: $0, as: UTF8.self) })
        }
    }
}

extension SQLiteStatement {
    /// Binds values to the first parameters.
    mutating func bind(_ values: [FleetValue]) throws(SQLiteError) {
        for (number, value) in values.enumerated() {
            switch value {
            case .null: bind(nil, at: number + 1)
            case .integer(let integer): bind(integer, at: number + 1)
            case .real(let real): bind(real, at: number + 1)
            case .text(let text): try bind(text, at: number + 1)
            }
        }
    }

    /// Runs a statement without rows, and resets it.
    mutating func run(_ values: [FleetValue]) throws(SQLiteError) {
        defer { reset() }
        try bind(values)
        while try step() {}
    }
}
