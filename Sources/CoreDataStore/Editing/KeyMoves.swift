import SystemCalls

/// Changes primary keys, and updates the references that were made to the new objects.
///
/// A reference that equals the base means the object of the base; it stays.
struct KeyMoves {
    private let store: WritableStore
    private let links: ModelLinks

    init(_ store: WritableStore) {
        self.store = store
        links = ModelLinks(store.model, store.entities, store.schema)
    }

    /// - Parameter keys: new keys by old ones, by table. A new key is unused, or belongs to a row that also moves.
    func perform(_ keys: [String: [Int64: Int64]]) throws(FileProblem) {
        try store.run { () throws(SQLiteError) in
            for (table, keys) in keys { try move(table, keys) }
            for link in links.links {
                if let keys = keys[link.targetTable] { try follow(link, keys) }
            }
            for join in links.joins where keys[join.first.table] != nil || keys[join.second.table] != nil {
                try follow(join, keys[join.first.table] ?? [:], keys[join.second.table] ?? [:])
            }
        }
    }

    private func move(_ table: String, _ keys: [Int64: Int64]) throws(SQLiteError) {
        var update = try store.connection.prepare(
            "UPDATE main.\(SQLiteName.quoted(table)) SET Z_PK = ?2 WHERE Z_PK = ?1")
        let old = keys.keys.sorted()
        // Through unused negative keys, since rows may exchange their keys.
        for (position, key) in old.enumerated() { try update.run(key, Int64.min + Int64(position)) }
        for (position, key) in old.enumerated() {
            try update.run(Int64.min + Int64(position), keys[key])
        }
    }

    private func follow(_ link: CheckedForeignKey, _ keys: [Int64: Int64]) throws(SQLiteError) {
        let table = SQLiteName.quoted(link.table)
        let column = SQLiteName.quoted(link.column)
        let found = try store.connection.rows(
            "SELECT m.Z_PK, m.\(column) FROM main.\(table) AS m LEFT JOIN base.\(table) AS b "
                + "ON b.Z_PK = m.Z_PK WHERE m.\(column) IS NOT NULL AND m.\(column) IS NOT b.\(column)"
        ) { row -> (row: Int64, key: Int64)? in
            guard let number = row.integer(0), let key = row.integer(1), let new = keys[key] else {
                return nil
            }
            return (number, new)
        }
        var update = try store.connection.prepare(
            "UPDATE main.\(table) SET \(column) = ?2 WHERE Z_PK = ?1")
        for (row, key) in found { try update.run(row, key) }
    }

    private func follow(
        _ join: CheckedJoin, _ first: [Int64: Int64], _ second: [Int64: Int64]
    ) throws(SQLiteError) {
        let table = SQLiteName.quoted(join.table)
        let (one, other) = (SQLiteName.quoted(join.first.column), SQLiteName.quoted(join.second.column))
        let found = try store.connection.rows(
            "SELECT m.\(one), m.\(other) FROM main.\(table) AS m WHERE NOT EXISTS (SELECT 1 FROM "
                + "base.\(table) AS b WHERE b.\(one) IS m.\(one) AND b.\(other) IS m.\(other))"
        ) { row -> (Int64, Int64)? in
            guard let a = row.integer(0), let b = row.integer(1), first[a] != nil || second[b] != nil
            else { return nil }
            return (a, b)
        }
        var update = try store.connection.prepare(
            "UPDATE OR REPLACE main.\(table) SET \(one) = ?3, \(other) = ?4 "
                + "WHERE \(one) = ?1 AND \(other) = ?2")
        for (a, b) in found { try update.run(a, b, first[a] ?? a, second[b] ?? b) }
    }
}
