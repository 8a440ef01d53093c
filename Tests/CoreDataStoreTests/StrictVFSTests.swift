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
}
