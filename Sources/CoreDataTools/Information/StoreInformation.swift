import Base
public import CoreDataStore
import KeyedArchive
public import SystemCalls
import SystemPackage

/// The description of a store: its writer, identity, contents and peculiarities, without its values.
public struct StoreInformation: Sendable {
    /// The tables and files of an SQLite store.
    public struct Database: Sendable, Hashable {
        /// The size of a page in bytes.
        public var pageSize: Int
        /// The number of pages, including those in the write-ahead log.
        public var pages: Int
        /// The number of free pages, which can contain deleted rows.
        public var freePages: Int
        /// Whether the header demands a write-ahead log.
        public var usesWriteAheadLog: Bool
        /// The size of the write-ahead log in bytes; nil if there is none.
        public var writeAheadLogSize: Int64?
        /// The size of the rollback journal in bytes; nil if there is none.
        public var journalSize: Int64?
        /// Whether the store contains its model in Z_MODELCACHE.
        public var hasModel: Bool
        /// Tables of CloudKit mirroring.
        public var cloudKitTables: [String]
        /// Triggers, which maintain derived attributes.
        public var triggers: [String]
        /// The size of the persistent history; nil if the store has none.
        public var history: History?
        /// The number of files of external data to which the store refers.
        public var externalFiles: Int
        /// The number of these files that do not exist.
        public var missingExternalFiles: Int
    }

    /// The size of a persistent history.
    public struct History: Sendable, Hashable {
        /// The number of transactions.
        public var transactions: Int
        /// The number of changes.
        public var changes: Int
        /// The time of the first transaction: seconds since 2001-01-01 00:00:00 UTC.
        public var first: Double?
        /// The time of the last transaction, in the same seconds.
        public var last: Double?
    }

    /// An entity of the store.
    public struct Entity: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The name of its superentity; nil for a root entity.
        public var superentity: String?
        /// The table of an SQLite store.
        public var table: String?
        /// The number of objects, without those of subentities; nil if the table is missing.
        public var objects: Int?
        /// The version hash in the metadata, 32 bytes.
        public var versionHash: [UInt8]?
    }

    /// The metadata of Core Data and the app.
    public var metadata: StoreMetadata
    /// The systems whose Core Data has the framework version; nil if none is known.
    public var systems: String?
    /// The entities in the order of the store.
    public var entities: [Entity]
    /// The details of an SQLite store; nil for other types.
    public var database: Database?
    /// The oddities of the store, each a sentence without a full stop.
    public var oddities: [String]
    /// Whether a damaged part is missing from the counts.
    public var isShort = false

    private static let mostOddities = 20

    /// Reads the description of `store`.
    public init(_ store: any PersistentStore) throws(FileProblem) {
        metadata = store.metadata
        systems = store.metadata.frameworkVersion.flatMap(Self.systems)
        let counts = Dictionary(
            try store.objectCounts().map { ($0.entity, $0.count) }, uniquingKeysWith: { $0 +| $1 })
        var oddities = store.notes.map(\.text)
        for problem in try store.problems(of: nil) {
            oddities.append(problem.problem + (problem.found.map { ": \($0)" } ?? ""))
        }
        let hashes = metadata.versionHashes
        if let store = store as? SQLiteStore {
            entities = store.entities.all.map { entity in
                let table = store.entities.tableName(of: entity)
                let exists = store.tableNames.contains(table)
                return Entity(
                    name: entity.name,
                    superentity: entity.superentity == 0 ? nil : store.entities[entity.superentity]?.name,
                    table: table, objects: exists ? counts[entity.name] ?? 0 : nil,
                    versionHash: hashes[entity.name])
            }
            oddities += store.missingTables.map { "a table is missing: \($0.expected ?? "")" }
            let database = try store.database()
            if database.missingExternalFiles > 0 {
                oddities.append(
                    "missing: \(counted(database.missingExternalFiles, "file")) of external data that the store refers to"
                )
            }
            self.database = database
        } else {
            let names = Set(counts.keys).union(hashes.keys).sorted { $0.precedesInCodePoints($1) }
            entities = names.map { name in
                Entity(
                    name: name, superentity: store.model?[name]?.superentity, objects: counts[name] ?? 0,
                    versionHash: hashes[name])
            }
        }
        var isShort = false
        try store.reportStrayRows { problem in
            isShort = isShort || !(store is SQLiteStore)
            if oddities.count < Self.mostOddities {
                oddities.append(problem.problem + (problem.found.map { ": \($0)" } ?? ""))
            }
        }
        self.isShort = isShort
        self.oddities = oddities
    }

    /// The systems by framework version (core-data-sqlite-store(5), 1.4).
    static func systems(_ version: Int) -> String? {
        let known: [(ClosedRange<Int>, String)] = [
            (185...186, "Mac OS X 10.4 or 10.5"), (241...241, "iOS 3.0"),
            (248...248, "iOS 3.1 or Mac OS X 10.6"),
            (246...251, "Mac OS X 10.6"), (310...310, "iOS 3.2"), (320...320, "iOS 4"),
            (358...358, "Mac OS X 10.7"),
            (386...386, "iOS 5"), (407...407, "OS X 10.8"), (419...419, "iOS 6"), (479...479, "iOS 7"),
            (481...481, "OS X 10.9"), (519...519, "iOS 8"), (526...526, "OS X 10.10"),
            (637...640, "iOS 9.0 or OS X 10.11"), (641...641, "iOS 9.2 or OS X 10.11.3"),
            (752...754, "iOS 10 or macOS 10.12"), (847...851, "iOS 11 or macOS 10.13"),
            (865...866, "iOS 12 or macOS 10.14"), (977...977, "iOS 13 or macOS 10.15"),
            (1044...1048, "iOS 14 or macOS 11"), (1132...1145, "iOS 15 or macOS 12"),
            (1251...1251, "iOS 16 or macOS 13"), (1333...1340, "iOS 17 or macOS 14"),
            (1414...Int.max, "iOS 18 or macOS 15, or later"),
        ]
        return known.first { $0.0.contains(version) }?.1
    }
}

extension SQLiteStore {
    fileprivate func database() throws(FileProblem) -> StoreInformation.Database {
        let connection = try file.connect()
        func number(_ sql: String) throws(SQLiteError) -> Int {
            var rows = try connection.prepare(sql)
            return try rows.step() ? Int(clamping: rows.integer(0) ?? 0) : 0
        }
        func names(_ condition: String) throws(SQLiteError) -> [String] {
            var rows = try connection.prepare(
                "SELECT name FROM sqlite_master WHERE \(condition) ORDER BY name LIMIT 1000")
            var names: [String] = []
            while try rows.step() { names.append(rows.text(0) ?? "") }
            return names
        }
        let pending = try ["-wal", "-journal"].map { suffix throws(FileProblem) in
            try SQLiteStoreFile.beside(path, suffix).map { path throws(FileProblem) in
                try FileStatus.of(path).size
            }
        }
        let references = try externalFileNames()
        var missing = 0
        for name in references {
            if let uuid = ArchivedUUID(text: name), try !external.exists(uuid) { missing += 1 }
        }
        let hasHistory = try hasHistory()
        let database = try file.run { () throws(SQLiteError) in
            StoreInformation.Database(
                pageSize: try number("PRAGMA page_size"), pages: try number("PRAGMA page_count"),
                freePages: try number("PRAGMA freelist_count"), usesWriteAheadLog: false,
                writeAheadLogSize: pending[0], journalSize: pending[1],
                hasModel: tableNames.contains("Z_MODELCACHE")
                    ? try number("SELECT count(*) FROM Z_MODELCACHE WHERE Z_CONTENT IS NOT NULL") > 0 : false,
                cloudKitTables: try names("type = 'table' AND name LIKE 'ANSCK%'"),
                triggers: try names("type = 'trigger'"),
                history: hasHistory ? try Self.history(connection) : nil,
                externalFiles: references.count, missingExternalFiles: missing)
        }
        var result = database
        result.usesWriteAheadLog = try SQLiteStoreFile.hasLogHeader(path)
        return result
    }

    private static func history(
        _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> StoreInformation.History {
        var rows = try connection.prepare(
            "SELECT count(*), (SELECT count(*) FROM ACHANGE), min(ZTIMESTAMP), max(ZTIMESTAMP) FROM ATRANSACTION"
        )
        guard try rows.step() else { return StoreInformation.History(transactions: 0, changes: 0) }
        return StoreInformation.History(
            transactions: Int(clamping: rows.integer(0) ?? 0), changes: Int(clamping: rows.integer(1) ?? 0),
            first: rows.real(2) ?? rows.integer(2).map { Double($0) },
            last: rows.real(3) ?? rows.integer(3).map { Double($0) })
    }
}
