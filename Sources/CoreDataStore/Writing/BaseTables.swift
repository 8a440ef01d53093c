import SystemCalls
import SystemPackage

/// The tables that a live store and its base have in common.
struct BaseTables {
    struct Table {
        var name: String
        /// All columns, in order.
        var columns: [String]
        /// The column with the primary key; nil for tables whose whole rows are compared.
        var key: String?
        /// The columns for bytes, which may be large.
        var blobs: [String] = []
    }

    let tables: [Table]

    init(_ schema: SQLiteSchema, _ entities: StoreEntities) {
        var keys = ["Z_PRIMARYKEY": "Z_ENT", "Z_METADATA": "Z_VERSION"]
        for entity in entities.all { keys[entities.tableName(of: entity)] = "Z_PK" }
        tables = schema.tables.values.sorted { $0.name < $1.name }.map { table in
            Table(
                name: table.name, columns: table.columns.map(\.name), key: keys[table.name],
                blobs: table.columns.filter { $0.declaredType == "BLOB" }.map(\.name))
        }
    }

    /// Throws `.refused` if the base has different tables, columns or entities.
    func check(_ connection: borrowing SQLiteConnection, _ path: FilePath) throws(FileProblem) {
        let found = try SQLiteError.at(path) { () throws(SQLiteError) in try difference(connection) }
        guard let found else { return }
        throw FileProblem(
            .refused, path: path, "the tables of the store were changed", expected: "those of its base",
            found: found, advice: "Clone the document again")
    }

    private func difference(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> String? {
        var names = Set(
            try connection.rows("SELECT name FROM base.sqlite_master WHERE type = 'table' AND name LIKE 'Z%'")
            {
                $0.text(0) ?? ""
            })
        for table in tables {
            guard names.remove(table.name) != nil else { return "an additional table \(table.name)" }
            var columns = try connection.prepare("SELECT name FROM pragma_table_info(?1, 'base')")
            try columns.bind(table.name, at: 1)
            var known: [String] = []
            while try columns.step() { known.append(columns.text(0) ?? "") }
            guard known == table.columns else { return "other columns in the table \(table.name)" }
        }
        if let name = names.min() { return "no table \(name)" }
        var entities = try connection.prepare(
            "SELECT m.Z_NAME FROM Z_PRIMARYKEY AS m LEFT JOIN base.Z_PRIMARYKEY AS b USING (Z_ENT) "
                + "WHERE (m.Z_NAME, m.Z_SUPER) IS NOT (b.Z_NAME, b.Z_SUPER) UNION ALL SELECT Z_NAME "
                + "FROM base.Z_PRIMARYKEY WHERE Z_ENT NOT IN (SELECT Z_ENT FROM main.Z_PRIMARYKEY)")
        return try entities.step() ? "another entity “\(entities.text(0) ?? "")”" : nil
    }

    /// Makes the base equal to the store.
    func update(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        for table in tables {
            let name = SQLiteName.quoted(table.name)
            let same = table.same("m", "b")
            try connection.execute(
                "DELETE FROM base.\(name) AS b WHERE NOT EXISTS (SELECT 1 FROM main.\(name) AS m WHERE \(same))"
            )
            let columns = table.columns.map(SQLiteName.quoted).joined(separator: ", ")
            guard let key = table.key.map(SQLiteName.quoted) else {
                let wanted = table.columns.map { "m.\(SQLiteName.quoted($0))" }.joined(separator: ", ")
                try connection.execute(
                    "INSERT OR REPLACE INTO base.\(name) (\(columns)) SELECT \(wanted) FROM main.\(name) AS m "
                        + "WHERE NOT EXISTS (SELECT 1 FROM base.\(name) AS b WHERE \(same))")
                continue
            }
            let source =
                "FROM main.\(name) AS m LEFT JOIN base.\(name) AS b ON b.\(key) = m.\(key) "
                + "WHERE (b.\(key) IS NULL OR \(table.difference("m", "b")))"
            let table = try table.withoutIndexedBlobs(connection)
            let large = try table.largeValues(source, connection)
            let wanted = table.columns.map { table.small("m", $0) }.joined(separator: ", ")
            try connection.execute(
                "INSERT OR REPLACE INTO base.\(name) (\(columns)) SELECT \(wanted) \(source)")
            for value in large { try table.copy(value, connection) }
        }
    }
}

/// Values that are so large that they are copied in pieces, after the row.
extension BaseTables.Table {
    /// The size in bytes from which a value is copied in pieces.
    private static let largeSize = 1 << 20

    /// The table, of whose values for bytes only those in columns without an index count as large.
    fileprivate func withoutIndexedBlobs(
        _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> Self {
        var copy = self
        copy.blobs = []
        for column in blobs where try SQLiteBlob.canWrite("base", table: name, column: column, connection) {
            copy.blobs.append(column)
        }
        return copy
    }

    fileprivate struct LargeValue {
        var key: Int64
        var column: String
    }

    /// The condition that a value is large. SQLite does not read the value for it.
    private func isLarge(_ alias: String, _ column: String) -> String {
        let value = "\(alias).\(SQLiteName.quoted(column))"
        return "(typeof(\(value)) = 'blob' AND length(\(value)) >= \(Self.largeSize))"
    }

    /// The value of a column; no bytes for a large one, which SQLite would keep in a temporary table.
    fileprivate func small(_ alias: String, _ column: String) -> String {
        let value = "\(alias).\(SQLiteName.quoted(column))"
        guard blobs.contains(column) else { return value }
        return "CASE WHEN \(isLarge(alias, column)) THEN x'' ELSE \(value) END"
    }

    /// The large values in the rows of `source`.
    fileprivate func largeValues(
        _ source: String, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> [LargeValue] {
        var found: [LargeValue] = []
        guard let key else { return found }
        for column in blobs {
            found += try connection.rows(
                "SELECT m.\(SQLiteName.quoted(key)) \(source) AND \(isLarge("m", column))"
            ) { row in row.integer(0).map { LargeValue(key: $0, column: column) } }
        }
        return found
    }

    /// Copies a value of the store to the base.
    fileprivate func copy(
        _ value: LargeValue, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        guard let key = key.map(SQLiteName.quoted) else { return }
        let table = SQLiteName.quoted(name)
        var rows = try connection.prepare(
            "SELECT m.rowid, b.rowid FROM main.\(table) AS m JOIN base.\(table) AS b ON b.\(key) = m.\(key) "
                + "WHERE m.\(key) = ?1")
        rows.bind(value.key, at: 1)
        guard try rows.step(), let from = rows.integer(0), let to = rows.integer(1) else { return }
        rows.reset()
        let source = try SQLiteBlob(
            "main", table: name, column: value.column, row: from, isWritten: false, connection)
        var zeros = try connection.prepare(
            "UPDATE base.\(table) SET \(SQLiteName.quoted(value.column)) = zeroblob(?2) WHERE \(key) = ?1")
        try zeros.run(value.key, Int64(source.count))
        var target = try SQLiteBlob(
            "base", table: name, column: value.column, row: to, isWritten: true, connection)
        try source.forEachPiece { (piece) throws(SQLiteError) in try target.append(piece) }
    }
}

extension BaseTables.Table {
    /// All columns as one row value, so that the depth of the expression does not grow with their number.
    func list(_ alias: String, without left: Set<String> = []) -> String {
        let names = columns.filter { !left.contains($0) }.map { "\(alias).\(SQLiteName.quoted($0))" }
        return names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"
    }

    /// The condition that two rows have different values. Bytes are compared only if they have the same size, so that
    /// SQLite does not read large values that were changed.
    func difference(_ one: String, _ other: String, without left: Set<String> = []) -> String {
        let values = "\(list(one, without: left)) IS NOT \(list(other, without: left))"
        let names = blobs.filter { !left.contains($0) }
        if names.isEmpty { return values }
        func sizes(_ alias: String) -> String {
            let sizes = names.map { SQLiteName.size(alias, $0) }
            return sizes.count == 1 ? sizes[0] : "(\(sizes.joined(separator: ", ")))"
        }
        return "\(sizes(one)) IS NOT \(sizes(other)) OR \(values)"
    }

    /// The condition that two rows have the same key.
    fileprivate func same(_ one: String, _ other: String) -> String {
        (key.map { [$0] } ?? columns).map { column in
            "\(one).\(SQLiteName.quoted(column)) IS \(other).\(SQLiteName.quoted(column))"
        }.joined(separator: " AND ")
    }
}
