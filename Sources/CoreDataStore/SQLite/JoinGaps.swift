import SystemCalls
import SystemPackage

/// Join tables that no relationship explains, and positions that belong to no relationship.
struct JoinGaps {
    private(set) var gaps: [StoreGap] = []
    private let path: FilePath

    /// - Parameter isBlind: whether there is no model, so that the names of columns alone show what they contain.
    init(
        _ layouts: [EntityLayout], _ entities: StoreEntities, _ schema: SQLiteSchema,
        _ connection: borrowing SQLiteConnection, _ file: SQLiteStoreFile, isBlind: Bool = false
    ) {
        path = file.path
        let sides = layouts.flatMap { $0.relationships.compactMap(\.side) }
        let known = Set(entities.all.map { entities.tableName(of: $0) })
        let used = Set(sides.map(\.table))
        for table in schema.tables.values.sorted(by: { $0.name < $1.name }) {
            if known.contains(table.name) || used.contains(table.name) {
                guard isBlind else { continue }
                let strays = Self.strayColumns(table, sides, entities, isJoin: !known.contains(table.name))
                for column in strays { add(column, of: table, connection) }
            } else if table.name.hasPrefix("Z_"),
                let number = SchemaLayout.number(in: table.name.dropFirst(2))?.number,
                number < StoreEntities.firstHistoryNumber
            {
                add(nil, of: table, connection)
            }
        }
    }

    /// The columns for positions without the key to which they belong, keys of an entity that does not exist, and all
    /// columns that are neither.
    private static func strayColumns(
        _ table: SQLiteSchema.Table, _ sides: [JoinSide], _ entities: StoreEntities, isJoin: Bool
    ) -> [String] {
        let names = table.columns.map(\.name)
        guard isJoin else {
            return names.filter { name in
                if !name.hasPrefix("Z") { return true }
                if name.hasPrefix("Z_FOK_") { return !table.has("Z" + name.dropFirst("Z_FOK_".count)) }
                guard let key = SchemaLayout.number(in: name.dropFirst()), !key.rest.hasPrefix("_") else {
                    return false
                }
                return entities[key.number] == nil
            }
        }
        var explained: Set<String> = []
        for side in sides where side.table == table.name {
            explained.formUnion([side.owner, side.target])
            explained.formUnion([side.owner, side.target].map(JoinSide.orderColumn))
        }
        return names.filter { !explained.contains($0) }
    }

    /// Adds a gap if there are values in the column, or rows in the table if there is no column.
    private mutating func add(
        _ column: String?, of table: SQLiteSchema.Table, _ connection: borrowing SQLiteConnection
    ) {
        // try?: whatever cannot be counted may be there
        let count = try? Self.count(column, table.name, connection)
        guard count != 0 else { return }
        gaps.append(
            StoreGap(
                entities: nil,
                problem: FileProblem(
                    .damaged, path: path,
                    column == nil
                        ? "no relationship leads to the rows of the table \(table.name), and they are left out"
                        : "nothing tells what a column of the table \(table.name) contains, and it is left out",
                    found: [column, count.map { "\($0) \(column == nil ? "rows" : "values")" }].compactMap(
                        \.self
                    )
                    .joined(separator: ": "),
                    advice: "Name the version of the model with which the app last saved the store")))
    }

    private static func count(
        _ column: String?, _ table: String, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> Int64 {
        let wanted = column.map { SQLiteName.quoted($0) } ?? "*"
        var row = try connection.prepare(
            "SELECT count(\(wanted)) FROM \(SQLiteName.quoted(table)) NOT INDEXED")
        return try row.step() ? row.integer(0) ?? 0 : 0
    }
}
