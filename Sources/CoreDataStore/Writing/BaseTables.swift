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
    }

    let tables: [Table]

    init(_ schema: SQLiteSchema, _ entities: StoreEntities) {
        var keys = ["Z_PRIMARYKEY": "Z_ENT", "Z_METADATA": "Z_VERSION"]
        for entity in entities.all { keys[entities.tableName(of: entity)] = "Z_PK" }
        tables = schema.tables.values.sorted { $0.name < $1.name }.map { table in
            Table(name: table.name, columns: table.columns.map(\.name), key: keys[table.name])
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
            let source: String
            if let key = table.key.map(SQLiteName.quoted) {
                source =
                    "FROM main.\(name) AS m LEFT JOIN base.\(name) AS b ON b.\(key) = m.\(key) "
                    + "WHERE b.\(key) IS NULL OR \(table.list("m")) IS NOT \(table.list("b"))"
            } else {
                source =
                    "FROM main.\(name) AS m WHERE NOT EXISTS (SELECT 1 FROM base.\(name) AS b WHERE \(same))"
            }
            let wanted = table.columns.map { "m.\(SQLiteName.quoted($0))" }.joined(separator: ", ")
            try connection.execute(
                "INSERT OR REPLACE INTO base.\(name) (\(columns)) SELECT \(wanted) \(source)")
        }
    }
}

extension BaseTables.Table {
    /// All columns as one row value, so that the depth of the expression does not grow with their number.
    func list(_ alias: String, without left: Set<String> = []) -> String {
        let names = columns.filter { !left.contains($0) }.map { "\(alias).\(SQLiteName.quoted($0))" }
        return names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"
    }

    /// The condition that two rows have the same key.
    fileprivate func same(_ one: String, _ other: String) -> String {
        (key.map { [$0] } ?? columns).map { column in
            "\(one).\(SQLiteName.quoted(column)) IS \(other).\(SQLiteName.quoted(column))"
        }.joined(separator: " AND ")
    }
}
