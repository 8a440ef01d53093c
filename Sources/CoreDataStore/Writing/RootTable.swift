/// The table of a root entity: assigns keys, deletes rows and counts versions (core-data-sqlite-store(5), 4.1 and 4.2).
final class RootTable {
    let root: StoreEntity
    let name: String
    /// The highest key at the last `finish`.
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

    /// Assigns a key that no row has had.
    func newKey() throws(SQLiteError) -> Int64 {
        guard highestKey < .max else { throw SQLiteError(code: 13, message: "no primary key is left") }
        highestKey += 1
        return highestKey
    }

    /// The object of a row; nil if the row does not exist.
    func object(_ primaryKey: Int64) throws(SQLiteError) -> StoreObjectID? {
        defer { entityOfRow.reset() }
        entityOfRow.bind(primaryKey, at: 1)
        guard try entityOfRow.step(), let entity = entityOfRow.integer(0) else { return nil }
        return StoreObjectID(entity: Int(clamping: entity), primaryKey: primaryKey)
    }

    /// Marks a row whose values or relationships changed. New rows keep version 1.
    func touch(_ primaryKey: Int64) {
        if primaryKey <= oldHighestKey { touched.insert(primaryKey) }
    }

    func deleteRow(_ primaryKey: Int64) throws(SQLiteError) {
        try delete.run(primaryKey)
        if primaryKey <= oldHighestKey { touched.remove(primaryKey) }
    }

    /// Increments the version counters and writes the highest key.
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

/// A set of rows as a sparse bitmap with pieces of 4096 rows.
struct TouchedRows {
    private var pieces: [Int64: [UInt64]] = [:]

    mutating func insert(_ primaryKey: Int64) {
        let bit = Int(primaryKey & 4095)
        pieces[primaryKey >> 12, default: [UInt64](repeating: 0, count: 64)][bit >> 6] |=
            1 << UInt64(bit & 63)
    }

    mutating func remove(_ primaryKey: Int64) {
        let bit = Int(primaryKey & 4095)
        pieces[primaryKey >> 12]?[bit >> 6] &= ~(1 << UInt64(bit & 63))
    }

    /// Calls `body` with the rows in order.
    func forEach<Failure>(_ body: (Int64) throws(Failure) -> Void) throws(Failure) {
        for piece in pieces.keys.sorted() {
            for (index, word) in (pieces[piece] ?? []).enumerated() where word != 0 {
                for bit in 0..<64 where word >> UInt64(bit) & 1 == 1 {
                    try body(piece << 12 + Int64(index << 6 + bit))
                }
            }
        }
    }
}
