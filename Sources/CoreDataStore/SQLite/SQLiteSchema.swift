/// The tables of an open store, from its schema.
package struct SQLiteSchema {
    package struct Column: Hashable {
        package var name: String
        /// The type in the CREATE statement, in upper case; core-data-sqlite-store(5), 2.3 lists those of Core Data.
        package var declaredType: String

        package init(name: String, declaredType: String) {
            self.name = name
            self.declaredType = declaredType
        }
    }

    package struct Table {
        package var name: String
        package var columns: [Column]

        package init(name: String, columns: [Column]) {
            self.name = name
            self.columns = columns
        }

        package func has(_ column: String) -> Bool { columns.contains { $0.name == column } }
    }

    /// The tables by name, without views and virtual tables, which contain no rows of Core Data.
    package let tables: [String: Table]
    private let indexes: Set<String>

    /// The largest number of tables. A store with more is refused, since reading its schema would take too long.
    package static let tableLimit = 5_000

    /// Whether there is an index of this name.
    func hasIndex(_ name: String) -> Bool { indexes.contains(name) }

    /// A schema that was read without SQLite.
    package init(tables: [String: Table], indexes: Set<String>) {
        self.tables = tables
        self.indexes = indexes
    }

    /// Reads the schema with a limited number of instructions.
    package init(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        connection.interruption.allow(thousands: 2_000)
        defer { connection.interruption.allow(thousands: nil) }
        var names: [String] = []
        var indexes: Set<String> = []
        var rows = try connection.prepare(
            "SELECT type, name FROM sqlite_master WHERE type = 'index' OR type = 'table' AND name LIKE 'Z%' "
                + "AND sql LIKE 'CREATE TABLE%'")
        while try rows.step() {
            guard let name = rows.text(1) else { continue }
            if rows.text(0) == "index" {
                indexes.insert(name)
            } else {
                names.append(name)
            }
            guard names.count + indexes.count <= Self.tableLimit else {
                throw SQLiteError(code: 18, message: "more than \(Self.tableLimit) tables and indexes")
            }
        }
        var tables: [String: Table] = [:]
        var columns = try connection.prepare("SELECT name, type FROM pragma_table_info(?1)")
        for name in names {
            try columns.bind(name, at: 1)
            var table = Table(name: name, columns: [])
            while try columns.step() {
                table.columns.append(
                    Column(
                        name: columns.text(0) ?? "", declaredType: (columns.text(1) ?? "").uppercased()))
            }
            columns.reset()
            tables[name] = table
        }
        self.tables = tables
        self.indexes = indexes
    }
}
