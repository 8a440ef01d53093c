import Base
import CoreDataStore
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Journals and logs beside a store: those of killed programs, and malicious ones.
@Suite(
    .enabled(if: Samples.available, "needs the samples"), .enabled(if: SQLiteShell.available),
    .enabled(if: Python.available))
struct PendingFilesTests {
    private static let sample = "sqlite-stores/restkit/RKSeedDatabase.sqlite"

    private func count(_ path: FilePath) throws -> Int {
        var count = 0
        try SQLiteStore(path).forEachObject { _ in count += 1 }
        return count
    }

    /// A copy of a store that a crashed program changed: `setting` runs before the transaction, `change` in it.
    private func killed(_ scratch: ScratchFolder, _ setting: String, _ change: String) throws -> FilePath {
        let path = try scratch.copy(Self.sample)
        let script = """
            import os, sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            def run(sql):
                # Python ends this statement after the first page.
                for _ in range(999 if 'incremental' in sql else 1): database.execute(sql).fetchall()
            for sql in sys.argv[2].split(';'): run(sql)
            for sql in ['PRAGMA cache_size = 1', 'BEGIN'] + sys.argv[3].split(';'): run(sql)
            os._exit(0)
            """
        _ = try #require(Python.run(script, [path.string, setting, change]))
        return path
    }

    private static let change =
        "DELETE FROM ZTWEET;UPDATE ZUSER SET ZNAME = hex(randomblob(9000));CREATE TABLE ZX (A);"
        + "INSERT INTO ZX VALUES (zeroblob(900000))"

    // MARK: Files of crashed programs

    @Test(arguments: [512, 4096, 65_536], ["DELETE", "TRUNCATE", "PERSIST"])
    func killedTransactionsAreRolledBack(pageSize: Int, mode: String) throws {
        let scratch = try ScratchFolder()
        let setting =
            "PRAGMA page_size = \(pageSize);VACUUM;PRAGMA journal_mode = \(mode);UPDATE ZUSER SET Z_OPT = 7"
        let path = try killed(scratch, setting, Self.change)
        let journal = try ScratchFolder.bytes(of: FilePath(path.string + "-journal"))
        try #require(journal.starts(with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]))
        #expect(try count(path) == 22)
        #expect(try ScratchFolder.bytes(of: FilePath(path.string + "-journal")) == journal)
    }

    /// The store is smaller or larger than before the transaction; the journal contains missing pages.
    @Test func killedVacuumsAreRolledBack() throws {
        let scratch = try ScratchFolder()
        let full =
            "PRAGMA auto_vacuum = 2;VACUUM;CREATE TABLE ZX (A);INSERT INTO ZX VALUES (zeroblob(900000))"
        let path = try killed(scratch, full, "DELETE FROM ZX;PRAGMA incremental_vacuum")
        #expect(try count(path) == 22)
    }

    @Test func finishedAndEmptyJournalsDoNothing() throws {
        let scratch = try ScratchFolder()
        let path = try killed(scratch, "PRAGMA journal_mode = PERSIST;UPDATE ZUSER SET Z_OPT = 7", "SELECT 1")
        let journal = FilePath(path.string + "-journal")
        let finished = try ScratchFolder.bytes(of: journal)
        try #require(finished.count > 512 && finished[0] == 0)
        #expect(try count(path) == 22)
        for rest in [
            [], [0xD9], Array([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] + finished[8..<511]),
        ] {
            _ = try scratch.file(journal.lastComponent?.string ?? "", rest)
            #expect(try count(path) == 22, "\(rest.count) bytes")
        }
    }

    /// Commits in the log count; later frames and incomplete ones do not.
    @Test func killedWritersLeaveALog() throws {
        let scratch = try ScratchFolder()
        let path = try killed(
            scratch, "PRAGMA journal_mode = WAL;INSERT INTO ZUSER (Z_PK, Z_ENT) VALUES (77, 2)", Self.change)
        #expect(try count(path) == 23)
        let log = FilePath(path.string + "-wal")
        let whole = try ScratchFolder.bytes(of: log)
        for tail in [Array(whole.suffix(3000)), [UInt8](repeating: 255, count: 9000)] {
            _ = try scratch.file(log.lastComponent?.string ?? "", whole + tail)
            #expect(try count(path) == 23)
        }
        _ = try scratch.file(log.lastComponent?.string ?? "", [UInt8](repeating: 0, count: 9000))
        #expect(try count(path) == 22)
    }

    /// The log has frames for pages and sizes that the store no longer has.
    @Test func storesThatShrankAreRead() throws {
        let scratch = try ScratchFolder()
        let path = try killed(
            scratch,
            "PRAGMA auto_vacuum = 2;VACUUM;PRAGMA secure_delete = 0;CREATE TABLE ZX (A);"
                + "INSERT INTO ZX VALUES (zeroblob(2000000));PRAGMA journal_mode = WAL;INSERT INTO ZX VALUES (zeroblob(10000));DELETE FROM ZX;"
                + "PRAGMA incremental_vacuum;PRAGMA wal_checkpoint", "SELECT 1")
        #expect(try FileStatus.of(path).size < 50_000)
        #expect(try count(path) == 22)
    }

    // MARK: Malicious files

    private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) }
    }

    private func journal(
        magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7], count: Int = 0, initial: Int = 7,
        sector: Int = 512, page: Int = 4096, size: Int = 512
    ) -> [UInt8] {
        let head = magic + [count, 1, initial, sector, page].flatMap { Self.number($0) }
        return head + [UInt8](repeating: 0, count: size - head.count)
    }

    /// Seven pages, and the 64 kB that SQLite accepts in addition.
    private static let most = 7 + 16

    @Test func fieldsOfJournals() throws {
        let all = Int(UInt32.max)
        let record = 4096 + 8
        let sound = [
            journal(), journal(initial: 0), journal(initial: Self.most), journal(page: 0),
            journal(sector: 32), journal(sector: 65_536), journal(count: all),
            journal(count: 1, size: 512 + record),
            journal(initial: Self.most + 1, size: 512 + record), journal(initial: all, size: 511),
            journal(magic: [0, 1, 2, 3, 4, 5, 6, 7], initial: all),
        ]
        let hostile: [(offset: Int, journal: [UInt8])] = [
            (16, journal(initial: all)), (16, journal(initial: Self.most + 1)),
            (16, journal(count: all, initial: all, size: 600)),
            (16, journal(initial: Self.most + 2, size: 512 + record)),
            (24, journal(page: 512)), (24, journal(page: 8192)), (24, journal(page: 65_536)),
            (24, journal(page: all)),
            (24, journal(page: 4095)), (20, journal(sector: 0)), (20, journal(sector: 16)),
            (20, journal(sector: 33)),
            (20, journal(sector: 131_072)), (20, journal(sector: all)), (8, journal(count: 1)),
            (8, journal(count: 2, size: 512 + record)), (8, journal(count: all - 1)),
            (0, journal(magic: Array("SQLite f".utf8))),
        ]
        let scratch = try ScratchFolder()
        let path = try scratch.copy(Self.sample)
        for (number, bytes) in sound.enumerated() {
            _ = try scratch.file("RKSeedDatabase.sqlite-journal", bytes)
            #expect(throws: Never.self, "\(number)") { try PendingFiles(of: path) }
        }
        for (offset, bytes) in hostile {
            let journal = try scratch.file("RKSeedDatabase.sqlite-journal", bytes)
            let problem = try #require(throws: FileProblem.self, "\(bytes.prefix(28))") {
                try SQLiteStore(path)
            }
            #expect(problem.kind == .damaged && problem.path == journal && problem.offset == offset)
            #expect(problem.finding == "TICDS-0723")
            #expect(problem.expected != nil && problem.found != nil && problem.advice != nil)
            for open in [
                { _ = try StoreCopy.copy(path, to: scratch.path.appending("copy")) },
                { _ = try PendingWrites(saving: path) }, { try InterruptedCommit.check(path) },
                { _ = try WritableStore(path, identifier: "x") },
            ] { #expect(throws: problem) { try open() } }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path.string).count == 2)
    }

    /// A log with one frame for the page `number`, after which the database has `pages` pages.
    private func log(
        magic: UInt32 = 0x377F_0683, version: Int = 3_007_000, page: Int = 4096, number: Int = 1, pages: Int,
        content: [UInt8], breaks: Int? = nil
    ) -> [UInt8] {
        var sums: (UInt32, UInt32) = (0, 0)
        func add(_ bytes: [UInt8]) -> [UInt8] {
            for offset in stride(from: 0, to: bytes.count, by: 4) {
                var word = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
                if magic & 1 == 0 { word = word.byteSwapped }
                if offset % 8 == 0 { sums.0 &+= word &+ sums.1 } else { sums.1 &+= word &+ sums.0 }
            }
            return Self.number(sums.0) + Self.number(sums.1)
        }
        let salts = Self.number(1) + Self.number(2)
        let head = Self.number(magic) + [version, page, 0].flatMap { Self.number($0) } + salts
        var bytes = head + add(head)
        let frame = Self.number(number) + Self.number(pages)
        _ = add(frame)
        bytes += frame + salts + add(content) + content
        if let breaks { bytes[breaks] ^= 1 }
        return bytes
    }

    @Test(arguments: [0x377F_0682, 0x377F_0683] as [UInt32]) func fieldsOfLogs(magic: UInt32) throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy(Self.sample)
        let content = Array(try ScratchFolder.bytes(of: path)[..<4096])
        let all = Int(UInt32.max)
        func made(_ pages: Int = 7, version: Int = 3_007_000, page: Int = 4096, breaks: Int? = nil) -> [UInt8]
        {
            log(magic: magic, version: version, page: page, pages: pages, content: content, breaks: breaks)
        }
        let sound = [
            made(), made(Self.most + 1), made(0), Array(made(all).dropLast()), made(all, breaks: 50),
            made(all, breaks: 2000),
            made(all, breaks: 40), Array(made(all)[..<32]), [UInt8](repeating: 0, count: 5000),
        ]
        for (number, bytes) in sound.enumerated() {
            _ = try scratch.file("RKSeedDatabase.sqlite-wal", bytes)
            #expect(throws: Never.self, "\(number)") { try PendingFiles(of: path) }
        }
        _ = try scratch.file("RKSeedDatabase.sqlite-wal", made())
        #expect(try count(path) == 22)
        let hostile: [(offset: Int, log: [UInt8])] = [
            (36, made(all)), (36, made(Self.most + 2)), (0, made(breaks: 0)), (4, made(version: 3_007_001)),
            (8, made(page: 512)), (8, made(page: 0)), (8, made(page: all)), (24, made(breaks: 12)),
            (24, made(breaks: 31)),
        ]
        for (offset, bytes) in hostile {
            let log = try scratch.file("RKSeedDatabase.sqlite-wal", bytes)
            let problem = try #require(throws: FileProblem.self, "\(bytes.prefix(40))") {
                try SQLiteStore(path)
            }
            #expect(problem.kind == .damaged && problem.path == log && problem.offset == offset, "\(problem)")
            #expect(problem.finding == "TICDS-0723")
        }
    }

    /// The copy of a sparse store with a log takes no more space than the store.
    @Test func copiesOfSparseStoresAreSparse() throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy(Self.sample)
        #expect(truncate(path.string, 64 << 20) == 0)
        let copy = scratch.path.appending("copy")
        try StoreCopy.copy(path, to: copy)
        var status = stat()
        #expect(lstat(copy.string, &status) == 0 && status.st_size == 64 << 20 && status.st_blocks < 8 << 10)
    }
}
