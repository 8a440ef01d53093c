import CoreDataStore
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Writes salvaged rows into a new SQLite database: a table for each root entity and each many-to-many relationship,
/// named as in ``PlainDatabaseWriter``, and `recovered_rows` for all other rows.
///
/// The first columns contain the origin of a row: `recovered_state`, `recovered_source`, `recovered_certain`,
/// `recovered_complete`, `recovered_page`, `recovered_frame` and `recovered_offset`. No key is unique, since several
/// versions of a row may exist, and a key may lead to no row.
public final class RecoveredDatabaseWriter {
    private let connection: SQLiteConnection
    private let path: FilePath
    private let json: (ArchivedValue) -> String
    private let entities: ExportedEntities
    private var rows: [String: (insertion: SQLiteStatement.Holder, entity: ExportedEntity)] = [:]
    private var joins: [String: (insertion: SQLiteStatement.Holder, side: JoinSide, isOrdered: Bool)] = [:]
    private let others: SQLiteStatement.Holder

    /// The columns before those of the values.
    private static let origin = [
        "recovered_state", "recovered_source", "recovered_certain", "recovered_complete", "recovered_page",
        "recovered_frame", "recovered_offset",
    ]
    private static let originTypes = [
        "TEXT NOT NULL", "TEXT NOT NULL", "INTEGER NOT NULL", "INTEGER NOT NULL", "INTEGER NOT NULL",
        "INTEGER",
        "INTEGER NOT NULL",
    ]

    /// - Parameters:
    ///   - path: the file to create; it must not exist.
    ///   - json: converts values without an SQL form to text.
    public init(
        creating path: FilePath, _ recovery: StoreRecovery, json: @escaping (ArchivedValue) -> String
    ) throws(FileProblem) {
        let exported = recovery.exported
        let others = "recovered_rows"
        let tables = PlainTables(exported, reserved: Set(Self.origin), tables: [others])
        let first = zip(Self.origin, Self.originTypes).map { "\($0) \($1)" }
        var statements = tables.tables.map { table in
            let columns = table.columns.map {
                SQLiteName.quoted($0.name) + ($0.type.isEmpty ? "" : " \($0.type)")
            }
            let own = ["\(PlainTables.entity) TEXT NOT NULL", "\(PlainTables.key) INTEGER"]
            return "CREATE TABLE \(SQLiteName.quoted(table.name)) "
                + "(\((first + own + columns).joined(separator: ", ")))"
        }
        for join in tables.joins {
            let columns =
                [join.ownerColumn, join.targetColumn].map { "\(SQLiteName.quoted($0)) INTEGER" }
                + (join.isOrdered ? ["position INTEGER"] : [])
            statements.append(
                "CREATE TABLE \(SQLiteName.quoted(join.name)) "
                    + "(\((first + columns).joined(separator: ", ")))")
        }
        statements.append(
            "CREATE TABLE \(others) (\(first.joined(separator: ", ")), \"table\" TEXT, number INTEGER, "
                + "is_index_entry INTEGER NOT NULL, \"values\" TEXT NOT NULL)")
        let connection = try ScratchDatabase.open(path, statements)
        for entity in exported.all {
            let properties =
                entity.attributes.map(\.name) + entity.relationships.filter { !$0.isToMany }.map(\.name)
            rows[entity.name] = (
                try Self.insertion(
                    connection, path, tables.table(of: entity.root),
                    [PlainTables.entity, PlainTables.key]
                        + properties.map { tables.column(entity.name, $0) ?? $0 }), entity
            )
        }
        let byKey = Dictionary(tables.joins.map { ($0.key, $0) }) { first, _ in first }
        for (entity, relationship, side) in recovery.joinSides(exported) where joins[side.table] == nil {
            guard let join = byKey[exported.key(entity, relationship)] else { continue }
            let columns = [join.ownerColumn, join.targetColumn] + (join.isOrdered ? ["position"] : [])
            joins[side.table] = (
                try Self.insertion(connection, path, join.name, columns), side, join.isOrdered
            )
        }
        self.others = try Self.insertion(
            connection, path, others, ["table", "number", "is_index_entry", "values"])
        self.connection = connection
        self.path = path
        self.json = json
        entities = exported
    }

    private static func insertion(
        _ connection: borrowing SQLiteConnection, _ path: FilePath, _ table: String, _ columns: [String]
    ) throws(FileProblem) -> SQLiteStatement.Holder {
        let names = (origin + columns).map(SQLiteName.quoted).joined(separator: ", ")
        let marks = (origin + columns).map { _ in "?" }.joined(separator: ", ")
        return SQLiteStatement.Holder(
            try ScratchDatabase.prepare(
                "INSERT INTO \(SQLiteName.quoted(table)) (\(names)) VALUES (\(marks))", connection, path))
    }

    /// Inserts a row.
    public func add(_ row: RecoveredRow) throws(FileProblem) {
        try ScratchDatabase.run(path) { () throws(SQLiteError) in try insert(row) }
    }

    private func insert(_ row: RecoveredRow) throws(SQLiteError) {
        if let name = row.entity, let (holder, entity) = rows[name] {
            try bind(row, holder)
            try holder.statement.bind(name, at: 8)
            holder.statement.bind(row.primaryKey, at: 9)
            var parameter = 10
            for (place, attribute) in entity.attributes.enumerated() {
                let value = row.attribute(attribute.name, expectedAt: place) ?? .none
                try PlainRows.bind(ExportValue(value, json: json), to: holder, at: parameter)
                parameter += 1
            }
            for relationship in entity.relationships where !relationship.isToMany {
                var key: Int64?
                if case .toOne(let found) = row.relationships.first(where: { $0.name == relationship.name })?
                    .target
                {
                    key = found
                }
                holder.statement.bind(key, at: parameter)
                parameter += 1
            }
            return try holder.statement.run()
        }
        if let table = row.table, row.entity == nil, let (holder, side, isOrdered) = joins[table] {
            func key(_ column: String) -> Int64? {
                row.attribute(column, expectedAt: 0)?.integerValue.flatMap { Int64(exactly: $0) }
            }
            try bind(row, holder)
            holder.statement.bind(key(side.owner), at: 8)
            holder.statement.bind(key(side.target), at: 9)
            if isOrdered { holder.statement.bind(side.order.flatMap(key), at: 10) }
            return try holder.statement.run()
        }
        try bind(row, others)
        if let table = row.table {
            try others.statement.bind(table, at: 8)
        } else {
            others.statement.bind(nil, at: 8)
        }
        others.statement.bind(row.primaryKey, at: 9)
        others.statement.bind(row.isIndexEntry ? 1 : 0, at: 10)
        let pairs = row.attributes.map { ArchivedPair(key: .string($0.name), value: $0.value) }
        try others.statement.bind(json(.dictionary(pairs)), at: 11)
        try others.statement.run()
    }

    private func bind(_ row: RecoveredRow, _ holder: SQLiteStatement.Holder) throws(SQLiteError) {
        try holder.statement.bind(row.state.rawValue, at: 1)
        try holder.statement.bind(row.source.rawValue, at: 2)
        holder.statement.bind(row.isCertain ? 1 : 0, at: 3)
        holder.statement.bind(row.isComplete ? 1 : 0, at: 4)
        holder.statement.bind(Int64(row.page), at: 5)
        holder.statement.bind(row.frame.map { Int64($0) }, at: 6)
        holder.statement.bind(Int64(row.offset), at: 7)
    }

    /// Ends the transaction and closes the file.
    public func finish() throws(FileProblem) {
        try ScratchDatabase.run(path) { () throws(SQLiteError) in try connection.execute("COMMIT") }
    }
}

extension RecoveredRow {
    /// The value of an attribute, which usually has the same position as in its entity.
    fileprivate func attribute(_ name: String, expectedAt place: Int) -> ArchivedValue? {
        if place < attributes.count, attributes[place].name == name { return attributes[place].value }
        return attributes.first { $0.name == name }?.value
    }
}

extension StoreRecovery {
    /// The relationships with join tables, each with the columns of its table.
    func joinSides(
        _ exported: ExportedEntities
    ) -> [(entity: ExportedEntity, relationship: ExportedEntity.Relationship, side: JoinSide)] {
        var sides: [(ExportedEntity, ExportedEntity.Relationship, JoinSide)] = []
        for (layout, entity) in zip(layouts, exported.all) {
            for (planned, relationship) in zip(layout.relationships, entity.relationships) {
                if let side = planned.side, side.target != "Z_PK" {
                    sides.append((entity, relationship, side))
                }
            }
        }
        return sides
    }
}
