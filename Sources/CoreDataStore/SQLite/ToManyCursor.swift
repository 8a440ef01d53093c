import SystemCalls

/// Walks the targets of a to-many relationship beside the rows of its owners: both come in order of the owner's
/// primary key, so that one pass serves all objects and nothing is kept in memory.
struct ToManyCursor: ~Copyable {
    private var rows: SQLiteStatement
    /// The owner of the row that the statement stands on; nil at the end.
    private var owner: Int64?
    private var isStarted = false
    private let file: SQLiteStoreFile
    private let table: String

    /// Starts at the first owner in `owners`.
    init(
        _ link: JoinSide, owners: ClosedRange<Int64>, _ connection: borrowing SQLiteConnection,
        _ file: SQLiteStoreFile
    ) throws(FileProblem) {
        rows = try Self.rows(link, owners, connection, file)
        owner = nil
        self.file = file
        table = link.table
    }

    private static func rows(
        _ link: JoinSide, _ owners: ClosedRange<Int64>, _ connection: borrowing SQLiteConnection,
        _ file: SQLiteStoreFile
    ) throws(FileProblem) -> SQLiteStatement {
        let (owner, target) = (SQLiteName.quoted(link.owner), SQLiteName.quoted(link.target))
        let order = link.order.map { SQLiteName.quoted($0) + ", " } ?? ""
        do throws(SQLiteError) {
            var rows = try connection.prepare(
                "SELECT \(owner), \(target) FROM \(SQLiteName.quoted(link.table)) "
                    + "WHERE \(owner) BETWEEN ?1 AND ?2 ORDER BY \(owner), \(order)\(target)")
            rows.bind(owners.lowerBound, at: 1)
            rows.bind(owners.upperBound, at: 2)
            return rows
        } catch {
            throw file.problem(error)
        }
    }

    /// The targets of `wanted`, which must not be less than the last one asked for.
    mutating func targets(of wanted: Int64) throws(FileProblem) -> [Int64] {
        if !isStarted {
            isStarted = true
            try advance()
        }
        while let current = owner, current < wanted { try advance() }
        var targets: [Int64] = []
        while owner == wanted {
            guard let target = rows.integer(1) else {
                let found = "\(rows.storage(1))"
                try advance()
                throw FileProblem(
                    .damaged, path: file.path, "row \(wanted) of the table \(table) leads to no key",
                    found: found)
            }
            // Tables of old frameworks may hold a pair twice.
            if targets.last != target { targets.append(target) }
            try advance()
        }
        return targets
    }

    private mutating func advance() throws(FileProblem) {
        do throws(SQLiteError) {
            owner = nil
            while owner == nil, try rows.step() { owner = rows.integer(0) }
        } catch {
            owner = nil
            throw file.problem(error)
        }
    }
}
