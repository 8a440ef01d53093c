/// Prepared statements for the rows of a join table.
final class EditedJoinRows {
    private let isReflexive: Bool
    private var delete: SQLiteStatement
    private var deleteBack: SQLiteStatement
    private var insertBack: SQLiteStatement
    private let places: PlaceFiller
    private let placesBack: PlaceFiller

    init(_ join: EditedJoin, _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        isReflexive = join.pair.isReflexive
        let table = "main.\(SQLiteName.quoted(join.first.table))"
        let (one, other) = (SQLiteName.quoted(join.first.owner), SQLiteName.quoted(join.first.target))
        let orders = [join.first.order, join.second.order].map { $0.map(SQLiteName.quoted) ?? "NULL" }
        let former = "RETURNING \(orders.joined(separator: ", "))"
        delete = try connection.prepare(
            "DELETE FROM \(table) WHERE \(one) IS ?1 AND \(other) IS ?2 \(former)")
        deleteBack = try connection.prepare(
            "DELETE FROM \(table) WHERE \(one) IS ?1 AND \(other) IS ?2 AND NOT EXISTS "
                + "(SELECT 1 FROM \(table) AS b WHERE b.\(one) IS ?2 AND b.\(other) IS ?1) \(former)")
        insertBack = try connection.prepare(
            "INSERT INTO \(table) (\(one), \(other)) SELECT \(other), \(one) FROM \(table) AS r "
                + "WHERE \(one) = ?1 AND \(other) = ?2 AND NOT EXISTS (SELECT 1 FROM \(table) AS b "
                + "WHERE b.\(one) = r.\(other) AND b.\(other) = r.\(one))")
        places = try PlaceFiller(join.first, connection)
        placesBack = try PlaceFiller(join.second, connection)
    }

    func remove(_ pair: EditedJoin.Pair) throws(SQLiteError) {
        try remove(pair.first, pair.second, &delete)
    }

    private func remove(
        _ first: Int64?, _ second: Int64?, _ delete: inout SQLiteStatement
    ) throws(SQLiteError) {
        defer { delete.reset() }
        delete.bind(first, at: 1)
        delete.bind(second, at: 2)
        while try delete.step() {
            places.remove(delete.integer(0), of: first)
            if !isReflexive { placesBack.remove(delete.integer(1), of: second) }
        }
    }

    /// Gives a row a position at the end of both ordered relationships, if it has none there or the position of another
    /// row.
    func fillPlaces(_ first: Int64, _ second: Int64) throws(SQLiteError) {
        try places.fill(first, second)
        if !isReflexive { try placesBack.fill(second, first) }
    }

    /// Completes a reflexive relationship, which has every pair in both directions. A pair that was restored with a
    /// deleted object stays.
    func mirror(_ pairs: EditScan.Pairs) throws(SQLiteError) {
        for pair in pairs.removed { try remove(pair.second, pair.first, &deleteBack) }
        for pair in pairs.added {
            guard let one = pair.first, let other = pair.second else { continue }
            try insertBack.run(one, other)
            try places.fill(other, one)
        }
    }

    /// Sets positions in the ordered relationship of one side.
    private final class PlaceFiller {
        private let places: OrderedPlaces?
        private var find: SQLiteStatement
        private var update: SQLiteStatement

        init(_ side: JoinSide, _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
            places = try OrderedPlaces.of(side, connection)
            let table = "main.\(SQLiteName.quoted(side.table))"
            let (one, other) = (SQLiteName.quoted(side.owner), SQLiteName.quoted(side.target))
            let order = SQLiteName.quoted(side.order ?? side.target)
            find = try connection.prepare("SELECT \(order) FROM \(table) WHERE \(one) = ?1 AND \(other) = ?2")
            update = try connection.prepare(
                "UPDATE \(table) SET \(order) = ?3 WHERE \(one) = ?1 AND \(other) = ?2")
        }

        func fill(_ owner: Int64, _ target: Int64) throws(SQLiteError) {
            guard let places else { return }
            find.bind(owner, at: 1)
            find.bind(target, at: 2)
            let isThere = try find.step()
            let old = find.integer(0)
            find.reset()
            guard isThere else { return }
            if let old, try places.count(at: old, of: owner) == 1 { return }
            let new = try places.next(of: owner)
            try update.run(owner, target, new)
            places.remove(old, of: owner)
            places.add(new, of: owner)
        }

        func remove(_ place: Int64?, of owner: Int64?) { places?.remove(place, of: owner) }
    }
}
