import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore

/// A rollback journal or write-ahead log that cannot be examined does not count as missing.
@Suite struct StrictVFSTests {
    @Test(arguments: ["-journal", "-wal"]) func anErrorIsNotAnAbsence(suffix: String) throws {
        let folder = try TemporaryFolder(prefix: "ticds-strict")
        let path = folder.path.appending("store.sqlite")
        let uri = SQLiteURI.uri(of: path, immutable: false)
        do {
            let made = try SQLiteConnection(uri: uri, mode: .create)
            try made.execute("CREATE TABLE t (a)")
        }
        func look() throws -> Bool {
            let connection = try SQLiteConnection(uri: uri, mode: .readWrite)
            var statement = try connection.prepare("SELECT count(*) FROM t")
            return try statement.step()
        }
        #expect(try look())
        // A link to itself gives ELOOP.
        try TestFiles.link(FilePath("\(path)\(suffix)"), to: "store.sqlite\(suffix)")
        #expect(throws: SQLiteError.self) { try look() }
    }
    /// SQLite itself opens a FIFO, and waits for a writer if it only reads.
    @Test(arguments: ["", "-journal", "-wal"]) func fifoIsNamedAndNotOpened(suffix: String) throws {
        let folder = try TemporaryFolder(prefix: "ticds-strict")
        let path = folder.path.appending("store.sqlite")
        let uri = SQLiteURI.uri(of: path, immutable: false)
        if suffix != "" {
            let made = try SQLiteConnection(uri: uri, mode: .create)
            try made.execute("CREATE TABLE t (a)")
            if suffix == "-wal" { try made.execute("PRAGMA journal_mode = WAL") }
        }
        try TestFiles.makeFifo(FilePath("\(path)\(suffix)"))
        let problem = #expect(throws: FileProblem.self) {
            try SQLiteError.at(path) { () throws(SQLiteError) in
                let connection = try SQLiteConnection(uri: uri, mode: .readWrite)
                try connection.execute("SELECT count(*) FROM t")
            }
        }
        #expect(problem?.path == FilePath("\(path)\(suffix)"))
        #expect(problem?.problem == "not a plain file")
    }
}
