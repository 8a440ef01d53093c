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
    /// The keys of the edited rows, in order. The rows are read one at a time, since there may be millions.
    let keys: [Int64]
    /// New keys by old ones.
    var moves: [Int64: Int64] = [:]
    private let holder: SQLiteStatement.Holder
    private let update: SQLiteStatement.Holder

    init(
        _ scan: EditScan.Rows, _ columns: [String], _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        table = scan.table
        self.columns = columns
        keys = (scan.added + scan.changed).sorted()
        holder = SQLiteStatement.Holder(try Self.reader(scan.table, columns, connection))
        update = SQLiteStatement.Holder(try Self.update(scan.table, columns, connection))
    }

    /// Reads a row of the store and of the base.
    func row(_ key: Int64) throws(SQLiteError) -> Row { try row(key, &holder.statement) }

    private static func reader(
        _ table: String, _ columns: [String], _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> SQLiteStatement {
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

    private static func update(
        _ table: String, _ columns: [String], _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> SQLiteStatement {
        let set = (["Z_ENT", "Z_OPT"] + columns).enumerated().map {
            "\(SQLiteName.quoted($1)) = ?\($0 + 2)"
        }.joined(separator: ", ")
        return try connection.prepare(
            "UPDATE main.\(SQLiteName.quoted(table)) SET \(set) WHERE Z_PK = ?1")
    }

    /// The keys of the objects of the base whose identifiers have a hash in `wanted`; others may be among them.
    func owners(
        of wanted: IdentifierHashes, _ places: [Int: String], _ connection: borrowing SQLiteConnection
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

    /// Writes a row under its old key, if it differs from `old`.
    /// - Returns: whether it differs.
    func write(_ row: Row, unlike old: Row) throws(SQLiteError) -> Bool {
        guard row.entity != old.entity || row.version != old.version || row.texts != old.texts else {
            return false
        }
        update.statement.bind(row.key, at: 1)
        update.statement.bind(row.entity.map { Int64($0) }, at: 2)
        update.statement.bind(row.version, at: 3)
        for (position, text) in row.texts.enumerated() {
            if let text {
                try update.statement.bind(text, at: 4 + position)
            } else {
                update.statement.bind(nil as Int64?, at: 4 + position)
            }
        }
        try update.statement.run()
        return true
    }
}

/// The identifiers of many rows, by their hashes.
struct IdentifierHashes {
    private var hashes: Set<Int> = []
    /// Hashes that were added more than once.
    private var repeated: Set<Int> = []

    var isEmpty: Bool { hashes.isEmpty }

    mutating func add(_ text: String) {
        let hash = text.hashValue
        if !hashes.insert(hash).inserted { repeated.insert(hash) }
    }

    /// Adds an identifier that other rows may have.
    mutating func addRepeated(_ text: String) {
        hashes.insert(text.hashValue)
        repeated.insert(text.hashValue)
    }

    /// Whether an identifier may have been added; true for each that was.
    func contains(_ text: String) -> Bool { hashes.contains(text.hashValue) }

    /// Whether an identifier may have been added more than once; true for each that was.
    func isRepeated(_ text: String) -> Bool { repeated.contains(text.hashValue) }
}
