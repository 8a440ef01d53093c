import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore

@Suite(.enabled(if: SQLiteShell.available))
struct LiveStoreTests {
    private func pair() throws -> LivePair {
        try LivePair { store in
            let folder = try store.make("Folder", "F")
            for name in ["N1", "N2", "N3"] {
                let note = try store.make("Note", name)
                try store.setToOne("folder", of: note, to: folder)
                try store.add(try store.make("Tag", "T" + name), to: "tags", of: note)
            }
        }
    }

    /// SQLite would overwrite the part of a damaged log that it leaves out, and missing rows would become deletions.
    @Test(.enabled(if: Python.available)) func damagedLogIsRefused() throws {
        let pair = try pair()
        _ = Python.run(
            """
            import os, sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute('PRAGMA journal_mode = WAL').fetchall()
            database.execute('PRAGMA wal_autocheckpoint = 0').fetchall()
            for name in 'abc': database.execute('UPDATE ZTAG SET ZNAME = ? WHERE Z_PK = 1', [name])
            os._exit(0)
            """, [pair.store.string])
        let log = URL(fileURLWithPath: pair.store.string + "-wal")
        let whole = try Data(contentsOf: log)
        var damaged = whole
        damaged[100] ^= 1
        try damaged.write(to: log)
        #expect(
            performing: { try pair.open() }, throws: { ($0 as? FileProblem)?.finding == "TICDS-0723" })
        #expect(try Data(contentsOf: log) == damaged)
        // A program that is interrupted while it writes leaves an incomplete frame.
        try (whole + whole[32..<100]).write(to: log)
        let store = try pair.open()
        try store.updateBase()
        try store.finish()
        #expect(try pair.sql("SELECT ZNAME FROM ZTAG WHERE Z_PK = 1") == "c")
    }

    /// A log of a different store with the same tables.
    @Test(.enabled(if: Python.available)) func logOfAnotherStoreIsRefused() throws {
        let pair = try pair()
        let before = try pair.dump(pair.store)
        _ = Python.run(
            """
            import os, shutil, sqlite3, sys
            other = sys.argv[1] + '.other'
            for path in (sys.argv[1], other):
                if path == other: shutil.copy(sys.argv[1], other)
                database = sqlite3.connect(path, isolation_level=None)
                database.execute('PRAGMA journal_mode = WAL').fetchall()
            database.execute("UPDATE Z_METADATA SET Z_UUID = 'another'")
            shutil.copy(other + '-wal', sys.argv[1] + '-wal')
            os._exit(0)
            """, [pair.store.string])
        #expect(
            performing: { try pair.open() },
            throws: { ($0 as? FileProblem)?.problem.contains("belongs to another store") == true })
        try FileManager.default.removeItem(atPath: pair.store.string + "-wal")
        #expect(try pair.dump(pair.store) == before)
    }

    /// Edits of another tool and of this one reach the base; the additional tables of the base stay.
    @Test func baseIsBroughtUp() throws {
        let pair = try pair()
        try SQLiteShell.run(
            pair.base, "CREATE TABLE TICDS_NOTES (n); INSERT INTO TICDS_NOTES VALUES ('kept')")
        try pair.sql(
            "UPDATE ZITEM SET ZNAME = 'new' WHERE Z_PK = 2; DELETE FROM ZTAG WHERE Z_PK = 1;"
                + "DELETE FROM Z_3TAGS WHERE rowid = 1; INSERT INTO ZTAG VALUES (9, 9, 1, 't', 'T9')")
        let store = try pair.open()
        let made = try store.make("Note", "N4")
        let folder = try #require(try store.object("Folder", "F"))
        try store.setToOne("folder", of: made, to: folder)
        try store.updateBase()
        try store.withConnection { connection throws(SQLiteError) in
            try connection.execute("INSERT INTO base.TICDS_NOTES VALUES ('inside')")
        }
        try store.finish()
        #expect(try pair.dump(pair.store) == pair.dump(pair.base))
        #expect(try pair.sql("SELECT ZNAME FROM ZITEM ORDER BY Z_PK") == "N1\nnew\nN3\nN4")
        #expect(try SQLiteShell.run(pair.base, "SELECT n FROM TICDS_NOTES") == "kept\ninside")
        for file in [pair.store, pair.base] {
            #expect(try SQLiteShell.run(file, "PRAGMA integrity_check") == "ok")
        }
    }

    /// Rows that have exchanged unique values are copied to the base despite the constraint.
    @Test func exchangedUniqueValues() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                name: "Tag", attributes: [AttributeDescription(name: "name", type: .string)],
                uniquenessConstraints: [["name"]])
        ])
        let pair = try LivePair(model) { store in
            for name in ["a", "b", "c"] { try store.make("Tag", name) }
        }
        try pair.sql(
            "CREATE UNIQUE INDEX Z_Tag_UNIQUE_name ON ZTAG (ZNAME);"
                + "UPDATE ZTAG SET ZNAME = 'x' WHERE Z_PK = 1; UPDATE ZTAG SET ZNAME = 'a' WHERE Z_PK = 2;"
                + "UPDATE ZTAG SET ZNAME = 'b' WHERE Z_PK = 1")
        try SQLiteShell.run(pair.base, "CREATE UNIQUE INDEX Z_Tag_UNIQUE_name ON ZTAG (ZNAME)")
        let store = try pair.open()
        try store.updateBase()
        try store.finish()
        #expect(try SQLiteShell.run(pair.base, "SELECT ZNAME FROM ZTAG ORDER BY Z_PK") == "b\na\nc")
    }

    @Test func rollBackLeavesBothAlone() throws {
        let pair = try pair()
        try pair.sql("UPDATE ZITEM SET ZNAME = 'new' WHERE Z_PK = 2")
        let before = try (pair.dump(pair.store), pair.dump(pair.base))
        do {
            let store = try pair.open()
            try store.make("Note", "N4")
            try store.updateBase()
            try store.rollBack()
        }
        #expect(try (pair.dump(pair.store), pair.dump(pair.base)) == before)
        do {
            let store = try pair.open()
            try store.make("Note", "N4")
            try store.updateBase()
        }
        #expect(try (pair.dump(pair.store), pair.dump(pair.base)) == before)
    }

    /// A log is moved into the store; the error names a program that holds the store.
    @Test func logsAndLocks() throws {
        let pair = try pair()
        try pair.sql("PRAGMA journal_mode = WAL; UPDATE ZITEM SET ZNAME = 'new' WHERE Z_PK = 2")
        let held = try HeldStore(pair.store)
        try held.run("BEGIN; SELECT count(*) FROM ZITEM;")
        let problem = #expect(throws: FileProblem.self) { _ = try pair.open(lockWait: 0.1) }
        #expect(problem?.kind == .refused)
        try held.run("COMMIT;", "UPDATE ZITEM SET ZNAME = 'newer' WHERE Z_PK = 3;")
        try held.quit()
        let store = try pair.open()
        try store.updateBase()
        try store.finish()
        #expect(try SQLiteShell.run(pair.base, "SELECT ZNAME FROM ZITEM") == "N1\nnew\nnewer")
        #expect(try Array(ScratchFolder.bytes(of: pair.store)[18...19]) == [1, 1])
        #expect(!FileManager.default.fileExists(atPath: pair.store.string + "-wal"))
    }

    @Test func writersAndReadersAreInTheWay() throws {
        let pair = try pair()
        let held = try HeldStore(pair.store)
        try held.run("BEGIN IMMEDIATE;")
        let problem = #expect(throws: FileProblem.self) { _ = try pair.open(lockWait: 0.1) }
        #expect(problem?.kind == .refused)
        #expect(problem?.problem.contains("another program") == true)
        try held.run("ROLLBACK;", "BEGIN;", "SELECT count(*) FROM ZITEM;")
        let store = try pair.open(lockWait: 0.1)
        try store.make("Note", "N4")
        let late = #expect(throws: FileProblem.self) { try store.finish() }
        #expect(late?.kind == .refused)
        try held.run("COMMIT;")
        try store.finish()
        #expect(try pair.sql("SELECT count(*) FROM ZITEM") == "4")
    }

    @Test func withoutABase() throws {
        let pair = try pair()
        let store = try WritableStore(pair.store, model: pair.model, identifier: "ticdsSyncID")
        #expect(throws: FileProblem.self) { try store.updateBase() }
        #expect(throws: FileProblem.self) { _ = try store.edits { _ in } }
        #expect(throws: FileProblem.self) {
            try store.withConnection { connection throws(SQLiteError) in
                try connection.execute("ATTACH '\(pair.base)' AS base")
            }
        }
    }

    @Test(arguments: [
        "ALTER TABLE ZITEM ADD COLUMN ZMORE INTEGER", "CREATE TABLE ZMORE (Z_PK INTEGER PRIMARY KEY)",
        "DROP TABLE ZPICTURE", "INSERT INTO Z_PRIMARYKEY VALUES (20, 'More', 0, 0)",
        "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Other' WHERE Z_ENT = 4",
    ])
    func changedTables(_ statement: String) throws {
        let pair = try pair()
        try pair.sql(statement)
        let problem = #expect(throws: FileProblem.self) { _ = try pair.open() }
        #expect(problem?.kind == .refused)
        // An entity with a different name may be one that was renamed.
        #expect(
            problem?.problem
                == (statement.hasPrefix("UPDATE")
                    ? "this store cannot be written to" : "the tables of the store were changed"))
    }
}
