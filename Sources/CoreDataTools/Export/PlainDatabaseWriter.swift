public import CoreDataStore
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Writes the objects of a store into a plain SQLite database with the names of the model and foreign keys.
///
/// Each root entity is a table; its column `entity` has the entity of a row, and `primaryKey` the key of the store. A
/// to-one relationship is a column with a foreign key. A many-to-many relationship, or a to-many relationship without
/// inverse, is a table `Entity_relationship`. The positions of ordered relationships are in a column `position`, or in
/// `relationship_position` of the targets. The view `Entity_labelled` has the labels of the targets of relationships.
/// Dates are ISO 8601 in UTC; decimal numbers and UUIDs are text.
public struct PlainDatabaseWriter: ~Copyable {
    private let connection: SQLiteConnection
    private let path: FilePath
    private let tables: PlainTables
    private let json: (ArchivedValue) -> String
    private let rows: PlainRows
    private let browsed: BrowsedDatabase?
    private let labels: ObjectLabels
    private let views: LabelledViews
    /// Names in lower case that are in use.
    private let taken: Set<String>
    private let changeInsertion: SQLiteStatement.Holder?
    private let entities: ExportedEntities

    /// - Parameters:
    ///   - path: the file to create; it must not exist.
    ///   - syncID: the attribute that identifies objects in changes, which is not a label.
    ///   - hasChanges: whether the database also gets changes and full-text search.
    ///   - isBlind: whether names of attributes are those of columns, so that their case does not matter.
    ///   - json: converts values without an SQL form to text.
    public init(
        creating path: FilePath, _ entities: ExportedEntities, syncID: String, hasChanges: Bool = false,
        isBlind: Bool = false, json: @escaping (ArchivedValue) -> String
    ) throws(FileProblem) {
        let tables = PlainTables(entities)
        let labels = ObjectLabels(entities, tables, syncID: syncID, isBlind: isBlind)
        var taken = Set((tables.tables.map(\.name) + tables.joins.map(\.name)).map { $0.lowercased() })
        let browsed = hasChanges ? BrowsedDatabase(tables, labels, &taken) : nil
        let views = LabelledViews(entities, tables, labels, &taken)
        let connection = try ScratchDatabase.open(path, Self.schema(tables) + (browsed?.schema ?? []))
        let rows = try PlainRows(tables, entities, connection, path)
        let changeInsertion = try Self.insertion(browsed, connection, path)
        self.rows = rows
        self.changeInsertion = changeInsertion
        self.browsed = browsed
        self.labels = labels
        self.views = views
        self.taken = taken
        self.entities = entities
        self.connection = connection
        self.path = path
        self.tables = tables
        self.json = json
    }

    /// Inserts the row of an object and the rows of its to-many relationships.
    public func add(_ object: StoredObject, of entity: ExportedEntity) throws(FileProblem) {
        try ScratchDatabase.run(path) { () throws(SQLiteError) in try rows.insert(object, entity, json) }
    }

    private static func insertion(
        _ browsed: BrowsedDatabase?, _ connection: borrowing SQLiteConnection, _ path: FilePath
    ) throws(FileProblem) -> SQLiteStatement.Holder? {
        guard let browsed else { return nil }
        return SQLiteStatement.Holder(try ScratchDatabase.prepare(browsed.insertion, connection, path))
    }

    /// The tables for browsing the database; nil without changes.
    public var browsedTables: BrowsedTables? {
        browsed.map { browsed in
            BrowsedTables(
                tables: tables.tables.map { table in
                    BrowsedTables.Table(
                        name: table.name, label: labels.columns[table.name]?.first,
                        hasSubentities: entities.all.count { $0.root == table.root } > 1)
                },
                changes: browsed.changes, objects: browsed.objects, history: browsed.history,
                changesSearch: browsed.changesSearch)
        }
    }

    /// Inserts the rows of a change: one for the change itself, or one for each of its attributes; both for an insert.
    /// Changes come in the order in which they are applied.
    public func add(_ change: ExportedChange) throws(FileProblem) {
        guard let changeInsertion else { return }
        try ScratchDatabase.run(path) { () throws(SQLiteError) in
            func insert(
                _ attribute: String?, _ old: ExportValue, _ new: ExportValue, hasOld: Bool
            ) throws(SQLiteError) {
                let texts = [
                    1: change.time.map(Self.text), 2: change.device, 3: change.type,
                    4: change.entity.isEmpty ? nil : change.entity, 5: change.object, 6: attribute,
                    10: change.relatedEntity, 11: change.document, 12: change.client, 13: change.changeSet,
                    15: change.sent.map(Self.text),
                ]
                for (parameter, text) in texts {
                    try PlainRows.bind(text.map { .text($0) } ?? .null, to: changeInsertion, at: parameter)
                }
                try PlainRows.bind(old, to: changeInsertion, at: 7)
                try PlainRows.bind(new, to: changeInsertion, at: 8)
                changeInsertion.statement.bind(hasOld ? 1 : 0, at: 9)
                changeInsertion.statement.bind(Int64(change.sequence), at: 14)
                try changeInsertion.statement.run()
            }
            func text(_ id: String?) -> ExportValue { id.map { .text($0) } ?? .null }
            if let relationship = change.relationship {
                return try insert(
                    relationship, text(change.oldObject), text(change.newObject),
                    hasOld: change.oldObject != nil)
            }
            if change.type != "attribute" { try insert(nil, .null, .null, hasOld: false) }
            for attribute in change.attributes {
                try insert(
                    attribute.name, .null, ExportValue(attribute.value, json: json), hasOld: false)
            }
        }
    }

    /// The time in ISO 8601, like dates of objects.
    private static func text(_ time: FileTime) -> String {
        time.hasFourDigitYear ? time.iso : "seconds since 2001: \(time.secondsSince2001)"
    }

    /// Clears foreign keys without a target row and closes the file.
    /// - Returns: the number of cleared keys and omitted relationship rows.
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
            for statement in indexes + (browsed?.completion ?? []) + views.statements {
                try connection.execute(statement)
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

    /// An index on each foreign key.
    private var indexes: [String] {
        var taken = taken
        var keys = tables.tables.flatMap { table in
            table.columns.filter { $0.references != nil }.map { (table.name, $0.name) }
        }
        keys += tables.joins.flatMap { [($0.name, $0.ownerColumn), ($0.name, $0.targetColumn)] }
        return keys.map { table, column in
            let name = PlainTables.unusedName("\(table)_\(column)_index", &taken)
            return "CREATE INDEX \(SQLiteName.quoted(name)) ON \(SQLiteName.quoted(table)) "
                + "(\(SQLiteName.quoted(column)))"
        }
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
