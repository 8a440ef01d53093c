import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore
@testable import CoreDataTools

/// Stores of which SQLite silently shows less than there is, or a mixture.
@Suite(
    .enabled(if: Samples.available, "needs the samples"), .enabled(if: SQLiteShell.available),
    .enabled(if: Python.available))
struct ShortStoreTests {
    /// The keys of all objects that a pass shows, by entity, and whether a problem is reported.
    private func read(_ path: FilePath) throws -> (keys: [String: [Int64]], isNamed: Bool) {
        let store: SQLiteStore
        do { store = try SQLiteStore(path) } catch { return ([:], true) }
        var (keys, isNamed): ([String: [Int64]], Bool) = ([:], !store.shortfalls.isEmpty)
        let tables = Dictionary(store.layouts.map { ($0.entity.name, $0.table) }) { first, _ in first }
        do {
            try store.forEachObject(
                entity: nil, onDamage: { _ in isNamed = true },
                { keys[tables[$0.entity] ?? "", default: []].append($0.primaryKey) })
            if try !store.unexplainedEntities().isEmpty { isNamed = true }
        } catch { isNamed = true }
        return (keys.mapValues { $0.sorted() }, isNamed)
    }

    // MARK: Logs

    @Test func damagedLogIsNamed() throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy("field/wal-one-bit/store.sqlite")
        let store = try SQLiteStore(path)
        let problem = try #require(store.shortfalls.first)
        #expect(problem.path.string.hasSuffix("-wal"))
        #expect(problem.finding == "TICDS-0723")
        #expect(problem.advice?.contains("ticds-store recover") == true)
        #expect(problem.found?.contains("end of a transaction") == true)
    }

    /// Each bit of the header of the last frame, which has a commit mark, and some bits of its page.
    @Test func damageOfTheLastFrameIsNamed() throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy("field/wal-one-bit/store.sqlite")
        let log = FilePath(path.string + "-wal")
        // The sample has a flipped bit in its first frame: without its pages, the log is intact.
        _ = Python.run(
            """
            import os, sqlite3, sys
            os.remove(sys.argv[1] + '-wal')
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute('PRAGMA journal_mode = WAL').fetchall()
            database.execute('PRAGMA wal_autocheckpoint = 0').fetchall()
            for number in range(3): database.execute('UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1')
            os._exit(0)
            """, [path.string])
        let whole = try Array(Data(contentsOf: URL(fileURLWithPath: log.string)))
        try #require(whole.count > 32)
        #expect(try SQLiteStore(path).shortfalls.isEmpty)
        let size = Int(whole[8]) << 24 | Int(whole[9]) << 16 | Int(whole[10]) << 8 | Int(whole[11])
        let last = whole.count - size - 24
        for offset in Array(0..<24) + [24, 24 + size / 2, 23 + size] {
            var bytes = whole
            bytes[last + offset] ^= 1
            _ = try scratch.file("\(log.lastComponent?.string ?? "")", bytes)
            #expect(try !SQLiteStore(path).shortfalls.isEmpty, "offset \(offset)")
        }
        _ = try scratch.file("\(log.lastComponent?.string ?? "")", Array(whole.dropLast(100)))
        #expect(try !SQLiteStore(path).shortfalls.isEmpty)
    }

    /// A log of a store with different tables, and one of a store with the same tables and a different identifier.
    @Test(arguments: [true, false]) func logOfAnotherStoreIsRefused(hasOtherTables: Bool) throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy("sqlite-stores/restkit/RKSeedDatabase.sqlite", suffixes: [""])
        let change =
            hasOtherTables ? "CREATE TABLE ZX (A)" : "UPDATE Z_METADATA SET Z_UUID = 'another'"
        let other = scratch.path.appending("other.sqlite")
        _ = try #require(
            Python.run(
                """
                import os, shutil, sqlite3, sys
                shutil.copy(sys.argv[1], sys.argv[2])
                for path in sys.argv[1:3]:
                    database = sqlite3.connect(path, isolation_level=None)
                    database.execute('PRAGMA journal_mode = WAL').fetchall()
                    database.close()
                database = sqlite3.connect(sys.argv[2], isolation_level=None)
                for number in range(3): database.execute('CREATE TABLE ZY%d (A)' % number)
                database.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchall()
                database.execute('PRAGMA wal_autocheckpoint = 0').fetchall()
                database.execute(sys.argv[3])
                shutil.copy(sys.argv[2] + '-wal', sys.argv[1] + '-wal')
                os._exit(0)
                """, [path.string, other.string, change]))
        #expect(
            performing: { try SQLiteStore(path) },
            throws: { error in
                (error as? FileProblem)?.problem.contains("belongs to another store") == true
            })
    }

    @Test func filesBesideStoresAreNamed() throws {
        let scratch = try ScratchFolder()
        let store = try scratch.copy(
            "sqlite-stores/bookmarks/Bookmarks_V1.sqlite", suffixes: ["", "-wal", "-shm"])
        for (suffix, name) in [("-wal", "write-ahead log"), ("-shm", "shared memory")] {
            #expect(
                performing: { try Sidecar.refuse(FilePath(store.string + suffix)) },
                throws: { ($0 as? FileProblem)?.problem.contains(name) == true })
        }
        try Sidecar.refuse(store)
        try Sidecar.refuseOrphan(of: store)
        try FileManager.default.removeItem(atPath: store.string)
        #expect(
            performing: { try Sidecar.refuseOrphan(of: store) },
            throws: { ($0 as? FileProblem)?.kind == .missing })
    }

    // MARK: Tables and indexes

    @Test func indexWithoutRowLosesNoMember() throws {
        let path = Samples.path("field/index-lacks-row.sqlite")
        let model = try ModelFile.load(Samples.path("field/models/City.xcdatamodel"))
        let store = try SQLiteStore(path, model: model)
        #expect(store.notes.contains { $0.code == "indexDamaged" })
        var members = 0
        try store.forEachObject { object in
            for case .toMany(let targets) in object.relationships.map(\.target) { members += targets.count }
        }
        var expected = 0
        let links = Set(
            store.layouts.flatMap(\.relationships).compactMap { relationship -> [String]? in
                if case .rows(let link) = relationship.storage { [link.table, link.owner] } else { nil }
            })
        for link in links {
            expected +=
                Int(
                    try SQLiteShell.run(
                        path, "SELECT count(*) FROM \(link[0]) NOT INDEXED WHERE +\(link[1]) IS NOT NULL"))
                ?? 0
        }
        #expect(members == expected && expected > 0)
        let findings = try StoreChecker.check(store).findings
        #expect(findings.contains { $0.kind == .damagedDatabase })
    }

    /// A row was overwritten behind the back of SQLite: its index still has the former value.
    @Test func rowThatAnIndexContradictsIsAShortfall() throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy("field/index-lacks-row.sqlite")
        let model = try ModelFile.load(Samples.path("field/models/City.xcdatamodel"))
        let answer = Python.run(
            """
            import sqlite3, sys
            def run(statement, *values):
                database = sqlite3.connect(sys.argv[1], isolation_level=None)
                database.execute('PRAGMA writable_schema = ON')
                rows = database.execute(statement, values).fetchall()
                database.close()
                return rows
            run('REINDEX')
            for index in run("SELECT * FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"):
                table = index[2]
                column = run("SELECT name FROM pragma_index_info('%s')" % index[1])[0][0]
                run("DELETE FROM sqlite_master WHERE name = ?", index[1])
                run("UPDATE %s SET %s = NULL WHERE rowid = (SELECT min(rowid) FROM %s WHERE %s > 0)" % (table, column, table, column))
                run("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", *index)
            """, [path.string])
        try #require(answer != nil)
        let store = try SQLiteStore(path, model: model)
        #expect(store.shortfalls.contains { $0.problem.contains("or its index") }, "\(store.shortfalls)")
    }

    /// Sound stores have no shortfall, whatever programs wrote them.
    @Test func soundStoresAreNotCalledShort() throws {
        let folder = Samples.path("sqlite-stores")
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.string) {
            let path = folder.pushing(FilePath(name))
            guard let store = try? SQLiteStore(path) else { continue }
            #expect(store.shortfalls.isEmpty, "\(name)")
            #expect(!store.notes.contains { $0.code == "indexDamaged" }, "\(name)")
        }
    }

    private static let stores = [
        "sqlite-stores/restkit/RKSeedDatabase.sqlite", "sqlite-stores/recipes/Recipes.sqlite",
        "sqlite-stores/docset-7606f51/docSet.dsidx", "sqlite-stores/docset-db16521/docSet.dsidx",
        "sqlite-stores/moody/Moody.moody", "sqlite-stores/moody/Moody-5.moody",
        "sqlite-stores/history/NoteStore.sqlite", "sqlite-stores/bookmarks/Bookmarks_V4.sqlite",
        "sqlite-stores/surfjournal/SurfJournalModel.sqlite", "field/swiftdata-composite.store",
    ]

    /// Changes bytes of a store or of its log at random places: a pass shows every row that it showed before, or a
    /// problem is reported. 2,000 cases with `TICDS_LONG`; fewer under a sanitizer, where each takes a hundred times as
    /// long.
    @Test(arguments: stores) func damageIsShownOrNamed(name: String) throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy(name)
        let before = try read(path)
        let original = try Array(Data(contentsOf: URL(fileURLWithPath: path.string)))
        let log = try? Array(Data(contentsOf: URL(fileURLWithPath: path.string + "-wal")))
        var random = RandomNumbers()
        let isSanitized = ProcessInfo.processInfo.environment["TICDS_SANITIZER"] != nil
        for number in 0..<(isSanitized ? 2 : LongTests.areWanted ? 200 : 12) {
            let isLog = log.map { $0.count > 32 } == true && number.isMultiple(of: 2)
            var bytes = isLog ? log ?? [] : original
            // Bytes at the beginning of a page determine its cells.
            let page = Int.random(in: 0..<max(1, bytes.count / 4096), using: &random) * 4096
            let place =
                number.isMultiple(of: 3)
                ? min(bytes.count - 1, page + Int.random(in: 0..<64, using: &random))
                : Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] ^= UInt8.random(in: 1...255, using: &random)
            let file = FilePath(path.string + (isLog ? "-wal" : ""))
            try Data(bytes).write(to: URL(fileURLWithPath: file.string))
            let after = try read(path)
            // Without an error, a scan by the sqlite3 shell shows the same keys.
            if !after.isNamed {
                for (table, keys) in before.keys where !table.isEmpty {
                    let rows = isLog ? keys : try self.keys(path, table)
                    #expect(after.keys[table] ?? [] == rows, "byte \(place) of \(file)")
                }
            }
            try Data(isLog ? log ?? [] : original).write(to: URL(fileURLWithPath: file.string))
        }
    }

    private func keys(_ path: FilePath, _ table: String) throws -> [Int64] {
        try SQLiteShell.run(
            path, "SELECT Z_PK FROM \(table) NOT INDEXED ORDER BY +Z_PK", before: ["-readonly"]
        )
        .split(separator: "\n").compactMap { Int64($0) }
    }
}
