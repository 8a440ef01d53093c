import Base
import CoreDataStore
import SystemCalls
import SystemPackage

/// Reads an ordinary SQLite database, as an export writes it.
struct PlainDatabaseImport {
    let schema: ImportSchema
    let findings: ImportFindings
    let syncID: String

    /// A row of a join table.
    struct Pair {
        var link: Int
        var owner: Int64?
        var target: Int64?
        var place: Int64?
        /// The place of the row in words.
        var row: String
    }

    /// Calls `body` with each object, and then `pair` with each row of the tables between entities.
    func forEachRecord(
        in path: FilePath, _ body: (ImportRecord) throws(FileProblem) -> Void,
        pair: (Pair, Int) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let file = findings.add(file: path)
        let database = try SQLiteStoreFile(path)
        let connection = try database.connect()
        let names = try Self.tableNames(connection, database)
        guard !names.contains("Z_PRIMARYKEY") || !names.contains("Z_METADATA") else {
            throw FileProblem(
                .refused, path: path, "this is a Core Data store, not a database that an export wrote",
                advice: "ticds-store export writes such a database")
        }
        let layout = layout(of: names)
        let reader = Reader(
            schema: schema, findings: findings, file: file, tables: layout.tables, database: database,
            present: Dictionary(names.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first }))
        nameUnknown(names, layout, file)
        try nameViews(layout, file, connection, database)
        for table in layout.tables.tables { try reader.readObjects(table, connection, body) }
        for join in layout.tables.joins {
            try reader.readPairs(join, connection) { (found) throws(FileProblem) in try pair(found, file) }
        }
        for problem in database.shortfalls { throw problem }
        try database.checkUnchanged()
    }

    private static func tableNames(
        _ connection: borrowing SQLiteConnection, _ database: SQLiteStoreFile
    ) throws(FileProblem) -> [String] {
        try database.run { () throws(SQLiteError) in
            try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
                $0.text(0)
            }
        }
    }

    /// Names the views that stand in the place of tables.
    private func nameViews(
        _ layout: Layout, _ file: Int, _ connection: borrowing SQLiteConnection, _ database: SQLiteStoreFile
    ) throws(FileProblem) {
        let wanted = Set(
            (layout.tables.tables.map(\.name) + layout.tables.joins.map(\.name)).map { $0.lowercased() })
        let views = try database.run { () throws(SQLiteError) in
            try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name") {
                $0.text(0)
            }
        }
        for name in views where wanted.contains(name.lowercased()) {
            findings.add(
                file, "view \(name.shortened(to: 60))",
                CellProblem("is a view, where a table is expected"),
                advice: "Make a table of it", isFatal: true)
        }
    }

    private struct Layout {
        var entities: ExportedEntities
        var tables: PlainTables
    }

    /// The tables that the model leads to. Their names depend on the order of the entities, which stores of different
    /// kinds have in different orders; the one counts of which more tables are there.
    private func layout(of names: [String]) -> Layout {
        let present = Set(names.map { $0.lowercased() })
        let layouts = [false, true].map { order in
            let entities = ExportedEntities(schema.model, inCodePointOrder: order)
            return Layout(entities: entities, tables: PlainTables(entities))
        }
        func count(_ layout: Layout) -> Int {
            (layout.tables.tables.map(\.name) + layout.tables.joins.map(\.name)).count {
                present.contains($0.lowercased())
            }
        }
        return count(layouts[1]) > count(layouts[0]) ? layouts[1] : layouts[0]
    }

    /// Names the tables that the model does not lead to, except those of `--history`.
    private func nameUnknown(_ names: [String], _ layout: Layout, _ file: Int) {
        var known = Set(
            (layout.tables.tables.map(\.name) + layout.tables.joins.map(\.name)).map { $0.lowercased() })
        let labels = ObjectLabels(layout.entities, layout.tables, syncID: syncID, isBlind: false)
        var taken = known
        let browsed = BrowsedDatabase(layout.tables, labels, &taken)
        if names.contains(where: { $0.lowercased() == browsed.changes.lowercased() }) {
            let searches = browsed.searches.map(\.search) + [browsed.changesSearch]
            known.formUnion([browsed.changes, browsed.objects].map { $0.lowercased() })
            for search in searches {
                let parts = ["", "_data", "_idx", "_content", "_docsize", "_config"]
                known.formUnion(parts.map { "\(search)\($0)".lowercased() })
            }
            findings.remark("the tables of --history and of full-text search are not read")
        }
        for name in names where !known.contains(name.lowercased()) && !name.hasPrefix("sqlite_") {
            findings.add(
                file, "table \(name.shortened(to: 60))",
                CellProblem("is no table of the model"),
                advice: "Remove it, or leave it out with --skip-unreadable")
        }
    }
}

/// Reads the tables of one database.
private struct Reader {
    let schema: ImportSchema
    let findings: ImportFindings
    let file: Int
    let tables: PlainTables
    let database: SQLiteStoreFile
    /// The names of the tables by their names in lower case.
    let present: [String: String]
    /// The relationships by the keys of ``PlainTables``.
    private let links: [PropertyKey: Int]

    init(
        schema: ImportSchema, findings: ImportFindings, file: Int, tables: PlainTables,
        database: SQLiteStoreFile, present: [String: String]
    ) {
        self.schema = schema
        self.findings = findings
        self.file = file
        self.tables = tables
        self.database = database
        self.present = present
        var links: [PropertyKey: Int] = [:]
        for (number, link) in schema.links.enumerated() {
            let root = schema.model.rootEntity(of: link.entity)?.name ?? link.entity
            links[PropertyKey(entity: "\(root)\0\(link.entity)", name: link.name)] = number
        }
        self.links = links
    }

    /// The columns of the properties of an entity; nil for a column that is not there.
    private struct EntityColumns {
        var attributes: [Int?]
        var links: [Int?]
        /// The positions of objects in ordered relationships.
        var places: [(link: Int, column: Int)]
        /// The columns of other entities.
        var others: [Int]
    }

    // MARK: - Objects

    func readObjects(
        _ table: PlainTables.Table, _ connection: borrowing SQLiteConnection,
        _ body: (ImportRecord) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        guard let name = present[table.name.lowercased()] else {
            findings.remark("there is no table \(table.name): no object of \(table.root) and its subentities")
            return
        }
        var rows = try database.run { () throws(SQLiteError) in
            try connection.prepare("SELECT * FROM \(SQLiteName.quoted(name))")
        }
        let names = rows.columnNames.map { $0.lowercased() }
        guard let key = names.firstIndex(of: PlainTables.key.lowercased()),
            let kind = names.firstIndex(of: PlainTables.entity)
        else {
            return findings.add(
                file, "table \(table.name)",
                CellProblem("lacks a column", expected: "\(PlainTables.key) and \(PlainTables.entity)"),
                advice: "Restore the columns", isFatal: true)
        }
        let places = tables.places.filter { $0.table == table.name }
        let known = Set(
            (table.columns + places.map { .init(name: $0.column, type: "") }).map { $0.name.lowercased() })
        for (column, name) in names.enumerated()
        where column != key && column != kind && !known.contains(name) {
            findings.add(
                file, "table \(table.name)",
                CellProblem(
                    "has a column that the model does not have", found: "“\(rows.columnNames[column])”"),
                advice: "Remove the column, or leave it out with --skip-unreadable")
        }
        let columns = schema.entities.map { entityColumns($0, table, names) }
        let root = schema.entities.first { schema.model.rootEntity(of: $0.name)?.name == table.root }?.root
        // ends: with the rows
        while try database.run({ () throws(SQLiteError) in try rows.step() }) {
            let text = rows.text(kind)
            let number = text.flatMap { schema.number(of: $0) }
            guard let number, schema.entities[number].root == root else {
                findings.add(
                    file, "\(table.name), row \(rows.integer(key).map { "\($0)" } ?? "without a key")",
                    CellProblem(
                        "names no entity of this table", expected: "a concrete entity",
                        found: text.map { "“\($0.shortened(to: 60))”" } ?? "nothing"))
                continue
            }
            try body(record(rows, number, key, columns[number], rows.columnNames))
        }
    }

    private func entityColumns(
        _ entity: ImportSchema.Entity, _ table: PlainTables.Table, _ names: [String]
    ) -> EntityColumns {
        func index(_ property: String) -> Int? {
            tables.column(entity.name, property).flatMap { names.firstIndex(of: $0.lowercased()) }
        }
        let attributes = entity.attributes.map { index($0.name) }
        let found = entity.links.map { schema.links[$0].isToMany ? nil : index(schema.links[$0].name) }
        let places = tables.places.compactMap { place -> (link: Int, column: Int)? in
            guard place.table == table.name, let link = links[place.key],
                let column = names.firstIndex(of: place.column.lowercased())
            else { return nil }
            return (link, column)
        }
        let own = Set((attributes + found).compactMap(\.self))
        let all = table.columns.compactMap { names.firstIndex(of: $0.name.lowercased()) }
        return EntityColumns(
            attributes: attributes, links: found, places: places,
            others: all.filter { column in
                !own.contains(column) && !places.contains { $0.column == column }
            })
    }

    private func record(
        _ row: borrowing SQLiteStatement, _ number: Int, _ key: Int, _ columns: EntityColumns,
        _ names: [String]
    ) -> ImportRecord {
        let entity = schema.entities[number]
        var record = ImportRecord(number, of: schema, file: file, line: 0)
        record.key = row.integer(key)
        let place = "\(entity.name) \(record.key.map { "\($0)" } ?? "without a key")"
        func add(_ column: Int, _ problem: CellProblem) {
            findings.add(file, "\(place), \(names[column])", problem)
            record.isBad = true
        }
        if record.key == nil, row.storage(key) != .null { add(key, CellProblem("no primary key")) }
        for (position, column) in columns.attributes.enumerated() {
            guard let column else { continue }
            if let cell = Self.cell(row, column) {
                record.cells[position] = cell
            } else {
                add(column, CellProblem("is text that is not UTF-8"))
            }
        }
        for (position, column) in columns.links.enumerated() {
            let link = entity.links[position]
            guard let column else {
                if hasJoin(link) { record.targets[position] = .names([]) }
                continue
            }
            if let target = row.integer(column) {
                record.targets[position] = .names([(.key(target), nil)])
            } else if row.storage(column) == .null {
                record.targets[position] = .names([])
            } else {
                add(column, CellProblem("no primary key", expected: "a whole number"))
            }
        }
        for (link, column) in columns.places {
            if let place = row.integer(column), row.storage(column) == .integer {
                record.positions.append((link, place))
            } else if row.storage(column) != .null {
                add(column, CellProblem("is not a whole number"))
            }
        }
        for column in columns.others where row.storage(column) != .null {
            add(column, CellProblem("has a value, but \(entity.name) has no such property"))
        }
        return record
    }

    private static func cell(_ row: borrowing SQLiteStatement, _ column: Int) -> ImportCell? {
        switch row.storage(column) {
        case .null: .null
        case .integer: row.integer(column).map { .integer($0) }
        case .real: row.real(column).map { .real($0) }
        case .text: row.text(column).map { .text($0) }
        case .blob: row.blob(column).map { .data($0) }
        }
    }

    // MARK: - Relationships with tables of their own

    /// Whether a table of the database has the pairs of a relationship.
    private func hasJoin(_ link: Int) -> Bool {
        tables.joins.contains { links[$0.key] == link && present[$0.name.lowercased()] != nil }
    }

    func readPairs(
        _ join: PlainTables.Join, _ connection: borrowing SQLiteConnection,
        _ body: (PlainDatabaseImport.Pair) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        guard let link = links[join.key] else { return }
        guard let name = present[join.name.lowercased()] else {
            return findings.remark("there is no table \(join.name): \(schema.links[link].title) is empty")
        }
        var rows = try database.run { () throws(SQLiteError) in
            try connection.prepare("SELECT *, rowid FROM \(SQLiteName.quoted(name))")
        }
        let names = rows.columnNames.map { $0.lowercased() }
        guard let owner = names.firstIndex(of: join.ownerColumn.lowercased()),
            let target = names.firstIndex(of: join.targetColumn.lowercased())
        else {
            return findings.add(
                file, "table \(join.name)",
                CellProblem("lacks a column", expected: "\(join.ownerColumn) and \(join.targetColumn)"),
                advice: "Restore the columns", isFatal: true)
        }
        let position = join.isOrdered ? names.firstIndex(of: "position") : nil
        if join.isOrdered, position == nil {
            findings.add(
                file, "table \(join.name)",
                CellProblem(
                    "has no column position, and \(schema.links[link].title) is ordered",
                    expected: "position",
                    advice:
                        "Restore the column; with --skip-unreadable the objects follow each other by their primary keys"
                ))
        }
        // The last column is the number of the row.
        for (column, name) in names.dropLast().enumerated()
        where column != owner && column != target && column != position {
            findings.add(
                file, "table \(join.name)",
                CellProblem(
                    "has a column that the model does not have", found: "“\(name.shortened(to: 60))”"),
                advice: "Remove the column, or leave it out with --skip-unreadable")
        }
        // ends: with the rows
        while try database.run({ () throws(SQLiteError) in try rows.step() }) {
            if let position, ![.integer, .null].contains(rows.storage(position)) {
                findings.add(
                    file, "\(join.name), row \(rows.integer(names.count - 1) ?? 0), position",
                    CellProblem("is not a whole number"))
            }
            try body(
                PlainDatabaseImport.Pair(
                    link: link, owner: rows.integer(owner), target: rows.integer(target),
                    place: position.flatMap { rows.integer($0) },
                    row: "\(join.name), row \(rows.integer(names.count - 1) ?? 0)"))
        }
    }
}
