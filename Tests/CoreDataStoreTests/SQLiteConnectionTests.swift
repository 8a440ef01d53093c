@testable import CoreDataStore
import Testing

struct SQLiteConnectionTests {
    private func connect() throws -> SQLiteConnection {
        try SQLiteConnection(uri: "file::memory:", mode: .readWrite)
    }

    @Test func errorsTellWhere() throws {
        let connection = try connect()
        let error = #expect(throws: SQLiteError.self) {
            _ = try connection.execute("SELECT 1, nothing")
        }
        #expect(error?.code == 1)
        try connection.execute("CREATE TABLE t (a UNIQUE)")
        try connection.execute("INSERT INTO t VALUES (1)")
        let unique = #expect(throws: SQLiteError.self) {
            _ = try connection.execute("INSERT INTO t VALUES (1)")
        }
        #expect(unique?.code == 2067 && unique?.primaryCode == 19)
    }

    @Test func valuesComeBackInTheirClass() throws {
        let connection = try connect()
        var row = try connection.prepare("SELECT ?1, ?2, ?3, ?4, ?5, ?6")
        row.bind(Int64.min, at: 1)
        row.bind(0.5, at: 2)
        try row.bind("zä\0z", at: 3)
        try row.bind([UInt8](), at: 4)
        row.bind(nil as Int64?, at: 5)
        try row.bind("", at: 6)
        #expect(try row.step())
        #expect(row.integer(0) == .min && row.real(1) == 0.5 && row.text(2) == "zä\0z" && row.blob(3) == [])
        #expect(row.storage(4) == .null && row.text(5) == "")
        #expect(row.integer(1) == nil && row.text(0) == nil && row.storage(99) == .null)
        #expect(try !row.step())
    }

    @Test(arguments: ["plain", "two words", "\"", "mark\"\u{301} (a); --"])
    func namesKeepTheirBytes(name: String) throws {
        let connection = try connect()
        try connection.execute("CREATE TABLE \(SQLiteName.quoted(name)) (a)")
        var row = try connection.prepare("SELECT name FROM sqlite_master")
        #expect(try row.step())
        let found = row.text(0) ?? ""
        #expect(Array(found.utf8) == Array(name.utf8))
    }

    @Test func endlessWorkIsInterrupted() throws {
        let connection = try connect()
        connection.interruption.allow(thousands: 100)
        let error = #expect(throws: SQLiteError.self) {
            _ = try connection.execute(
                "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
        }
        #expect(error?.primaryCode == 9)
    }

    @Test func otherDatabasesStayOut() throws {
        let connection = try connect()
        #expect(throws: SQLiteError.self) { _ = try connection.execute("ATTACH ':memory:' AS other") }
        #expect(throws: SQLiteError.self) { _ = try connection.execute("SELECT load_extension('x')") }
        try connection.execute("CREATE VIEW v AS SELECT 1")
        #expect(throws: SQLiteError.self) { _ = try connection.execute("SELECT * FROM v") }
    }
}
