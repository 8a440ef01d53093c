import CoreDataStore
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@Suite(.enabled(if: Samples.available, "needs the samples"), .enabled(if: SQLiteShell.available))
struct SQLiteOpeningTests {
    private func count(_ path: FilePath) throws -> Int {
        var count = 0
        try SQLiteStore(path).forEachObject { _ in count += 1 }
        return count
    }

    /// Names, sizes, inodes and times in the folder are the same before and after, and the time of the folder itself.
    @Test(arguments: [
        "restkit/RKSeedDatabase.sqlite", "moody/Moody.moody", "bookmarks/Bookmarks_V4.sqlite",
        "surfjournal/SurfJournalModel.sqlite",
    ])
    func readingLeavesTheFolderAlone(_ sample: String) throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy("sqlite-stores/" + sample)
        let before =
            try ScratchFolder.listing(scratch.path)
            + ScratchFolder.listing(scratch.path.removingLastComponent())
            .filter { $0.hasPrefix(scratch.path.lastComponent?.string ?? "?") }
        #expect(try count(path) > 0)
        let after =
            try ScratchFolder.listing(scratch.path)
            + ScratchFolder.listing(scratch.path.removingLastComponent())
            .filter { $0.hasPrefix(scratch.path.lastComponent?.string ?? "?") }
        #expect(before == after)
    }

    @Test(arguments: ["bookmarks/Bookmarks_V1.sqlite", "surfjournal/SurfJournalModel.sqlite"])
    func foldersMayBeReadOnly(_ sample: String) throws {
        #expect(try count(Samples.path("sqlite-stores/" + sample)) > 0)
        let scratch = try ScratchFolder()
        let path = try scratch.copy("sqlite-stores/" + sample)
        #expect(chmod(scratch.path.string, 0o500) == 0)
        defer { chmod(scratch.path.string, 0o700) }
        #expect(try count(path) > 0)
    }

    /// A crash left a journal: the store has its state from before the transaction.
    @Test func hotJournalIsRolledBack() throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy("sqlite-stores/restkit/RKSeedDatabase.sqlite")
        let work = scratch.path.appending("work")
        try FileManager.default.createDirectory(atPath: work.string, withIntermediateDirectories: false)
        let crashed = work.appending("store.sqlite")
        // A small cache makes SQLite write changed pages before the end; the copy equals the state after a crash.
        let script = """
            PRAGMA cache_size = 1;
            BEGIN;
            DELETE FROM ZTWEET;
            UPDATE ZUSER SET ZNAME = hex(randomblob(9000));
            CREATE TABLE ZX (A);
            INSERT INTO ZX VALUES (zeroblob(90000));
            .shell cp '\(path.string)' '\(crashed.string)'
            .shell cp '\(path.string)-journal' '\(crashed.string)-journal'
            ROLLBACK;
            """
        try SQLiteShell.run(path, ".read \(try scratch.file("script.sql", Array(script.utf8)).string)")
        try #require(try ScratchFolder.bytes(of: crashed) != ScratchFolder.bytes(of: path))
        #expect(try count(crashed) == count(path))
        #expect(try ScratchFolder.listing(work).count == 2)
    }

    /// The last bytes of such a journal name a super-journal, which SQLite would read and remove.
    @Test func journalsThatNameOtherFilesAreRefused() throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy("sqlite-stores/restkit/RKSeedDatabase.sqlite")
        let journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        _ = try scratch.file(
            "RKSeedDatabase.sqlite-journal", journal + [UInt8](repeating: 0, count: 504) + journal)
        let problem = #expect(throws: FileProblem.self) { try SQLiteStore(path) }
        #expect(problem?.kind == .refused)
    }

    @Test func namesOfAnyBytesAreOpened() throws {
        let scratch = try ScratchFolder()
        let data = try ScratchFolder.bytes(of: Samples.path("sqlite-stores/restkit/RKSeedDatabase.sqlite"))
        for name in [
            "a b?c#d%41&e.sqlite", "ü\u{308}.sqlite", "'\"\n;.sqlite", String(repeating: "n", count: 250),
        ] {
            #expect(try count(try scratch.file(name, data)) == 22)
        }
        var folder = scratch.path
        for _ in 0..<4 { folder.append(String(repeating: "d", count: 150)) }
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        let deep = folder.appending("deep.sqlite")
        try Data(data).write(to: URL(fileURLWithPath: deep.string))
        #expect(try count(deep) == 22)
    }

    @Test func linksFoldersAndMissingFilesAreRefused() throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy("sqlite-stores/restkit/RKSeedDatabase.sqlite")
        let link = scratch.path.appending("link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: path.string)
        #expect(throws: FileProblem.self) { try SQLiteStore(link) }
        #expect(throws: FileProblem.self) { try SQLiteStore(scratch.path) }
        let problem = #expect(throws: FileProblem.self) { try SQLiteStore(scratch.path.appending("none")) }
        #expect(problem?.kind == .missing)
    }

    @Test func changesMeanwhileAreNoticed() throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy("sqlite-stores/restkit/RKSeedDatabase.sqlite")
        let store = try SQLiteStore(path)
        try SQLiteShell.run(path, "UPDATE ZUSER SET ZNAME = 'x'")
        let problem = #expect(throws: FileProblem.self) { try store.forEachObject { _ in } }
        #expect(problem?.kind == .changedWhileReading)
    }
}
