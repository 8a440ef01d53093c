/// A foreign-key column: of a to-one relationship, or of a to-many relationship without inverse
/// (core-data-sqlite-store(5), 3.1, 3.3 and 3.5).
final class KeyColumn {
    /// The table with the column.
    let table: RootTable
    let names: Names
    private var read: SQLiteStatement
    private var write: SQLiteStatement
    private var holders: SQLiteStatement
    private let hasEntityColumn: Bool
    /// The positions in the ordered relationship of the target; nil if it is not ordered.
    let places: OrderedPlaces?

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
        places = try names.orderColumn.map { (order) throws(SQLiteError) in
            try OrderedPlaces(names.table, owner: names.column, order: order, connection)
        }
        let place = names.orderColumn.map(SQLiteName.quoted) ?? "NULL"
        read = try connection.prepare("SELECT \(column), \(place) FROM \(name) WHERE Z_PK = ?1")
        write = try connection.prepare("UPDATE \(name) SET \(set) WHERE Z_PK = ?1")
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
        let place = try target.flatMap { (target) throws(SQLiteError) in
            try places?.next(of: target.primaryKey)
        }
        try set(target, in: row, place: place)
    }

    /// Sets the key in a row, at a position of the target's ordered relationship.
    func set(_ target: StoreObjectID?, in row: Int64, place: Int64?) throws(SQLiteError) {
        let old = try ordered(row)
        write.bind(row, at: 1)
        write.bind(target?.primaryKey, at: 2)
        if hasEntityColumn { write.bind(target.map { Int64($0.entity) }, at: 3) }
        if places != nil { write.bind(place, at: 4) }
        try write.run()
        places?.remove(old.place, of: old.owner)
        places?.add(place, of: target?.primaryKey)
    }

    /// Removes a row that is about to be deleted from the ordered relationship.
    func forget(_ row: Int64) throws(SQLiteError) {
        let old = try ordered(row)
        places?.remove(old.place, of: old.owner)
    }

    /// The ordered relationship that contains a row, and its position.
    private func ordered(_ row: Int64) throws(SQLiteError) -> (owner: Int64?, place: Int64?) {
        guard places != nil else { return (nil, nil) }
        defer { read.reset() }
        read.bind(row, at: 1)
        return try read.step() ? (read.integer(0), read.integer(1)) : (nil, nil)
    }

    /// The rows with the key.
    func rows(with key: Int64) throws(SQLiteError) -> [Int64] { try holders.integers(of: key) }
}
