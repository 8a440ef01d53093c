public import CoreDataStore
public import KeyedArchive
public import SystemCalls

/// A change of the persistent history of a store (core-data-sqlite-store(5), 4.3).
public struct StoreHistoryChange: Sendable, Hashable {
    /// The kinds of changes.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An object was inserted, changed or deleted.
        case insert, update, delete
        /// A number that Core Data does not define.
        case unknown
    }

    /// The number of the change.
    public var number: Int64
    /// The number of the transaction; nil if the row has none.
    public var transaction: Int64?
    /// The time in seconds since 2001-01-01 00:00:00 UTC; nil if the transaction does not exist or has no time.
    public var time: Double?
    /// The author of the transaction: the app's name for itself or a part of it.
    public var author: String?
    /// The name of the context that was saved.
    public var context: String?
    /// The bundle identifier of the program.
    public var bundle: String?
    /// The name of the process.
    public var process: String?
    /// The kind of the change.
    public var kind: Kind
    /// The name of the object's entity; nil for a number that the store does not have.
    public var entity: String?
    /// The primary key of the object.
    public var primaryKey: Int64?
    /// For an update, the numbers of the changed columns. It is unknown which property has which number.
    public var columns: [Int]
    /// For a deletion, the values that the model preserves, in the order of the model's tombstones.
    public var tombstone: [ArchivedValue]
}

extension SQLiteStore {
    /// Whether the store has a persistent history.
    public func hasHistory() throws(FileProblem) -> Bool {
        let connection = try file.connect()
        return try file.run { () throws(SQLiteError) in
            let changes = try Self.columns("ACHANGE", connection)
            let transactions = try Self.columns("ATRANSACTION", connection)
            return !changes.isEmpty && !transactions.isEmpty
        }
    }

    /// Calls `body` with each change of the persistent history, by transaction and number.
    public func forEachHistoryChange(
        _ body: (StoreHistoryChange) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let connection = try file.connect()
        let query = try file.run { () throws(SQLiteError) in
            Self.historyQuery(
                changes: try Self.columns("ACHANGE", connection),
                transactions: try Self.columns("ATRANSACTION", connection),
                strings: try Self.columns("ATRANSACTIONSTRING", connection))
        }
        var rows = try file.run { () throws(SQLiteError) in try connection.prepare(query.sql) }
        // ends: after the last row
        while true {
            let change: StoreHistoryChange
            do throws(SQLiteError) {
                guard try rows.step() else { break }
                change = historyChange(rows, tombstones: query.tombstones)
            } catch {
                throw file.problem(error)
            }
            try body(change)
        }
        try file.checkUnchanged()
    }

    /// The names of a table's columns; none if the table does not exist.
    private static func columns(
        _ table: String, _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) -> Set<String> {
        var rows = try connection.prepare(
            "SELECT c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' "
                + "AND m.sql LIKE 'CREATE TABLE%' AND m.name = ?1")
        try rows.bind(table, at: 1)
        var names: Set<String> = []
        while try rows.step() { names.insert(rows.text(0) ?? "") }
        return names
    }

    /// The query for the history. Since framework 1044 the texts of transactions are keys into a table of strings;
    /// before, they were columns. Some stores have both.
    private static func historyQuery(
        changes: Set<String>, transactions: Set<String>, strings: Set<String>
    ) -> (sql: String, tombstones: Int) {
        func text(_ column: String) -> String {
            let hasText = transactions.contains(column)
            let hasKey = transactions.contains(column + "TS") && strings.contains("ZNAME")
            let key = "(SELECT ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.\(column)TS)"
            switch (hasText, hasKey) {
            case (true, true): return "coalesce(t.\(column), \(key))"
            case (true, false): return "t.\(column)"
            case (false, true): return key
            case (false, false): return "NULL"
            }
        }
        func column(_ name: String) -> String { changes.contains(name) ? "c.\(name)" : "NULL" }
        let tombstones = (0..<tombstoneLimit).map { "ZTOMBSTONE\($0)" }.filter(changes.contains).map {
            "c.\($0)"
        }
        let time = transactions.contains("ZTIMESTAMP") ? "t.ZTIMESTAMP" : "NULL"
        let selected =
            ["c.Z_PK", column("ZTRANSACTIONID"), time]
            + ["ZAUTHOR", "ZCONTEXTNAME", "ZBUNDLEID", "ZPROCESSID"].map(text)
            + ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS"].map(column) + tombstones
        let sql =
            "SELECT \(selected.joined(separator: ", ")) FROM ACHANGE c LEFT JOIN ATRANSACTION t "
            + "ON t.Z_PK = \(column("ZTRANSACTIONID")) ORDER BY \(column("ZTRANSACTIONID")), c.Z_PK"
        return (sql, tombstones.count)
    }

    private static let tombstoneLimit = 64

    private func historyChange(
        _ rows: borrowing SQLiteStatement, tombstones: Int
    ) -> StoreHistoryChange {
        let kinds: [Int64: StoreHistoryChange.Kind] = [0: .insert, 1: .update, 2: .delete]
        var columns: [Int] = []
        for (place, byte) in (rows.blob(10) ?? []).prefix(8_192).enumerated() {
            for bit in 0..<8 where byte >> bit & 1 == 1 { columns.append(place * 8 + bit) }
        }
        var tombstone: [ArchivedValue] = []
        for place in 0..<tombstones { tombstone.append(Self.value(rows, 11 + place)) }
        while tombstone.last == ArchivedValue.none { tombstone.removeLast() }
        return StoreHistoryChange(
            number: rows.integer(0) ?? 0, transaction: rows.integer(1),
            time: rows.real(2) ?? rows.integer(2).map { Double($0) }, author: rows.text(3),
            context: rows.text(4), bundle: rows.text(5), process: rows.text(6),
            kind: rows.integer(7).flatMap { kinds[$0] } ?? .unknown,
            entity: rows.integer(8).flatMap { entities[Int(clamping: $0)]?.name },
            primaryKey: rows.integer(9),
            columns: columns, tombstone: tombstone)
    }

    private static func value(_ rows: borrowing SQLiteStatement, _ column: Int) -> ArchivedValue {
        switch rows.storage(column) {
        case .null: .none
        case .integer: rows.integer(column).map { .integer(Int128($0)) } ?? .none
        case .real: rows.real(column).map { .real($0) } ?? .none
        case .text: rows.text(column).map { .string($0) } ?? .none
        case .blob: rows.blob(column).map { RowDecoder.unarchived($0) } ?? .none
        }
    }
}
