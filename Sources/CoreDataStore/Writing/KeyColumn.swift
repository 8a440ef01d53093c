/// A foreign-key column: of a to-one relationship, or of a to-many relationship without inverse
/// (core-data-sqlite-store(5), 3.1, 3.3 and 3.5).
final class KeyColumn {
    /// The table with the column.
    let table: RootTable
    let names: Names
    private var read: SQLiteStatement
    private var write: SQLiteStatement
    private var lastPlace: SQLiteStatement
    private var holders: SQLiteStatement
    private let hasEntityColumn: Bool
    private let isOrdered: Bool

    struct Names: Hashable {
        var table: String
        var column: String
        /// The column with the entity number of the target.
        var entityColumn: String?
        /// The column with the position in the ordered relationship of the target.
        var orderColumn: String?
    }

    init(
        _ names: Names, _ table: RootTable, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        self.table = table
        self.names = names
        let name = SQLiteName.quoted(names.table)
        let column = SQLiteName.quoted(names.column)
        var set = "\(column) = ?2"
        if let beside = names.entityColumn { set += ", \(SQLiteName.quoted(beside)) = ?3" }
        if let order = names.orderColumn { set += ", \(SQLiteName.quoted(order)) = ?4" }
        hasEntityColumn = names.entityColumn != nil
        isOrdered = names.orderColumn != nil
        let place = names.orderColumn.map { "max(\(SQLiteName.quoted($0)))" } ?? "NULL"
        read = try connection.prepare("SELECT \(column) FROM \(name) WHERE Z_PK = ?1")
        write = try connection.prepare("UPDATE \(name) SET \(set) WHERE Z_PK = ?1")
        lastPlace = try connection.prepare("SELECT \(place) FROM \(name) WHERE \(column) = ?1")
        holders = try connection.prepare("SELECT Z_PK FROM \(name) WHERE \(column) = ?1")
    }

    /// The key in a row.
    func key(in row: Int64) throws(SQLiteError) -> Int64? {
        defer { read.reset() }
        read.bind(row, at: 1)
        return try read.step() ? read.integer(0) : nil
    }

    /// Sets the key in a row, at the end of the target's ordered relationship; nil clears it.
    func set(_ target: StoreObjectID?, in row: Int64) throws(SQLiteError) {
        let place = try isOrdered && target != nil ? nextPlace(target?.primaryKey ?? 0) : nil
        try set(target, in: row, place: place)
    }

    /// Sets the key in a row, at a position of the target's ordered relationship.
    func set(_ target: StoreObjectID?, in row: Int64, place: Int64?) throws(SQLiteError) {
        write.bind(row, at: 1)
        write.bind(target?.primaryKey, at: 2)
        if hasEntityColumn { write.bind(target.map { Int64($0.entity) }, at: 3) }
        if isOrdered { write.bind(place, at: 4) }
        try write.run()
    }

    /// The rows with the key.
    func rows(with key: Int64) throws(SQLiteError) -> [Int64] {
        try holders.integers(of: key)
    }

    private func nextPlace(_ key: Int64) throws(SQLiteError) -> Int64 {
        defer { lastPlace.reset() }
        lastPlace.bind(key, at: 1)
        return OrderedPlace.after(try lastPlace.step() ? lastPlace.integer(0) : nil)
    }
}

/// Positions in ordered relationships (core-data-sqlite-store(5), 3.5).
enum OrderedPlace {
    /// The next multiple of 1024 after the last position; 2048 for the first.
    static func after(_ last: Int64?) -> Int64 {
        guard let last else { return 2048 }
        return last >= .max - 2048 ? last : (last >> 10 + 1) << 10
    }
}
