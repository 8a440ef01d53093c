import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Random statements of a tool without knowledge of Core Data, on a store of the model of `RandomHistory`. The same
/// seed makes the same statements.
struct RandomEdits {
    private var state: UInt64
    private let tables: [String: [String]]
    private let connection: () throws -> SQLiteConnection

    init(_ store: FilePath, seed: UInt64) throws {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        connection = {
            try SQLiteConnection(uri: SQLiteURI.uri(of: store, immutable: false), mode: .readWrite)
        }
        let connection = try connection()
        var tables: [String: [String]] = [:]
        var rows = try connection.prepare(
            "SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c "
                + "WHERE m.type = 'table' AND m.name GLOB 'Z*' "
                + "AND m.name NOT IN ('Z_METADATA', 'Z_PRIMARYKEY', 'Z_MODELCACHE') ORDER BY 1, 2")
        while try rows.step() { tables[rows.text(0) ?? "", default: []].append(rows.text(1) ?? "") }
        self.tables = tables
    }

    /// Runs some statements; statements that the store refuses have no effect.
    mutating func run() throws -> [String] {
        let connection = try connection()
        var statements: [String] = []
        for _ in 0..<(1 + next(12)) {
            let statement = try statement(connection)
            do { try connection.execute(statement) } catch { continue }
            statements.append(statement)
        }
        return statements
    }

    private mutating func next(_ bound: Int) -> Int {
        Int(SeededNumbers.next(&state)) % bound
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[next(values.count)] }

    private mutating func statement(_ connection: borrowing SQLiteConnection) throws -> String {
        let table = pick(tables.keys.sorted())
        let columns = tables[table] ?? []
        guard columns.contains("Z_PK") else { return joinStatement(table, columns) }
        var keys: [Int64] = []
        var rows = try connection.prepare("SELECT Z_PK FROM \(table) ORDER BY 1")
        while try rows.step() { keys.append(rows.integer(0) ?? 0) }
        let kind = next(10)
        if kind < 3 || keys.isEmpty { return insertion(table, columns) }
        let key = pick(keys)
        switch kind {
        case 3, 4: return "DELETE FROM \(table) WHERE Z_PK = \(key)"
        case 5 where next(2) == 0: return "UPDATE \(table) SET Z_PK = \(next(30) + 1) WHERE Z_PK = \(key)"
        default:
            let column = pick(columns.filter { $0 != "Z_PK" && $0 != "Z_OPT" })
            let value = column == "Z_ENT" ? entity(of: table) : value(column)
            return "UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = \(key)"
        }
    }

    private mutating func joinStatement(_ table: String, _ columns: [String]) -> String {
        let keys = columns.filter { !$0.contains("FOK_") }
        if next(2) == 0 {
            return "DELETE FROM \(table) WHERE \(pick(keys)) = \(next(8) + 1)"
        }
        return
            "INSERT INTO \(table) (\(keys.joined(separator: ", "))) VALUES (\(next(8) + 1), \(next(8) + 1))"
    }

    private mutating func insertion(_ table: String, _ columns: [String]) -> String {
        var given: [(String, String)] = [("Z_ENT", entity(of: table))]
        for column in columns where !["Z_PK", "Z_ENT"].contains(column) && next(2) == 0 {
            given.append((column, value(column)))
        }
        return "INSERT INTO \(table) (\(given.map(\.0).joined(separator: ", "))) "
            + "VALUES (\(given.map(\.1).joined(separator: ", ")))"
    }

    /// The number of a concrete entity of the table.
    private mutating func entity(of table: String) -> String {
        let concrete = RandomHistory.model.entities.filter {
            !$0.isAbstract
                && "Z" + (RandomHistory.model.rootEntity(of: $0.name)?.name ?? "").uppercased() == table
        }.map(\.name)
        let name = pick(concrete)
        return "\(RandomHistory.model.numberedEntities.first { $0.name == name }?.number ?? 0)"
    }

    /// A value that the column can contain, possibly a senseless one.
    private mutating func value(_ column: String) -> String {
        if next(6) == 0 { return "NULL" }
        switch column {
        case "ZTICDSSYNCID": return "'\(pick(["N", "M", "T", "F", "P", "X"]))\(next(5))'"
        case "ZNAME", "ZTITLE": return "'é\(next(100))'"
        case "ZSIZE", "ZWHEN", "ZPRICE": return "\(next(100)).5"
        case "ZFLAG": return "\(next(2))"
        case "ZBYTES": return "x'00FF\(next(10) + 10)'"
        case "ZLARGE": return pick(["x'01AA'", "x'AABB'", "x'01'"])
        case "ZLIST": return "x'0102'"
        default: return column.hasPrefix("Z_FOK") ? "\(next(9) * 1024)" : "\(next(12) + 1)"
        }
    }
}
