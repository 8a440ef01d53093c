import Base

/// The positions in the ordered relationships of one column (core-data-sqlite-store(5), 3.5).
///
/// The positions in the relationship of one owner are read when they are first needed. From then on every change of the
/// column must be reported by `add` and `remove`, so that neither the last position nor a taken one is searched for in
/// the table again.
final class OrderedPlaces {
    private var read: SQLiteStatement
    private var lists: [Int64: OrderedList] = [:]
    /// The approximate memory of `lists`, in positions.
    private var size = 0
    private static let limit = 1 << 18

    /// - Parameters:
    ///   - owner: the column with the key of the owner.
    ///   - order: the column with the position.
    init(
        _ table: String, owner: String, order: String, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        read = try connection.prepare(
            "SELECT \(SQLiteName.quoted(order)) FROM \(SQLiteName.quoted(table)) "
                + "WHERE \(SQLiteName.quoted(owner)) = ?1")
    }

    /// The positions of one side of a join table; nil if that side is not ordered.
    static func of(
        _ side: JoinSide, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> OrderedPlaces? {
        try side.order.map { (order) throws(SQLiteError) in
            try OrderedPlaces(side.table, owner: side.owner, order: order, connection)
        }
    }

    /// The next multiple of 1024 after the last position; 2048 for the first.
    func next(of owner: Int64) throws(SQLiteError) -> Int64 {
        guard let last = try load(owner).last else { return 2048 }
        return last >= .max - 2048 ? last : (last >> 10 + 1) << 10
    }

    /// The number of rows at a position.
    func count(at place: Int64, of owner: Int64) throws(SQLiteError) -> Int {
        try load(owner).count(at: place)
    }

    /// Records that a row has got a position.
    func add(_ place: Int64?, of owner: Int64?) {
        guard let owner, let place, let list = lists.index(forKey: owner) else { return }
        lists.values[list].add(place)
        size += 1
    }

    /// Records that a row no longer has a position.
    func remove(_ place: Int64?, of owner: Int64?) {
        guard let owner, let place, let list = lists.index(forKey: owner) else { return }
        lists.values[list].remove(place)
    }

    private func load(_ owner: Int64) throws(SQLiteError) -> OrderedList {
        if let list = lists[owner] { return list }
        if size > Self.limit {
            lists = [:]
            size = 0
        }
        let list = OrderedList(try read.integers(of: owner))
        lists[owner] = list
        // An entry of the table takes as much memory as some positions.
        size += list.size + 8  // bounded: rows in memory
        return list
    }
}

/// The positions in one ordered relationship.
struct OrderedList {
    private struct Entry {
        let place: Int64
        var rows: Int
    }

    /// The entries in order. The last one has rows; others may have lost their rows.
    private var entries: [Entry] = []

    init(_ places: [Int64]) {
        for place in places.sorted() { add(place) }
    }

    var last: Int64? { entries.last?.place }
    var size: Int { entries.count }

    func count(at place: Int64) -> Int {
        let position = position(of: place)
        return position < entries.count && entries[position].place == place ? entries[position].rows : 0
    }

    mutating func add(_ place: Int64) {
        let position = position(of: place)
        if position < entries.count, entries[position].place == place {
            entries[position].rows += 1
        } else {
            entries.insert(Entry(place: place, rows: 1), at: position)
        }
    }

    mutating func remove(_ place: Int64) {
        let position = position(of: place)
        guard position < entries.count, entries[position].place == place, entries[position].rows > 0 else {
            return
        }
        entries[position].rows -= 1
        while entries.last?.rows == 0 { entries.removeLast() }
    }

    /// The first position in the array whose place is not less.
    private func position(of place: Int64) -> Int {
        if let last = entries.last, last.place < place { return entries.count }
        return entries.endOfPrefix { $0.place < place }
    }
}
