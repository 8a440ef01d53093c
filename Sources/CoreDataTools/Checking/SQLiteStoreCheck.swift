import Base
import CoreDataStore
import SystemCalls

/// Checks the tables of an SQLite store and the links between their rows (core-data-sqlite-store(5), 1.2, 2.2 and 3).
struct SQLiteStoreCheck: ~Copyable {
    let store: SQLiteStore
    let schema: SQLiteSchema
    private let connection: SQLiteConnection
    var groups = FindingGroups()
    private(set) var unchecked: [String] = []

    init(_ store: SQLiteStore) throws(FileProblem) {
        self.store = store
        let connection = try store.file.connect()
        schema = try store.file.run { () throws(SQLiteError) in try SQLiteSchema(connection) }
        self.connection = connection
    }

    mutating func run() throws(FileProblem) {
        try checkDatabase()
        for text in store.lacking { groups.add(.missingColumn, entity: nil, text) }
        for root in store.entities.all where root.superentity == 0 {
            let table = store.entities.tableName(of: root)
            guard let columns = schema.tables[table] else {
                groups.add(.missingTable, entity: root.name, property: table, "the table \(table)")
                continue
            }
            try checkRows(of: root, columns)
            try checkPlaces(columns, root)
        }
        for entity in try store.unexplainedEntities() where !entity.isAbstract {
            groups.add(.unknownEntity, entity: entity.entity, entity.problem(store.path).problem)
        }
        for gap in store.gaps {
            let found = gap.problem.found.map { ": \($0)" } ?? ""
            groups.add(.unknownColumn, entity: nil, gap.problem.problem + found)
        }
        checkVersionHashes()
        try checkStrayFiles()
        for table in store.strayTables {
            try query("SELECT Z_PK, Z_ENT FROM \(SQLiteName.quoted(table)) NOT INDEXED") {
                $1.add(
                    .unknownEntity, entity: nil, property: table, key: $0.integer(0),
                    "row \($0.shown(0)) has Z_ENT \($0.shown(1))")
            }
        }
        if let model = store.model {
            let found = ModelLinks(model, store.entities, schema)
            try check(found.links, found.joins)
        } else {
            let found = SchemaLinks(store.layouts, store.entities, schema)
            try check(found.links, found.joins)
            if found.unknown > 0 {
                unchecked.append(
                    "without a model: where \(counted(found.unknown, "to-one relationship")) \(found.unknown == 1 ? "leads" : "lead")"
                )
            }
        }
        try store.file.checkUnchanged()
    }

    /// Core Data refuses a store without the version hash of each entity. A migration can leave the former name of an
    /// entity in its row, so that only the numbers show whether hashes are missing.
    private mutating func checkVersionHashes() {
        let hashes = store.metadata.versionHashes
        let missing = store.entities.all.filter { hashes[$0.name] == nil }
        guard hashes.count < store.entities.all.count, !missing.isEmpty else { return }
        groups.add(
            .versionHashes, entity: nil,
            "\(hashes.count) of \(store.entities.all.count) hashes; none for \(missing.map(\.name).listed())")
    }

    /// Checks for stray files. They remain if an app is interrupted, and are harmless.
    private mutating func checkStrayFiles() throws(FileProblem) {
        let stray = try store.external.strayFiles(try store.externalFileNames())
        guard let first = stray.first else { return }
        groups.add(
            .strayExternalData, entity: nil, isTolerated: true,
            "\(counted(stray.count, "file")), the first is \(first)")
    }

    /// Runs a query and calls `body` with each row. If the database is damaged, that is a finding.
    mutating func query(
        _ sql: String, _ body: (borrowing SQLiteStatement, inout FindingGroups) -> Void
    ) throws(FileProblem) {
        try read { (connection, groups) throws(SQLiteError) in
            var rows = try connection.prepare(sql)
            while try rows.step() { body(rows, &groups) }
        }
    }

    private mutating func checkDatabase() throws(FileProblem) {
        try read { (connection, groups) throws(SQLiteError) in
            for complaint in try connection.integrityCheck() {
                groups.add(.damagedDatabase, entity: nil, complaint)
            }
        }
    }

    private mutating func read(
        _ body: (borrowing SQLiteConnection, inout FindingGroups) throws(SQLiteError) -> Void
    ) throws(FileProblem) {
        do throws(SQLiteError) {
            try body(connection, &groups)
        } catch {
            let problem = store.file.problem(error)
            guard problem.kind == .damaged else { throw problem }
            groups.add(.damagedDatabase, entity: nil, error.message)
        }
    }

    private mutating func checkRows(of root: StoreEntity, _ table: SQLiteSchema.Table) throws(FileProblem) {
        let name = SQLiteName.quoted(table.name)
        let family = store.entities.family(of: root.number)
        let known = numbers(family.map(\.number))
        for column in ["Z_PK", "Z_ENT", "Z_OPT"] where !table.has(column) {
            groups.add(.missingColumn, entity: root.name, property: column, "the table \(table.name)")
        }
        guard table.has("Z_PK"), table.has("Z_ENT") else { return }
        try query(
            "SELECT Z_PK, Z_ENT FROM \(name) NOT INDEXED WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(known))"
        ) {
            $1.add(
                .unknownEntity, entity: nil, property: table.name, key: $0.integer(0),
                "row \($0.shown(0)) has Z_ENT \($0.shown(1))")
        }
        let abstract = family.filter { store.model?[$0.name]?.isAbstract == true }
        if !abstract.isEmpty {
            try query(
                "SELECT Z_PK, Z_ENT FROM \(name) NOT INDEXED WHERE Z_ENT IN (\(numbers(abstract.map(\.number))))"
            ) {
                let number = $0.integer(1) ?? 0
                $1.add(
                    .abstractEntity, entity: abstract.first { Int64($0.number) == number }?.name,
                    key: $0.integer(0), "row \($0.shown(0))")
            }
        }
        try query(
            "SELECT Z_PK FROM \(name) NOT INDEXED WHERE typeof(Z_PK) <> 'integer' OR Z_PK < 1 UNION ALL "
                + "SELECT Z_PK FROM (SELECT Z_PK, count(*) AS n FROM \(name) GROUP BY Z_PK) WHERE n > 1"
        ) {
            $1.add(.primaryKey, entity: root.name, key: $0.integer(0), "the key \($0.shown(0))")
        }
        if table.has("Z_OPT") {
            try query(
                "SELECT Z_PK, Z_OPT FROM \(name) NOT INDEXED WHERE typeof(Z_OPT) <> 'integer' OR Z_OPT < 1"
            ) {
                $1.add(
                    .versionCounter, entity: root.name, key: $0.integer(0),
                    "row \($0.shown(0)) has Z_OPT \($0.shown(1))")
            }
        }
        try query(
            "SELECT (SELECT max(Z_PK) FROM \(name)) AS top, coalesce(Z_MAX, 0) FROM Z_PRIMARYKEY "
                + "WHERE Z_ENT = \(root.number) AND top > coalesce(Z_MAX, 0)"
        ) {
            $1.add(
                .highestKey, entity: root.name, property: "Z_MAX", key: $0.integer(0),
                "Z_MAX is \($0.shown(1)), and row \($0.shown(0)) exists")
        }
    }

    /// Checks the positions of ordered relationships, in the column `Z_FOK_<REL>` beside the key `Z<REL>`.
    private mutating func checkPlaces(_ table: SQLiteSchema.Table, _ root: StoreEntity) throws(FileProblem) {
        for order in table.columns.map(\.name) where order.hasPrefix("Z_FOK_") {
            let key = "Z" + order.dropFirst("Z_FOK_".count)
            guard table.has(key) else { continue }
            try checkPlaces(
                in: table.name, order: order, owner: key, row: "Z_PK", entity: root.name, property: order)
        }
    }

    /// Checks that every object with an owner has a position, and that no two objects of an owner have the same one.
    mutating func checkPlaces(
        in table: String, order: String, owner: String, row: String, entity: String, property: String
    ) throws(FileProblem) {
        let name = SQLiteName.quoted(table)
        let (order, owner, row) = (SQLiteName.quoted(order), SQLiteName.quoted(owner), SQLiteName.quoted(row))
        try query(
            "SELECT \(row), \(owner) FROM \(name) NOT INDEXED WHERE (\(order) IS NULL) <> (\(owner) IS NULL)"
        ) {
            let isStray = $0.storage(1) == .null
            $1.add(
                isStray ? .strayPosition : .missingPosition, entity: entity, property: property,
                key: $0.integer(0), "row \($0.shown(0)), owner \($0.shown(1))")
        }
        try query(
            "SELECT \(owner), \(order), min(\(row)), count(*) AS n FROM \(name) "
                + "WHERE \(order) IS NOT NULL AND \(owner) IS NOT NULL GROUP BY \(owner), \(order) HAVING n > 1"
        ) {
            $1.add(
                .duplicatePosition, entity: entity, property: property, key: $0.integer(2),
                "\($0.shown(3)) objects at position \($0.shown(1)) of owner \($0.shown(0))")
        }
    }

    func numbers(_ list: [Int]) -> String { list.map(String.init).joined(separator: ", ") }
}

extension SQLiteStatement {
    /// The value of a column for people: a number, a text, or the storage class.
    borrowing func shown(_ column: Int) -> String {
        integer(column).map(String.init) ?? text(column).map { String($0.prefix(100)) }
            ?? (storage(column) == .null ? "NULL" : "\(storage(column))")
    }
}
