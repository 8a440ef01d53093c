/// The keys, entities and identifiers of the edited rows of one table, and those of the base.
struct IdentityRows {
    struct Row {
        let key: Int64
        /// Whether the store contains the row.
        var exists = false
        var entity: Int?
        var version: Int64?
        /// Identifiers in the order of `columns`.
        var texts: [String?] = []
        var base: (entity: Int, version: Int64, texts: [String?])?
        /// The new key of the row, if it must change.
        var newKey: Int64?
    }

    let table: String
    /// The columns with identifiers.
    let columns: [String]
    var rows: [Row] = []
    /// New keys by old ones.
    var moves: [Int64: Int64] = [:]

    init(
        _ scan: EditScan.Rows, _ columns: [String], _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        table = scan.table
        self.columns = columns
        var statement = try reader(connection)
        for key in (scan.added + scan.changed).sorted() { rows.append(try row(key, &statement)) }
        before = rows
    }

    private var before: [Row] = []

    /// Reads a row of the store and of the base.
    func row(_ key: Int64, _ connection: borrowing SQLiteConnection) throws(SQLiteError) -> Row {
        var statement = try reader(connection)
        return try row(key, &statement)
    }

    private func reader(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> SQLiteStatement {
        let name = SQLiteName.quoted(table)
        let wanted = ["m", "b"].flatMap { alias in
            (["Z_PK", "Z_ENT", "Z_OPT"] + columns).map { "\(alias).\(SQLiteName.quoted($0))" }
        }.joined(separator: ", ")
        return try connection.prepare(
            "SELECT \(wanted) FROM (SELECT ?1 AS k) LEFT JOIN main.\(name) AS m ON m.Z_PK = k "
                + "LEFT JOIN base.\(name) AS b ON b.Z_PK = k")
    }

    private func row(_ key: Int64, _ statement: inout SQLiteStatement) throws(SQLiteError) -> Row {
        defer { statement.reset() }
        statement.bind(key, at: 1)
        var row = Row(key: key)
        guard try statement.step() else { return row }
        let width = 3 + columns.count
        row.exists = statement.integer(0) != nil
        row.entity = statement.integer(1).map { Int(clamping: $0) }
        row.version = statement.integer(2)
        row.texts = columns.indices.map { statement.text(3 + $0) }
        if statement.integer(width) != nil {
            row.base = (
                Int(clamping: statement.integer(width + 1) ?? 0), statement.integer(width + 2) ?? 0,
                columns.indices.map { statement.text(width + 3 + $0) }
            )
        }
        return row
    }

    /// The text in a column; nil if it is empty.
    func text(_ texts: [String?], _ column: String?) -> String? {
        guard let position = columns.firstIndex(where: { $0 == column }), let text = texts[position] else {
            return nil
        }
        return text.isEmpty ? nil : text
    }

    func set(_ text: String, _ column: String?, _ texts: inout [String?]) {
        if let position = columns.firstIndex(where: { $0 == column }) { texts[position] = text }
    }

    /// The keys of the objects of the base with the identifiers in `wanted`.
    func owners(
        of wanted: Set<String>, _ places: [Int: String], _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> [String: Int64] {
        var owners: [String: Int64] = [:]
        if wanted.isEmpty { return owners }
        for (position, column) in columns.enumerated() {
            let quoted = SQLiteName.quoted(column)
            var rows = try connection.prepare(
                "SELECT Z_PK, Z_ENT, \(quoted) FROM base.\(SQLiteName.quoted(table)) WHERE \(quoted) IS NOT NULL"
            )
            while try rows.step() {
                guard let text = rows.text(2), wanted.contains(text), let key = rows.integer(0),
                    rows.integer(1).flatMap({ places[Int(clamping: $0)] }) == columns[position]
                else { continue }
                owners[text] = max(key, owners[text] ?? key)
            }
        }
        return owners
    }

    /// Writes the changed rows, under their old keys.
    /// - Returns: whether a row was changed.
    func write(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> Bool {
        let set = (["Z_ENT", "Z_OPT"] + columns).enumerated().map {
            "\(SQLiteName.quoted($1)) = ?\($0 + 2)"
        }.joined(separator: ", ")
        var update = try connection.prepare(
            "UPDATE main.\(SQLiteName.quoted(table)) SET \(set) WHERE Z_PK = ?1")
        var isChanged = false
        for (row, old) in zip(rows, before)
        where row.entity != old.entity || row.version != old.version || row.texts != old.texts {
            isChanged = true
            update.bind(row.key, at: 1)
            update.bind(row.entity.map { Int64($0) }, at: 2)
            update.bind(row.version, at: 3)
            for (position, text) in row.texts.enumerated() {
                if let text {
                    try update.bind(text, at: 4 + position)
                } else {
                    update.bind(nil as Int64?, at: 4 + position)
                }
            }
            try update.run()
        }
        return isChanged
    }
}
