import SystemCalls

/// The rows that differ between a live store and its base.
struct EditScan {
    /// Primary keys of the rows of a root entity's table that differ, in order.
    struct Rows {
        let root: StoreEntity
        let table: String
        var added: [Int64] = []
        /// Keys of rows in both stores, with a different value in any column except `Z_OPT`.
        var changed: [Int64] = []
        var deleted: [Int64] = []
    }

    /// Rows of a join table that differ.
    struct Pairs {
        let join: EditedJoin
        var added: [EditedJoin.Pair] = []
        var removed: [EditedJoin.Pair] = []
        /// Pairs in both stores, with a different position in an ordered relationship.
        var moved: [EditedJoin.Pair] = []

        var isEmpty: Bool { added.isEmpty && removed.isEmpty && moved.isEmpty }
    }

    private(set) var rows: [Rows] = []
    private(set) var pairs: [Pairs] = []

    var isEmpty: Bool {
        rows.allSatisfy { $0.added.isEmpty && $0.changed.isEmpty && $0.deleted.isEmpty }
            && pairs.allSatisfy(\.isEmpty)
    }

    init(_ store: WritableStore) throws(FileProblem) {
        let tables = BaseTables(store.schema, store.entities).tables
        for root in store.entities.all where root.superentity == 0 {
            let name = store.entities.tableName(of: root)
            guard let table = tables.first(where: { $0.name == name }) else { continue }
            rows.append(
                try store.run { () throws(SQLiteError) in try Self.rows(root, table, store.connection) })
        }
        for join in EditedJoin.all(store) {
            pairs.append(try store.run { () throws(SQLiteError) in try Self.pairs(join, store.connection) })
        }
    }

    private static func rows(
        _ root: StoreEntity, _ table: BaseTables.Table, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> Rows {
        var found = Rows(root: root, table: table.name)
        let name = SQLiteName.quoted(table.name)
        let left: Set<String> = ["Z_PK", "Z_OPT"]
        var here = try connection.prepare(
            "SELECT m.Z_PK, b.Z_PK FROM main.\(name) AS m LEFT JOIN base.\(name) AS b ON b.Z_PK = m.Z_PK "
                + "WHERE b.Z_PK IS NULL OR m.Z_OPT IS NULL "
                + "OR \(table.difference("m", "b", without: left))")
        while try here.step() {
            guard let key = here.integer(0) else { continue }
            if here.integer(1) == nil { found.added.append(key) } else { found.changed.append(key) }
        }
        var there = try connection.prepare(
            "SELECT b.Z_PK FROM base.\(name) AS b "
                + "WHERE NOT EXISTS (SELECT 1 FROM main.\(name) AS m WHERE m.Z_PK = b.Z_PK)")
        while try there.step() {
            if let key = there.integer(0) { found.deleted.append(key) }
        }
        return found
    }

    private static func pairs(
        _ join: EditedJoin, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> Pairs {
        let name = SQLiteName.quoted(join.first.table)
        let (one, other) = (SQLiteName.quoted(join.first.owner), SQLiteName.quoted(join.first.target))
        let orders = [join.first.order, join.second.order].compactMap { $0 }.map(SQLiteName.quoted)
        func pairs(in place: String, _ condition: String) throws(SQLiteError) -> [EditedJoin.Pair] {
            try connection.rows(
                "SELECT x.\(one), x.\(other) FROM \(place).\(name) AS x WHERE \(condition)"
            ) { EditedJoin.Pair(first: $0.integer(0), second: $0.integer(1)) }
        }
        func twin(in place: String, _ condition: String = "") -> String {
            "EXISTS (SELECT 1 FROM \(place).\(name) AS y WHERE y.\(one) IS x.\(one) AND y.\(other) IS x.\(other)\(condition))"
        }
        let elsewhere = orders.map { "y.\($0) IS NOT x.\($0)" }.joined(separator: " OR ")
        return Pairs(
            join: join, added: try pairs(in: "main", "NOT \(twin(in: "base"))"),
            removed: try pairs(in: "base", "NOT \(twin(in: "main"))"),
            moved: orders.isEmpty ? [] : try pairs(in: "main", twin(in: "base", " AND (\(elsewhere))")))
    }
}

/// A join table and its two relationships.
struct EditedJoin {
    struct Pair: Hashable {
        /// The key of an object of the first side.
        var first: Int64?
        var second: Int64?
    }

    let pair: JoinPair
    let first: JoinSide
    let second: JoinSide

    static func all(_ store: WritableStore) -> [EditedJoin] {
        store.layout.names.joinPairs().compactMap { pair in
            pair.sides(in: store.schema).map { EditedJoin(pair: pair, first: $0.first, second: $0.second) }
        }
    }
}
