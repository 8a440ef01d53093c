/// The rows of a join table from one side of the relationship (core-data-sqlite-store(5), 3.4 and 3.5).
final class JoinRows {
    private let isReflexive: Bool
    private let places: OrderedPlaces?
    private let placesBack: OrderedPlaces?
    private var exists: SQLiteStatement
    private var insert: SQLiteStatement
    private var delete: SQLiteStatement
    private var deleteAll: SQLiteStatement
    private var read: SQLiteStatement

    /// - Parameters:
    ///   - back: the other side.
    ///   - places: the positions on this side; nil if it is not ordered.
    ///   - placesBack: the positions on the other side.
    init(
        _ side: JoinSide, back: JoinSide, isReflexive: Bool, _ places: OrderedPlaces?,
        _ placesBack: OrderedPlaces?, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        self.isReflexive = isReflexive
        self.places = places
        self.placesBack = isReflexive ? nil : placesBack
        let table = SQLiteName.quoted(side.table)
        let owner = SQLiteName.quoted(side.owner)
        let target = SQLiteName.quoted(side.target)
        let pair = "\(owner) = ?1 AND \(target) = ?2"
        let orders = [side.order, isReflexive ? nil : back.order].compactMap { $0 }.map(SQLiteName.quoted)
        let columns = ([owner, target] + orders).joined(separator: ", ")
        let marks = (1...(2 + orders.count)).map { "?\($0)" }.joined(separator: ", ")
        exists = try connection.prepare("SELECT 1 FROM \(table) WHERE \(pair)")
        insert = try connection.prepare("INSERT INTO \(table) (\(columns)) VALUES (\(marks))")
        let former = [side.order, back.order].map { $0.map(SQLiteName.quoted) ?? "NULL" }.joined(
            separator: ", ")
        delete = try connection.prepare("DELETE FROM \(table) WHERE \(pair) RETURNING \(target), \(former)")
        deleteAll = try connection.prepare(
            "DELETE FROM \(table) WHERE \(owner) = ?1 RETURNING \(target), \(former)")
        read = try connection.prepare("SELECT \(target) FROM \(table) WHERE \(owner) = ?1")
    }

    /// Adds the pair at the end of ordered relationships; false if it exists.
    func add(_ owner: Int64, _ target: Int64) throws(SQLiteError) -> Bool {
        let isNew = try addRow(owner, target)
        if isReflexive, owner != target { _ = try addRow(target, owner) }
        return isNew
    }

    private func addRow(_ owner: Int64, _ target: Int64) throws(SQLiteError) -> Bool {
        exists.bind(owner, at: 1)
        exists.bind(target, at: 2)
        let isThere = try exists.step()
        exists.reset()
        if isThere { return false }
        let place = try places?.next(of: owner)
        let placeBack = try placesBack?.next(of: target)
        insert.bind(owner, at: 1)
        insert.bind(target, at: 2)
        for (position, place) in [place, placeBack].compactMap({ $0 }).enumerated() {
            insert.bind(place, at: 3 + position)
        }
        try insert.run()
        places?.add(place, of: owner)
        placesBack?.add(placeBack, of: target)
        return true
    }

    /// Removes the pair; false if it does not exist.
    func remove(_ owner: Int64, _ target: Int64) throws(SQLiteError) -> Bool {
        let wasThere = try removeRow(owner, target)
        if isReflexive, owner != target { _ = try removeRow(target, owner) }
        return wasThere
    }

    private func removeRow(_ owner: Int64, _ target: Int64) throws(SQLiteError) -> Bool {
        delete.bind(target, at: 2)
        return try remove(owner, &delete)
    }

    /// Runs a deletion of rows of one owner; false if there were none.
    private func remove(_ owner: Int64, _ delete: inout SQLiteStatement) throws(SQLiteError) -> Bool {
        defer { delete.reset() }
        delete.bind(owner, at: 1)
        var hadRows = false
        while try delete.step() {
            hadRows = true
            places?.remove(delete.integer(1), of: owner)
            placesBack?.remove(delete.integer(2), of: delete.integer(0))
        }
        return hadRows
    }

    /// Removes all pairs of a deleted object.
    func removeAll(of owner: Int64, _ targets: [Int64]) throws(SQLiteError) {
        guard !targets.isEmpty else { return }
        if isReflexive {
            for target in targets { _ = try removeRow(target, owner) }
        }
        _ = try remove(owner, &deleteAll)
    }

    func targets(of owner: Int64) throws(SQLiteError) -> [Int64] { try read.integers(of: owner) }
}
