import SystemCalls

/// Reads the targets of a to-many relationship in parallel with the rows of its owners. Both are ordered by the primary
/// key of the owner, so that one pass serves all objects and nothing is kept in memory.
final class ToManyCursor {
    private var rows: SQLiteStatement
    /// The owner in the current row; nil at the end.
    private var owner: Int64?
    private var isStarted = false
    private let file: SQLiteStoreFile
    private let table: String

    /// A cursor for each to-many relationship of an entity, over the keys of its objects.
    static func all(
        of layout: EntityLayout, _ connection: borrowing SQLiteConnection, _ file: SQLiteStoreFile,
        _ indexes: CheckedIndexes
    ) throws(FileProblem) -> [ToManyCursor] {
        let links = layout.relationships.compactMap {
            if case .rows(let link) = $0.storage { link } else { nil }
        }
        guard !links.isEmpty, let owners = try keys(layout, connection, file) else { return [] }
        var cursors: [ToManyCursor] = []
        for link in links {
            cursors.append(try ToManyCursor(link, owners: owners, connection, file, indexes))
        }
        return cursors
    }

    /// The lowest and highest primary key of the entity's objects.
    private static func keys(
        _ layout: EntityLayout, _ connection: borrowing SQLiteConnection, _ file: SQLiteStoreFile
    ) throws(FileProblem) -> ClosedRange<Int64>? {
        try file.run { () throws(SQLiteError) in
            let rows =
                "(SELECT Z_PK FROM \(SQLiteName.quoted(layout.table)) NOT INDEXED WHERE Z_ENT = ?1 ORDER BY Z_PK"
            var row = try connection.prepare("SELECT \(rows) LIMIT 1), \(rows) DESC LIMIT 1)")
            row.bind(Int64(layout.entity.number), at: 1)
            guard try row.step(), let low = row.integer(0), let high = row.integer(1), low <= high else {
                return nil
            }
            return low...high
        }
    }

    /// Starts at the first owner in `owners`.
    private init(
        _ link: JoinSide, owners: ClosedRange<Int64>, _ connection: borrowing SQLiteConnection,
        _ file: SQLiteStoreFile, _ indexes: CheckedIndexes
    ) throws(FileProblem) {
        rows = try Self.rows(
            link, owners, connection, file, indexes.clause(link.table, by: link.owner))
        self.file = file
        table = link.table
    }

    private static func rows(
        _ link: JoinSide, _ owners: ClosedRange<Int64>, _ connection: borrowing SQLiteConnection,
        _ file: SQLiteStoreFile, _ index: String
    ) throws(FileProblem) -> SQLiteStatement {
        let (owner, target) = (SQLiteName.quoted(link.owner), SQLiteName.quoted(link.target))
        let order = link.order.map { SQLiteName.quoted($0) + ", " } ?? ""
        return try file.run { () throws(SQLiteError) in
            var rows = try connection.prepare(
                "SELECT \(owner), \(target) FROM \(SQLiteName.quoted(link.table)) \(index) "
                    + "WHERE \(owner) BETWEEN ?1 AND ?2 ORDER BY \(owner), \(order)\(target)")
            rows.bind(owners.lowerBound, at: 1)
            rows.bind(owners.upperBound, at: 2)
            return rows
        }
    }

    /// The targets of the owner `wanted`, which must not be lower than in the last call. Rows that lead to no key
    /// become faults.
    func targets(
        of wanted: Int64, _ faults: inout [FileProblem]
    ) throws(FileProblem) -> [Int64] {
        if !isStarted {
            isStarted = true
            try advance()
        }
        while let current = owner, current < wanted { try advance() }
        var targets: [Int64] = []
        while owner == wanted {
            guard let target = rows.integer(1) else {
                faults.append(
                    FileProblem(
                        .damaged, path: file.path, "row \(wanted) of the table \(table) leads to no key",
                        found: "\(rows.storage(1))"))
                try advance()
                continue
            }
            // Old versions of Core Data could write a pair twice.
            if targets.last != target { targets.append(target) }
            try advance()
        }
        return targets
    }

    private func advance() throws(FileProblem) {
        do throws(SQLiteError) {
            owner = nil
            while owner == nil, try rows.step() { owner = rows.integer(0) }
        } catch {
            owner = nil
            throw file.problem(error)
        }
    }
}
