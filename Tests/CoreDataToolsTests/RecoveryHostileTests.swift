import CoreDataStore
import CoreDataTools
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Damaged and hostile databases, logs and journals end in rows and problems, never in a crash or an endless run.
@Suite(.enabled(if: SQLiteShell.available)) struct RecoveryHostileTests {
    private static let statements = """
        PRAGMA page_size = 512; PRAGMA auto_vacuum = 2; PRAGMA secure_delete = OFF;
        CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSTARS INTEGER, ZTITLE VARCHAR, ZPHOTO BLOB );
        CREATE INDEX ZNOTE_ZSTARS_INDEX ON ZNOTE (ZSTARS);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 9);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO ZNOTE SELECT i, 1, 1, i * 3, 'Title ' || i, CASE WHEN i % 9 = 0 THEN zeroblob(1500) END FROM n;
        DELETE FROM ZNOTE WHERE Z_PK BETWEEN 20 AND 40; DELETE FROM ZNOTE WHERE Z_PK % 4 = 0;
        """

    private struct Files {
        var database: [UInt8]
        var log: [UInt8] = []
        var journal: [UInt8] = []
    }

    private func files() throws -> [Files] {
        let folder = try ScratchFolder()
        let plain = folder.path.appending("plain")
        #expect(try SQLiteShell.run(plain, Self.statements) == "0")
        let logged = folder.path.appending("logged")
        try SQLiteShell.run(
            logged,
            "PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0;" + Self.statements
                + "UPDATE ZNOTE SET ZTITLE = 'New ' || Z_PK", before: [".dbconfig no_ckpt_on_close on"])
        let kept = folder.path.appending("kept")
        try SQLiteShell.run(
            kept,
            "PRAGMA journal_mode = persist;" + Self.statements + "UPDATE ZNOTE SET ZTITLE = 'New ' || Z_PK")
        var all = [Files(database: try ScratchFolder.bytes(of: plain))]
        all.append(
            Files(
                database: try ScratchFolder.bytes(of: logged),
                log: try ScratchFolder.bytes(of: FilePath("\(logged)-wal"))))
        all.append(
            Files(
                database: try ScratchFolder.bytes(of: kept),
                journal: try ScratchFolder.bytes(of: FilePath("\(kept)-journal"))))
        return all
    }

    private func rows(_ files: Files) throws -> [RecoveredRow] {
        let folder = try ScratchFolder()
        let path = try folder.file("store", files.database)
        if !files.log.isEmpty { _ = try folder.file("store-wal", files.log) }
        if !files.journal.isEmpty { _ = try folder.file("store-journal", files.journal) }
        var rows: [RecoveredRow] = []
        let recovery = try StoreRecovery(path)
        try recovery.forEachRow(onDamage: { _ in }) { rows.append($0) }
        return rows
    }

    /// Each byte of the first pages, and random bytes elsewhere, get different values.
    @Test func changedBytes() throws {
        var random = RandomNumbers()
        var (read, refused) = (0, 0)
        // Under a sanitizer each takes ten times as long.
        let isSanitized = ProcessInfo.processInfo.environment["TICDS_SANITIZER"] != nil
        for files in try files() {
            let whole = try rows(files).count
            #expect(whole > 40)
            for step in 0..<(isSanitized ? 150 : 700) {
                var changed = files
                func change(_ bytes: inout [UInt8], _ limit: Int) {
                    guard !bytes.isEmpty else { return }
                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                        let place = Int.random(in: 0..<min(limit, bytes.count), using: &random)
                        bytes[place] = [0, 1, 2, 5, 13, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
                    }
                }
                change(&changed.database, step % 2 == 0 ? 700 : Int.max)
                change(&changed.log, step % 3 == 0 ? 60 : Int.max)
                change(&changed.journal, step % 3 == 0 ? 60 : Int.max)
                if step % 5 == 0 {
                    changed.database.removeLast(Int.random(in: 0..<changed.database.count, using: &random))
                }
                do {
                    _ = try rows(changed)
                    read += 1
                } catch is FileProblem {
                    refused += 1
                }
            }
        }
        #expect(read > (isSanitized ? 200 : 1000), "read \(read), refused \(refused)")
    }

    /// A persisted journal has the rows from before the last transaction.
    @Test func journalOfTheLastTransaction() throws {
        let found = try rows(try #require(try files().last))
        let old = found.filter { $0.source == .journal && $0.state == .older }
        #expect(old.contains { $0.attributes.contains { $0.value == .string("Title 1") } }, "\(found.count)")
        #expect(
            found.contains { $0.source == .live && $0.attributes.contains { $0.value == .string("New 1") } })
    }

    /// Trees with cycles, lists of free pages that lead to themselves, and chains of overflow pages without an end.
    @Test func circles() throws {
        let whole = try #require(try files().first)
        let pages = whole.database.count / 512
        for page in 1...pages {
            for (offset, width) in [(0, 4), (8, 4), (508, 4), (4, 4)] {
                for target in [0, 1, page, pages, pages + 1, 0xFFFF_FFFF] {
                    var changed = whole
                    let start = (page - 1) * 512 + (page == 1 && offset < 100 ? 100 + offset : offset)
                    for place in 0..<width {
                        changed.database[start + place] = UInt8(
                            truncatingIfNeeded: target >> (8 * (3 - place)))
                    }
                    _ = try? rows(changed)
                }
            }
        }
    }

    // MARK: What is certain

    private struct Recovered {
        var rows: [RecoveredRow] = []
        var problems: [String] = []
        var notes: [String] = []

        func titles(_ state: RecoveredRow.State) -> Set<String> {
            Set(rows.filter { $0.state == state }.compactMap(\.title))
        }

        func row(_ title: String) throws -> RecoveredRow { try #require(rows.first { $0.title == title }) }
    }

    private func recover(_ files: Files) throws -> Recovered {
        let folder = try ScratchFolder()
        let path = try folder.file("store", files.database)
        if !files.log.isEmpty { _ = try folder.file("store-wal", files.log) }
        var found = Recovered()
        let recovery = try StoreRecovery(path)
        found.notes = recovery.notes.map(\.code)
        try recovery.forEachRow(onDamage: { found.problems.append("\($0)") }) { found.rows.append($0) }
        return found
    }

    /// A page with a missing pointer: the row without one is found between the others, and is not reported as deleted.
    @Test func cellWithoutPointer() throws {
        var files = try #require(try files().first)
        let whole = try recover(files)
        #expect(whole.problems == [] && whole.rows.allSatisfy { $0.isCertain || $0.state != .live })
        let page = (try whole.row("Title 50").page - 1) * 512
        #expect(files.database[page] == 13 && files.database[page + 4] > 1)
        files.database[page + 4] -= 1
        let found = try recover(files)
        let lost = whole.titles(.live).subtracting(found.titles(.live))
        #expect(lost.count == 1 && found.titles(.unknown).isSuperset(of: lost), "\(lost)")
        #expect(found.titles(.deleted).isDisjoint(with: whole.titles(.live)))
        #expect(found.problems.count == 1 && found.problems[0].contains("is damaged"), "\(found.problems)")
    }

    /// An interior page with a missing pointer: the rows below it are on a page that belongs to nothing.
    @Test func pageWithoutPointer() throws {
        var files = try #require(try files().first)
        let whole = try recover(files)
        let root = try #require((1..<files.database.count / 512).first { files.database[$0 * 512] == 5 })
        files.database[root * 512 + 4] -= 1
        let found = try recover(files)
        let lost = whole.titles(.live).subtracting(found.titles(.live))
        #expect(!lost.isEmpty && found.titles(.unknown).isSuperset(of: lost), "\(lost)")
        #expect(found.titles(.deleted) == [], "\(found.titles(.deleted))")
        #expect(!found.problems.isEmpty)
    }

    /// The effect of one changed byte of a row: it is shown, but not as certain.
    @Test(arguments: ["number", "type", "entity", "text", "null"]) func changedRow(part: String) throws {
        var files = try #require(try files().first)
        let before = try recover(files).row("Title 50")
        let cell = before.offset
        // The size of the payload, the number of the row, the size of the header; then the kinds of the values.
        #expect(before.isCertain && files.database[cell + 1] == 50)
        #expect(files.database[(cell + 3)..<(cell + 6)] == [0, 9, 9] && files.database[cell + 7] == 29)
        let text = try #require(
            (cell..<cell + 40).first { files.database[$0..<$0 + 5].elementsEqual("Title".utf8) })
        switch part {
        case "number": files.database[cell + 1] = 127
        case "type": files.database[cell + 7] = 27
        case "entity": files.database[cell + 4] = 0
        case "text": files.database[text] = 0xFF
        default: files.database[text] = 0
        }
        let found = try recover(files)
        let row = try #require(found.rows.first { $0.offset == cell })
        #expect(row.state == .live && !row.isCertain)
        #expect(found.problems.isEmpty == (part == "null"), "\(found.problems)")
        #expect(found.titles(.live).count >= 29)
    }

    /// Rows after the last readable commit may be the present ones: they were not deleted.
    @Test(arguments: ["checksum", "salt", "cut"]) func framesBehindTheLastCommit(damage: String) throws {
        var files = try files()[1]
        let whole = try recover(files)
        #expect(whole.notes.contains("logCutOff") == false && whole.titles(.live).contains("New 50"))
        // The first frame of the transaction that inserts the rows: the tables were committed before.
        let title = try #require(files.log.firstRange(of: Array("Title 1".utf8))).lowerBound
        let frame = 32 + (title - 32) / 536 * 536
        switch damage {
        case "checksum": files.log[frame + 300] ^= 1
        case "salt": for place in 8..<16 { files.log[frame + place] ^= 0x55 }
        default: files.log.removeLast(536 / 2)
        }
        let found = try recover(files)
        #expect(found.titles(.live).isDisjoint(with: whole.titles(.live)))
        let rows = found.rows.filter { $0.title.map(whole.titles(.live).contains) == true }
        #expect(rows.count >= 10 && rows.allSatisfy { $0.state == .unknown }, "\(rows.map(\.state))")
        #expect(found.notes.contains("logCutOff") == (damage == "cut"))
        #expect(found.problems.contains { $0.contains("wrong checksums") } == (damage != "cut"))
    }
}

extension RecoveredRow {
    fileprivate var title: String? { attributes.first { $0.name == "TITLE" }?.value.stringValue }
}
