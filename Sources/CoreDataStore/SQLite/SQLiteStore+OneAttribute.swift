public import SystemCalls

extension SQLiteStore {
    /// The superentity of every entity that has one, by name.
    public var superentities: [String: String] {
        entities.all.reduce(into: [:]) { above, entity in
            guard entity.superentity != 0 else { return }
            above[entity.name] = entities[entity.superentity]?.name
        }
    }

    /// Calls `body` with one text attribute of every object, nil if it has none, without reading other columns.
    /// Entities without the attribute are left out.
    /// - Parameter attribute: the name in any case, since names are in upper case without a model.
    public func forEachText(
        of attribute: String,
        _ body: (_ entity: String, _ primaryKey: Int64, _ text: String?) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let wanted = attribute.lowercased()
        let connection = try file.connect()
        for layout in layouts where tableNames.contains(layout.table) {
            guard let column = layout.attributes.first(where: { $0.name.lowercased() == wanted })?.column
            else { continue }
            try passTexts(layout, column, connection, body)
        }
        try file.checkUnchanged()
    }

    private func passTexts(
        _ layout: EntityLayout, _ column: String, _ connection: borrowing SQLiteConnection,
        _ body: (String, Int64, String?) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var rows = try prepare(layout, column, connection)
        // ends: after the last row
        while true {
            let (key, text): (Int64, String?)
            do throws(SQLiteError) {
                guard try rows.step() else { return }
                (key, text) = (rows.integer(0) ?? 0, rows.text(1))
            } catch {
                throw file.problem(error)
            }
            try body(layout.entity.name, key, text)
        }
    }

    private func prepare(
        _ layout: EntityLayout, _ column: String, _ connection: borrowing SQLiteConnection
    ) throws(FileProblem) -> SQLiteStatement {
        try file.run { () throws(SQLiteError) in
            var rows = try connection.prepare(
                "SELECT Z_PK, \(SQLiteName.quoted(column)) FROM \(SQLiteName.quoted(layout.table)) NOT INDEXED WHERE Z_ENT = ?1"
            )
            rows.bind(Int64(layout.entity.number), at: 1)
            return rows
        }
    }
}
