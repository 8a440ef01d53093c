import SystemCalls

/// The cursors of all to-many relationships of an entity. An array cannot hold them, since they cannot be copied;
/// a chain can.
struct ToManyCursors: ~Copyable {
    private var chain: [Box] = []

    private final class Box {
        private var cursor: ToManyCursor
        init(_ cursor: consuming ToManyCursor) { self.cursor = cursor }
        func targets(of owner: Int64) throws(FileProblem) -> [Int64] { try cursor.targets(of: owner) }
    }

    /// One cursor for each relationship whose targets lie in other rows, over the keys that the entity's objects have.
    init(
        _ layout: EntityLayout, _ connection: borrowing SQLiteConnection, _ file: SQLiteStoreFile
    ) throws(FileProblem) {
        let links = layout.relationships.compactMap {
            if case .rows(let link) = $0.storage { link } else { nil }
        }
        guard !links.isEmpty, let owners = try Self.keys(layout, connection, file) else { return }
        for link in links { chain.append(Box(try ToManyCursor(link, owners: owners, connection, file))) }
    }

    /// The targets of the relationship at `position`.
    func targets(of owner: Int64, _ position: Int) throws(FileProblem) -> [Int64] {
        position < chain.count ? try chain[position].targets(of: owner) : []
    }

    /// Lowest and highest primary key of the entity's objects.
    private static func keys(
        _ layout: EntityLayout, _ connection: borrowing SQLiteConnection, _ file: SQLiteStoreFile
    ) throws(FileProblem) -> ClosedRange<Int64>? {
        do throws(SQLiteError) {
            var row = try connection.prepare(
                "SELECT min(Z_PK), max(Z_PK) FROM \(SQLiteName.quoted(layout.table)) WHERE Z_ENT = ?1")
            row.bind(Int64(layout.entity.number), at: 1)
            guard try row.step(), let low = row.integer(0), let high = row.integer(1), low <= high else {
                return nil
            }
            return low...high
        } catch {
            throw file.problem(error)
        }
    }
}
