import CoreDataStore
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Damaged and malicious stores are read, or refused with a problem that names the file. None of them ends the process.
@Suite(.enabled(if: Samples.available, "needs the samples"), .enabled(if: SQLiteShell.available))
struct SQLiteHostileTests {
    /// Reads everything. Returns the number of objects and the problems.
    @discardableResult
    private func readAll(_ path: FilePath) -> (objects: Int, problems: [FileProblem]) {
        var objects = 0
        var problems: [FileProblem] = []
        do throws(FileProblem) {
            let store = try SQLiteStore(path)
            try store.forEachObject(entity: nil, onDamage: { problems.append($0) }) { _ in objects += 1 }
            _ = try store.objectCounts()
        } catch {
            problems.append(error)
        }
        for problem in problems { #expect(problem.path.string.hasPrefix(path.string)) }
        return (objects, problems)
    }

    @Test(arguments: ["restkit/RKSeedDatabase.sqlite", "moody/Moody-4.moody"])
    func cutStores(_ sample: String) throws {
        let scratch = try ScratchFolder()
        let whole = try ScratchFolder.bytes(of: Samples.path("sqlite-stores/" + sample))
        for length in Array(stride(from: 0, to: whole.count, by: 1777)) + [1, 15, 16, 99, 100, 4096] {
            let path = try scratch.file("cut.sqlite", Array(whole[..<length]))
            let found = readAll(path)
            #expect(!found.problems.isEmpty, "cut to \(length) bytes")
        }
    }

    @Test(arguments: [
        "restkit/RKSeedDatabase.sqlite", "recipes/Recipes.sqlite", "bookmarks/Bookmarks_V1.sqlite",
    ])
    func flippedBytes(_ sample: String) throws {
        let scratch = try ScratchFolder()
        let whole = try ScratchFolder.bytes(of: Samples.path("sqlite-stores/" + sample))
        var random = RandomNumbers()
        for _ in 0..<300 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                damaged[Int.random(in: 0..<min(damaged.count, 40_000), using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            readAll(try scratch.file("flipped.sqlite", damaged))
        }
    }

    @Test func otherFiles() throws {
        let scratch = try ScratchFolder()
        #expect(readAll(try scratch.file("a", [])).problems.first?.kind == .damaged)
        #expect(
            readAll(try scratch.file("b", Array("bplist00 something".utf8))).problems.first?.kind == .damaged)
        let empty = scratch.path.appending("c")
        try SQLiteShell.run(empty, "CREATE TABLE notes (a)")
        #expect(readAll(empty).problems.first?.kind == .unsupported)
    }

    /// A copy of a small store after some statements.
    private func spoiled(_ scratch: ScratchFolder, _ sql: String) throws -> FilePath {
        let path = try scratch.copy("sqlite-stores/restkit/RKSeedDatabase.sqlite")
        let answer = try SQLiteShell.run(path, sql)
        #expect(!answer.contains("Error"), "\(answer)")
        return path
    }

    @Test func entitiesThatMakeNoSense() throws {
        for sql in [
            "UPDATE Z_PRIMARYKEY SET Z_SUPER = 3 - Z_ENT", "UPDATE Z_PRIMARYKEY SET Z_SUPER = 77",
            "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL", "UPDATE Z_PRIMARYKEY SET Z_NAME = 'same'",
            "UPDATE Z_PRIMARYKEY SET Z_NAME = Z_ENT || hex(zeroblob(400000))",
            "WITH RECURSIVE n(i) AS (VALUES(3) UNION ALL SELECT i + 1 FROM n WHERE i < 12000) "
                + "INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, 0, 0 FROM n",
            "UPDATE Z_METADATA SET Z_PLIST = x'62706c697374303000'",
        ] {
            let scratch = try ScratchFolder()
            #expect(readAll(try spoiled(scratch, sql)).problems.first?.kind == .damaged, "\(sql)")
        }
    }

    @Test func rowsThatMakeNoSense() throws {
        let cases = [
            ("UPDATE ZTWEET SET ZUSER = 'x' WHERE Z_PK = 61", 22, 1),
            ("UPDATE ZTWEET SET ZTEXT = CAST(x'ff41' AS TEXT) WHERE Z_PK = 61", 22, 1),
            ("UPDATE ZTWEET SET ZCREATEDAT = x'00' WHERE Z_PK < 64", 22, 3),
            ("UPDATE ZTWEET SET Z_ENT = 9 WHERE Z_PK < 64", 19, 1),
            ("UPDATE ZTWEET SET Z_ENT = NULL WHERE Z_PK < 63", 20, 1),
            ("DROP TABLE ZTWEET", 2, 1), ("UPDATE Z_METADATA SET Z_PLIST = NULL", 22, 0),
        ]
        for (sql, objects, problems) in cases {
            let scratch = try ScratchFolder()
            let found = readAll(try spoiled(scratch, sql))
            #expect(found.objects == objects, "\(sql)")
            #expect(found.problems.count == problems, "\(sql): \(found.problems)")
        }
    }

    /// Nothing in the schema runs when a store is read.
    @Test func viewsAndTriggersDoNothing() throws {
        let scratch = try ScratchFolder()
        let view = try spoiled(
            scratch,
            "DROP TABLE ZTWEET; CREATE VIEW ZTWEET AS WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) "
                + "SELECT i AS Z_PK, 1 AS Z_ENT FROM n")
        #expect(readAll(view).objects == 2)
        let other = try ScratchFolder()
        let trigger = try spoiled(
            other,
            "CREATE TRIGGER t AFTER INSERT ON ZTWEET BEGIN DELETE FROM ZUSER; END; CREATE VIRTUAL TABLE ZV USING fts5(a)"
        )
        #expect(readAll(trigger).objects == 22)
    }

    @Test func computedColumnsAreNotRead() throws {
        let scratch = try ScratchFolder()
        let path = try spoiled(
            scratch,
            "DROP TABLE ZUSER; CREATE TABLE ZUSER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                + "ZNAME VARCHAR AS (hex(zeroblob(400000000)))); INSERT INTO ZUSER VALUES (1, 2, 1)")
        let found = readAll(path)
        #expect(found.objects == 21 && found.problems.isEmpty)
    }

    /// The number of tables is so large that reading the schema would take too long.
    @Test func schemaBombsAreStopped() throws {
        let scratch = try ScratchFolder()
        var sql = "BEGIN;"
        for number in 0..<6_000 { sql += "CREATE TABLE ZT\(number)(a);" }
        let script = try scratch.file("bomb.sql", Array((sql + "COMMIT;").utf8))
        let path = try scratch.copy("sqlite-stores/restkit/RKSeedDatabase.sqlite")
        try SQLiteShell.run(path, ".read \(script.string)")
        let start = ContinuousClock.now
        #expect(readAll(path).problems.first?.kind == .limit)
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
