/// The table of a root entity: the keys it hands out, and its rows as a whole (core-data-sqlite-store(5), 4.1 and 4.2).
final class RootTable {
    let root: StoreEntity
    let name: String
    /// The highest key handed out before the first insertion since the counters were written.
    private var oldHighestKey: Int64
    private(set) var highestKey: Int64
    private var touched = TouchedRows()
    private var entityOfRow: SQLiteStatement
    private var delete: SQLiteStatement

    init(_ root: StoreEntity, name: String, _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        self.root = root
        self.name = name
        let table = SQLiteName.quoted(name)
        var keys = try connection.prepare(
            "SELECT max(coalesce((SELECT max(Z_PK) FROM \(table)), 0), "
                + "coalesce((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?1), 0))")
        keys.bind(Int64(root.number), at: 1)
        oldHighestKey = try keys.step() ? keys.integer(0) ?? 0 : 0
        highestKey = oldHighestKey
        entityOfRow = try connection.prepare("SELECT Z_ENT FROM \(table) WHERE Z_PK = ?1")
        delete = try connection.prepare("DELETE FROM \(table) WHERE Z_PK = ?1")
    }

    /// A key that no row had before.
    func newKey() throws(SQLiteError) -> Int64 {
        guard highestKey < .max else { throw SQLiteError(code: 13, message: "no primary key is left") }
        highestKey += 1
        return highestKey
    }

    /// The row's object; nil where there is no such row.
    func object(_ primaryKey: Int64) throws(SQLiteError) -> StoreObjectID? {
        defer { entityOfRow.reset() }
        entityOfRow.bind(primaryKey, at: 1)
        guard try entityOfRow.step(), let entity = entityOfRow.integer(0) else { return nil }
        return StoreObjectID(entity: Int(clamping: entity), primaryKey: primaryKey)
    }

    /// Notes that the row was changed, or that a relationship to it was. New rows stay at version 1.
    func touch(_ primaryKey: Int64) {
        if primaryKey <= oldHighestKey { touched.insert(primaryKey) }
    }

    func deleteRow(_ primaryKey: Int64) throws(SQLiteError) {
        try delete.run(primaryKey)
        if primaryKey <= oldHighestKey { touched.remove(primaryKey) }
    }

    /// Writes the version counters and the highest key.
    func finish(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        var version = try connection.prepare(
            "UPDATE \(SQLiteName.quoted(name)) SET Z_OPT = coalesce(Z_OPT, 0) + 1 WHERE Z_PK = ?1")
        try touched.forEach { primaryKey throws(SQLiteError) in
            try version.run(primaryKey)
        }
        touched = TouchedRows()
        guard highestKey > oldHighestKey else { return }
        var highest = try connection.prepare("UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2")
        try highest.run(highestKey, Int64(root.number))
        oldHighestKey = highestKey
    }
}
