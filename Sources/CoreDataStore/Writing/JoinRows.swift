/// The rows of a join table from one side of the relationship (core-data-sqlite-store(5), 3.4 and 3.5).
final class JoinRows {
    private let isReflexive: Bool
    private let isOrdered: Bool
    private let isOrderedBack: Bool
    private var exists: SQLiteStatement
    private var insert: SQLiteStatement
    private var delete: SQLiteStatement
    private var deleteAll: SQLiteStatement
    private var read: SQLiteStatement
    private var lastOfOwner: SQLiteStatement
    private var lastOfTarget: SQLiteStatement

    /// - Parameter back: the other side.
    init(
        _ side: JoinSide, back: JoinSide, isReflexive: Bool, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        self.isReflexive = isReflexive
        isOrdered = side.order != nil
        isOrderedBack = back.order != nil && !isReflexive
        let table = SQLiteName.quoted(side.table)
        let owner = SQLiteName.quoted(side.owner)
        let target = SQLiteName.quoted(side.target)
        let pair = "\(owner) = ?1 AND \(target) = ?2"
        let orders = [side.order, isReflexive ? nil : back.order].compactMap { $0 }.map(SQLiteName.quoted)
        let columns = ([owner, target] + orders).joined(separator: ", ")
        let marks = (1...(2 + orders.count)).map { "?\($0)" }.joined(separator: ", ")
        exists = try connection.prepare("SELECT 1 FROM \(table) WHERE \(pair)")
        insert = try connection.prepare("INSERT INTO \(table) (\(columns)) VALUES (\(marks))")
        delete = try connection.prepare("DELETE FROM \(table) WHERE \(pair)")
        deleteAll = try connection.prepare("DELETE FROM \(table) WHERE \(owner) = ?1")
        read = try connection.prepare("SELECT \(target) FROM \(table) WHERE \(owner) = ?1")
        func last(_ order: String?, _ key: String) -> String {
            "SELECT \(order.map { "max(\(SQLiteName.quoted($0)))" } ?? "NULL") FROM \(table) WHERE \(key) = ?1"
        }
        lastOfOwner = try connection.prepare(last(side.order, owner))
        lastOfTarget = try connection.prepare(last(back.order, target))
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
        var parameter = 3
        insert.bind(owner, at: 1)
        insert.bind(target, at: 2)
        if isOrdered {
            insert.bind(try Self.next(&lastOfOwner, owner), at: parameter)
            parameter += 1
        }
        if isOrderedBack { insert.bind(try Self.next(&lastOfTarget, target), at: parameter) }
        try insert.run()
        return true
    }

    private static func next(_ last: inout SQLiteStatement, _ key: Int64) throws(SQLiteError) -> Int64 {
        defer { last.reset() }
        last.bind(key, at: 1)
        return OrderedPlace.after(try last.step() ? last.integer(0) : nil)
    }

    /// Removes the pair; false if it does not exist.
    func remove(
        _ owner: Int64, _ target: Int64, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> Bool {
        let wasThere = try removeRow(owner, target, connection)
        if isReflexive, owner != target { _ = try removeRow(target, owner, connection) }
        return wasThere
    }

    private func removeRow(
        _ owner: Int64, _ target: Int64, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> Bool {
        try delete.run(owner, target)
        return connection.changes > 0
    }

    /// Removes all pairs of a deleted object.
    func removeAll(of owner: Int64, _ targets: [Int64]) throws(SQLiteError) {
        guard !targets.isEmpty else { return }
        if isReflexive {
            for target in targets {
                try delete.run(target, owner)
            }
        }
        try deleteAll.run(owner)
    }

    func targets(of owner: Int64) throws(SQLiteError) -> [Int64] {
        try read.integers(of: owner)
    }
}
