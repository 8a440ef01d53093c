public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Writes the objects of a store into a plain SQLite database with the names of the model and foreign keys.
///
/// Each root entity is a table; its column `entity` has the entity of a row, and `primaryKey` the key of the store. A
/// to-one relationship is a column with a foreign key. A many-to-many relationship, or a to-many relationship without
/// inverse, is a table `Entity_relationship`. The positions of ordered relationships are in a column `position`, or in
/// `relationship_position` of the targets. Dates are ISO 8601 in UTC; decimal numbers and UUIDs are text.
public struct PlainDatabaseWriter: ~Copyable {
    private let connection: SQLiteConnection
    private let path: FilePath
    private let tables: PlainTables
    private let json: (ArchivedValue) -> String
    private let rows: PlainRows

    /// - Parameters:
    ///   - path: the file to create; it must not exist.
    ///   - json: converts values without an SQL form to text.
    public init(
        creating path: FilePath, _ entities: ExportedEntities, json: @escaping (ArchivedValue) -> String
    ) throws(FileProblem) {
        let tables = PlainTables(entities)
        let connection = try ScratchDatabase.open(path, Self.schema(tables))
        rows = try PlainRows(tables, entities, connection, path)
        self.connection = connection
        self.path = path
        self.tables = tables
        self.json = json
    }

    /// Inserts the row of an object and the rows of its to-many relationships.
    public func add(_ object: StoredObject, of entity: ExportedEntity) throws(FileProblem) {
        try ScratchDatabase.run(path) { () throws(SQLiteError) in try rows.insert(object, entity, json) }
    }

    /// Clears foreign keys without a target row and closes the file.
    /// - Returns: the number of keys that were cleared and of relationship rows that were left out.
    public consuming func finish() throws(FileProblem) -> Int {
        var cleared = 0
        do throws(SQLiteError) {
            for place in tables.places {
                try connection.execute(
                    "UPDATE \(SQLiteName.quoted(place.table)) SET \(SQLiteName.quoted(place.column)) = (SELECT place "
                        + "FROM temp.places WHERE link = \(place.link) AND target = \(PlainTables.key))")
            }
            for table in tables.tables {
                for column in table.columns {
                    guard let target = column.references else { continue }
                    let name = SQLiteName.quoted(column.name)
                    try connection.execute(
                        "UPDATE \(SQLiteName.quoted(table.name)) SET \(name) = NULL WHERE \(name) IS NOT NULL AND \(name) NOT IN "
                            + "(SELECT \(PlainTables.key) FROM \(SQLiteName.quoted(target)))")
                    cleared += connection.changes
                }
            }
            for join in tables.joins {
                for (column, target) in [
                    (join.ownerColumn, Optional(join.ownerTable)), (join.targetColumn, join.targetTable),
                ] {
                    guard let target else { continue }
                    try connection.execute(
                        "DELETE FROM \(SQLiteName.quoted(join.name)) WHERE \(SQLiteName.quoted(column)) NOT IN "
                            + "(SELECT \(PlainTables.key) FROM \(SQLiteName.quoted(target)))")
                    cleared += connection.changes
                }
            }
            try connection.execute("COMMIT")
            var rows = try connection.prepare("PRAGMA foreign_key_check")
            guard try !rows.step() else {
                throw SQLiteError(code: 19, message: "a foreign key of the export leads nowhere")
            }
        } catch {
            throw ScratchDatabase.problem(error, path)
        }
        return cleared
    }

    private static func schema(_ tables: PlainTables) -> [String] {
        tables.tables.map { table in
            let columns = table.columns.map { column in
                let name = SQLiteName.quoted(column.name) + (column.type.isEmpty ? "" : " \(column.type)")
                let target = column.references.map(SQLiteName.quoted)
                return name + (target.map { " REFERENCES \($0) (\(PlainTables.key))" } ?? "")
            }
            let all =
                ["\(PlainTables.key) INTEGER PRIMARY KEY", "\(PlainTables.entity) TEXT NOT NULL"] + columns
            return "CREATE TABLE \(SQLiteName.quoted(table.name)) (\(all.joined(separator: ", ")))"
        }
            + tables.joins.map { join in
                func column(_ name: String, _ target: String?) -> String {
                    let reference = target.map { " REFERENCES \(SQLiteName.quoted($0)) (\(PlainTables.key))" }
                    return "\(SQLiteName.quoted(name)) INTEGER NOT NULL\(reference ?? "")"
                }
                let columns =
                    [column(join.ownerColumn, join.ownerTable), column(join.targetColumn, join.targetTable)]
                    + (join.isOrdered ? ["position INTEGER"] : [])
                return "CREATE TABLE \(SQLiteName.quoted(join.name)) (\(columns.joined(separator: ", ")))"
            }
    }
}
