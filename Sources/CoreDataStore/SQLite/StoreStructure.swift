import SystemCalls
import SystemPackage

/// Finds damaged parts of a store that SQLite would read silently.
struct StoreStructure {
    /// Tables of which rows may be missing, occur twice, or have wrong values.
    private(set) var shortfalls: [FileProblem] = []
    /// Indexes that are damaged, and are not used.
    private(set) var notes: [StoreNote] = []
    /// The indexes that agree with their tables, by table and first column.
    private(set) var indexes = CheckedIndexes()

    private static let shortfallLimit = 20

    init() {}

    /// Checks all tables, and compares them with their indexes.
    init(
        _ connection: borrowing SQLiteConnection, _ file: SQLiteStoreFile, _ layouts: [EntityLayout]
    ) {
        var owners: [String: Set<String>] = [:]
        for layout in layouts {
            for case .rows(let link) in layout.relationships.map(\.storage) {
                owners[link.table, default: []].insert(link.owner)
            }
        }
        do throws(FileProblem) {
            var check = try TreeCheck(try file.complete())
            try check.markFreePages()
            let tables = try file.run { () throws(SQLiteError) in try Self.tables(connection) }
            add(try check.table(1, []).1, "sqlite_master", file)
            for table in tables {
                try examine(table, owners[table.name] ?? [], connection, file, &check)
            }
        } catch {
            shortfalls.append(error)
        }
    }

    private struct Table {
        var name: String
        var root: Int
    }

    private static func tables(_ connection: borrowing SQLiteConnection) throws(SQLiteError) -> [Table] {
        try connection.rows("SELECT name, rootpage FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
        {
            row in
            guard let name = row.text(0), let root = row.integer(1) else { return nil }
            return Table(name: name, root: Int(clamping: root))
        }
    }

    private mutating func examine(
        _ table: Table, _ owners: Set<String>, _ connection: borrowing SQLiteConnection,
        _ file: SQLiteStoreFile, _ check: inout TreeCheck
    ) throws(FileProblem) {
        guard try check.isTable(table.root) else {
            return add(try check.index(table.root, 0).1, table.name, file)
        }
        let candidates = try file.run { () throws(SQLiteError) in
            try Candidate.all(of: table.name, connection)
        }
        let (sums, fault) = try check.table(table.root, candidates.map(\.columns))
        add(fault, table.name, file)
        guard fault == nil else { return }
        // Indexes that lack the same number of entries: the table has rows that it should not have.
        var lacking: [Int: [String]] = [:]
        for (candidate, sum) in zip(candidates, sums) {
            let (entries, fault) = try check.index(
                candidate.root, candidate.columns.count, ascends: candidate.ascends)
            guard fault == nil, sum.agrees(with: entries) else {
                let found =
                    fault.map { "page \($0.page): \($0.text)" }
                    ?? (entries.count == sum.count
                        ? "as many entries as rows (\(sum.count)), with other values"
                        : "\(entries.count) entries for \(sum.count) rows")
                // An index that only lacks entries is damaged itself.
                var isTableDamaged = fault == nil
                if isTableDamaged, entries.count < sum.count {
                    isTableDamaged = try !isPart(candidate, of: table, file)
                }
                if isTableDamaged {
                    add(
                        "the table \(table.name) or its index \(candidate.name) is damaged: "
                            + "rows may be missing, or have wrong values", found: found, file)
                    continue
                }
                if fault == nil { lacking[entries.count, default: []].append(candidate.name) }
                notes.append(
                    StoreNote(
                        code: "indexDamaged",
                        text:
                            "the index \(candidate.name) differs from the table \(table.name), and is not used: \(found)"
                    ))
                continue
            }
            if entries.isOrdered, owners.contains(candidate.first) {
                indexes.add(candidate.name, table: table.name, column: candidate.first)
            }
        }
        for (count, names) in lacking.sorted(by: { $0.key < $1.key }) where names.count > 1 {
            add(
                "the table \(table.name) has rows that its indexes \(names.joined(separator: ", ")) lack: they may have been "
                    + "deleted", found: "\(count) entries for \(sums.first?.count ?? 0) rows", file)
        }
    }

    /// Whether a row has each entry of an index that has fewer entries than its table has rows.
    private func isPart(
        _ candidate: Candidate, of table: Table, _ file: SQLiteStoreFile
    ) throws(FileProblem) -> Bool {
        var check = try TreeCheck(try file.complete())
        let entries = try check.digests(candidate.root, entries: candidate.columns.count)
        return entries.isSubset(of: try check.digests(table.root, rows: candidate.columns))
    }

    private mutating func add(_ fault: TreeCheck.Fault?, _ table: String, _ file: SQLiteStoreFile) {
        guard let fault else { return }
        add(
            "pages of the table \(table) are damaged: rows may be missing, or occur twice",
            found: "page \(fault.page): \(fault.text)", file)
    }

    private mutating func add(_ problem: String, found: String, _ file: SQLiteStoreFile) {
        guard shortfalls.count < Self.shortfallLimit else { return }
        shortfalls.append(
            FileProblem(
                .damaged, path: file.path, problem, found: found,
                advice: "Keep a copy before anything else; ticds-store recover shows the rows that are left"))
    }

    /// An index that is compared with its table.
    private struct Candidate {
        var name: String
        var root: Int
        var first: String
        var columns: TreeCheck.Columns
        /// Whether no column descends.
        var ascends = true

        /// The indexes of a table over all of its rows that contain only columns, as they are stored.
        static func all(
            of table: String, _ connection: borrowing SQLiteConnection
        ) throws(SQLiteError) -> [Candidate] {
            var lists = try connection.prepare(
                "SELECT l.name, m.rootpage, l.partial, l.origin FROM pragma_index_list(?1) AS l "
                    + "JOIN sqlite_master AS m ON m.name = l.name AND m.type = 'index'")
            try lists.bind(table, at: 1)
            var found: [(name: String, root: Int)] = []
            var hasKeyIndex = false
            while try lists.step() {
                guard let name = lists.text(0), let root = lists.integer(1) else { continue }
                if lists.text(3) == "pk" { hasKeyIndex = true }
                if lists.integer(2) == 0 { found.append((name, Int(clamping: root))) }
            }
            guard !found.isEmpty, let table = try TableColumns(table, hasKeyIndex: hasKeyIndex, connection)
            else {
                return []
            }
            var candidates: [Candidate] = []
            for index in found {
                if let candidate = try candidate(index.name, index.root, table, connection) {
                    candidates.append(candidate)
                }
            }
            return candidates
        }

        private static func candidate(
            _ name: String, _ root: Int, _ table: TableColumns, _ connection: borrowing SQLiteConnection
        ) throws(SQLiteError) -> Candidate? {
            var columns = try connection.prepare(
                "SELECT cid, name, desc FROM pragma_index_xinfo(?1) WHERE key ORDER BY seqno")
            try columns.bind(name, at: 1)
            var candidate = Candidate(name: name, root: root, first: "", columns: [])
            while try columns.step() {
                let column = Int(clamping: columns.integer(0) ?? -2)
                guard column >= 0, !table.withDefault.contains(column) else { return nil }
                if columns.integer(2) != 0 { candidate.ascends = false }
                let place = column == table.key ? nil : column
                guard !candidate.columns.contains(place) else { return nil }
                if candidate.columns.isEmpty { candidate.first = columns.text(1) ?? "" }
                candidate.columns.append(place)
            }
            return candidate.columns.isEmpty ? nil : candidate
        }
    }

    /// Columns of a table that its records contain in another way than as a value, by their numbers.
    private struct TableColumns {
        /// The column that is the number of the row, and is not in its record.
        var key: Int?
        /// Columns whose value in a short record is not NULL.
        var withDefault: Set<Int> = []

        /// - Returns: nil for a table with generated columns, whose places in the record are others.
        init?(
            _ table: String, hasKeyIndex: Bool, _ connection: borrowing SQLiteConnection
        ) throws(SQLiteError) {
            var rows = try connection.prepare(
                "SELECT cid, upper(type) = 'INTEGER', pk, dflt_value IS NOT NULL, hidden FROM pragma_table_xinfo(?1)"
            )
            try rows.bind(table, at: 1)
            while try rows.step() {
                let column = Int(clamping: rows.integer(0) ?? -1)
                if rows.integer(4) != 0 { return nil }
                if rows.integer(3) != 0 { withDefault.insert(column) }
                if !hasKeyIndex, rows.integer(1) == 1, rows.integer(2) == 1 { key = column }
            }
        }
    }
}

/// Indexes that were compared with their tables. SQLite must not choose others, since it would read only the rows in
/// them.
package struct CheckedIndexes: Sendable {
    private struct Key: Hashable {
        var table: String
        var column: String
    }

    private var names: [Key: String] = [:]

    mutating func add(_ name: String, table: String, column: String) {
        names[Key(table: table, column: column)] = name
    }

    /// The clause after the name of a table in a query by a column.
    func clause(_ table: String, by column: String) -> String {
        names[Key(table: table, column: column)].map { "INDEXED BY \(SQLiteName.quoted($0))" }
            ?? "NOT INDEXED"
    }
}
