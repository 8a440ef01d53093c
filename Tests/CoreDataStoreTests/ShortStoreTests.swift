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

    /// Changes the first row with a value in an indexed column behind the back of SQLite, so that the index keeps the
    /// former value.
    private static let changeBehindIndex = """
        import sqlite3, sys
        def run(statement, *values):
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute('PRAGMA writable_schema = ON')
            rows = database.execute(statement, values).fetchall()
            database.close()
            return rows
        run('REINDEX')
        table, column = sys.argv[2].split('.')
        indexes = [
            one for one in run("SELECT * FROM sqlite_master WHERE type = 'index' AND tbl_name = ?", table)
            if column in [row[0] for row in run("SELECT name FROM pragma_index_info('%s')" % one[1])]]
        assert indexes
        for one in indexes: run('DELETE FROM sqlite_master WHERE name = ?', one[1])
        run('UPDATE %s SET %s = %s WHERE rowid = (SELECT min(rowid) FROM %s WHERE %s IS NOT NULL)'
            % (table, column, sys.argv[3], table, column))
        for one in indexes: run('INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)', *one)
        print('done')
        """

    /// Rows that were overwritten, in columns of integers and of texts, to NULL and to other values.
    @Test(
        arguments: [
            ("sqlite-stores/moody/Moody.moody", "ZMOOD.ZREMOTEIDENTIFIER", "NULL"),
            ("sqlite-stores/moody/Moody.moody", "ZMOOD.ZREMOTEIDENTIFIER", "upper(ZREMOTEIDENTIFIER) || 'x'"),
            ("sqlite-stores/docset-7606f51/docSet.dsidx", "ZTOKEN.ZTOKENNAME", "NULL"),
            ("sqlite-stores/bookmarks/Bookmarks_V4.sqlite", "ZBOOKMARKENTITY.ZUUID", "NULL"),
            ("sqlite-stores/bookmarks/Bookmarks_V4.sqlite", "ZBOOKMARKENTITY.ZISPENDINGDELETION", "1.5"),
            ("field/index-lacks-row.sqlite", "ZNODE.ZCITY", "NULL"),
        ])
    func rowThatAnIndexContradictsIsAShortfall(name: String, column: String, value: String) throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy(name)
        let answer = Python.run(Self.changeBehindIndex, [path.string, column, value])
        try #require(answer != nil, "no index of \(column)")
        let store = try SQLiteStore(path)
        #expect(store.shortfalls.contains { $0.problem.contains("or its index") }, "\(store.shortfalls)")
    }

    /// An index with fewer entries than rows: it is damaged itself if a row has each of its entries, and no other index
    /// lacks as many.
    @Test(
        arguments: [
            "DELETE FROM ZTWO WHERE Z_PK = 3", "UPDATE ZTWO SET ZA = 'x' WHERE Z_PK = 4",
            "DELETE FROM ZTWO WHERE Z_PK = 3; UPDATE ZTWO SET ZA = 'x' WHERE Z_PK = 4",
        ])
    func indexWithFewerEntries(change: String) throws {
        for indexes in [1, 2] {
            let scratch = try ScratchFolder()
            let path = try scratch.copy("sqlite-stores/moody/Moody.moody")
            // The pages of the table are those from before the change; the indexes are new.
            let answer = Python.run(
                """
                import sqlite3, sys
                path, change, count = sys.argv[1:]
                database = sqlite3.connect(path, isolation_level=None)
                database.executescript('CREATE TABLE ZTWO (Z_PK INTEGER PRIMARY KEY, ZA VARCHAR, ZB INTEGER)')
                for key in range(9): database.execute('INSERT INTO ZTWO VALUES (?, ?, ?)', (key, 'name %d' % key, key))
                database.execute('CREATE INDEX ZTWO_1 ON ZTWO (ZA DESC)')
                if count == '2': database.execute('CREATE INDEX ZTWO_2 ON ZTWO (ZA, ZB)')
                root = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ZTWO'").fetchone()[0]
                size = database.execute('PRAGMA page_size').fetchone()[0]
                database.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchall()
                old = open(path, 'rb').read()[(root - 1) * size:root * size]
                database.executescript(change)
                database.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchall()
                database.close()
                with open(path, 'r+b') as file:
                    file.seek((root - 1) * size)
                    file.write(old)
                print('done')
                """, [path.string, change, "\(indexes)"])
            try #require(answer != nil)
            let store = try SQLiteStore(path)
            let isDeletion = !change.contains("UPDATE")
            let isShort = isDeletion ? indexes == 2 : true
            #expect(store.shortfalls.isEmpty != isShort, "\(indexes): \(store.shortfalls)")
            #expect(
                store.notes.contains { $0.code == "indexDamaged" } == isDeletion, "\(indexes): \(store.notes)"
            )
        }
    }

    /// Long values, on pages of their own, before and in an indexed column hide nothing, in rows and in entries.
    @Test(arguments: [("UTF-8", 512), ("UTF-8", 4096), ("UTF-16", 512), ("UTF-16", 4096)])
    func longValuesHideNoContradiction(encoding: String, pageSize: Int) throws {
        for isDamaged in [false, true] {
            let scratch = try ScratchFolder()
            let path = try scratch.copy("sqlite-stores/moody/Moody.moody")
            let answer = Python.run(
                """
                import sqlite3, sys
                path, encoding, size, damaged = sys.argv[1:]
                old = sqlite3.connect(path)
                dump = list(old.iterdump())
                old.close()
                open(path, 'wb').close()
                new = sqlite3.connect(path, isolation_level=None)
                new.execute("PRAGMA encoding = '%s'" % encoding)
                new.execute('PRAGMA page_size = ' + size)
                new.executescript('\\n'.join(dump))
                new.executescript('CREATE TABLE ZLONG (Z_PK INTEGER PRIMARY KEY, ZA VARCHAR, ZB VARCHAR, ZC INTEGER);'
                    'CREATE INDEX ZLONG_1 ON ZLONG (ZB, ZC); CREATE INDEX ZLONG_2 ON ZLONG (ZC, ZA)')
                for key in range(30):
                    new.execute('INSERT INTO ZLONG VALUES (?, ?, ?, ?)', (key, 'a' * (key * 397), 'b' * (key * 211 % 3001), key))
                if damaged == 'true':
                    rows = new.execute("SELECT * FROM sqlite_master WHERE name LIKE 'ZLONG_%'").fetchall()
                    new.execute('PRAGMA writable_schema = ON')
                    new.execute("DELETE FROM sqlite_master WHERE name LIKE 'ZLONG_%'")
                    new.close()
                    new = sqlite3.connect(path, isolation_level=None)
                    new.execute("UPDATE ZLONG SET ZB = substr(ZB, 1, length(ZB) - 1) || 'c' WHERE Z_PK = 29")
                    new.execute('PRAGMA writable_schema = ON')
                    new.executemany('INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)', rows)
                new.close()
                print('done')
                """, [path.string, encoding, "\(pageSize)", "\(isDamaged)"])
            try #require(answer != nil)
            let store = try SQLiteStore(path)
            let found = store.shortfalls.map(\.problem)
            #expect(
                found.count == (isDamaged ? 1 : 0) && found.allSatisfy { $0.contains("its index ZLONG_1") },
                "\(found)")
            #expect(!store.notes.contains { $0.code == "indexDamaged" })
        }
    }

    /// Reals with integral values are integers in rows and reals in indexes; short rows end before an indexed column.
    @Test func equalValuesInAnotherFormAreNoShortfall() throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy("sqlite-stores/moody/Moody.moody")
        _ = try SQLiteShell.run(
            path,
            """
            CREATE TABLE ZODD (Z_PK INTEGER PRIMARY KEY, ZREAL FLOAT, ZTEXT VARCHAR, ZLONG VARCHAR);
            INSERT INTO ZODD VALUES (1, 3.0, 'a', NULL), (2, -0.0, 'É', 'b'), (3, 1e300, NULL, NULL),
                (4, 4503599627370496.0, 'a', hex(zeroblob(9000))), (5, 0.5, x'00ff', NULL);
            ALTER TABLE ZODD ADD COLUMN ZLATE VARCHAR;
            ALTER TABLE ZODD ADD COLUMN ZNUMBER INTEGER DEFAULT 7;
            CREATE INDEX ZODD_1 ON ZODD (ZREAL, Z_PK);
            CREATE INDEX ZODD_2 ON ZODD (ZTEXT COLLATE NOCASE, ZLATE, ZREAL, ZLONG);
            CREATE INDEX ZODD_3 ON ZODD (ZNUMBER);
            CREATE INDEX ZODD_4 ON ZODD (ZLONG);
            CREATE INDEX ZODD_5 ON ZODD (ZTEXT DESC, ZREAL);
            CREATE INDEX ZODD_6 ON ZODD (ZTEXT) WHERE ZREAL > 1;
            CREATE INDEX ZODD_7 ON ZODD (lower(ZTEXT));
            CREATE TABLE ZODDER (A TEXT PRIMARY KEY, B INTEGER, C AS (B + 1), D TEXT UNIQUE);
            INSERT INTO ZODDER VALUES ('x', 1, 'p'), ('y', 2, 'q');
            CREATE INDEX ZODDER_1 ON ZODDER (D, B);
            CREATE TABLE ZODDEST (A INTEGER PRIMARY KEY DESC, B UNIQUE) ;
            INSERT INTO ZODDEST VALUES (5, 'p'), (7, 2.0);
            """)
        let store = try SQLiteStore(path)
        #expect(store.shortfalls.isEmpty)
        #expect(!store.notes.contains { $0.code == "indexDamaged" })
        #expect(try SQLiteShell.run(path, "PRAGMA integrity_check") == "ok")
    }

    /// A record whose head loses its columns: SQLite reads NULL in their place, also in a table of join rows.
    @Test func rowThatLostItsColumnsIsAShortfall() throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy("field/index-lacks-row.sqlite")
        let answer = Python.run(
            """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.executescript('CREATE TABLE Z_9ODD (Z_9ONE INTEGER, Z_8TWO INTEGER, PRIMARY KEY (Z_9ONE, Z_8TWO));')
            database.executemany('INSERT INTO Z_9ODD VALUES (?, ?)', [(300, 77777), (400, 88888)])
            root = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'Z_9ODD'").fetchone()[0]
            size = database.execute('PRAGMA page_size').fetchone()[0]
            database.close()
            with open(sys.argv[1], 'r+b') as file:
                file.seek((root - 1) * size)
                page = file.read(size)
                # A head of three bytes, an integer of two bytes and one of three.
                place = page.index(bytes([3, 2, 3]))
                file.seek((root - 1) * size + place + 1)
                file.write(bytes(2))
            print('done')
            """, [path.string])
        try #require(answer != nil)
        let store = try SQLiteStore(path)
        #expect(
            store.shortfalls.contains { $0.problem.contains("the table Z_9ODD or its index") },
            "\(store.shortfalls)")
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
