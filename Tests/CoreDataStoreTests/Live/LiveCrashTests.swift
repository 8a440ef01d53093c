import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore

/// A program that crashes while it writes to a store and its base leaves both as they were.
@Suite(.enabled(if: SQLiteShell.available))
struct LiveCrashTests {
    /// A store with some new pages on disk, and the journals that can revert them.
    private func crashed() throws -> (pair: LivePair, before: String) {
        let pair = try LivePair { store in
            for number in 0..<2000 { try store.make("Note", "N\(number)") }
        }
        let before = try pair.dump(pair.store)
        let held = try HeldStore(pair.store)
        try held.run(
            "PRAGMA synchronous = FULL;", "PRAGMA cache_size = 1;", "ATTACH '\(pair.base)' AS base;",
            "PRAGMA base.cache_size = 1;", "BEGIN IMMEDIATE;",
            "UPDATE main.ZITEM SET ZNAME = 'a longer name than before ' || Z_PK;",
            "UPDATE base.ZITEM SET ZNAME = 'a longer name than before ' || Z_PK;")
        held.kill()
        for file in [pair.store, pair.base] {
            #expect(FileManager.default.fileExists(atPath: file.string + "-journal"))
        }
        return (pair, before)
    }

    /// Ends a journal as SQLite does for a commit to several files.
    private func name(_ main: FilePath, in journal: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: journal))
        try handle.seekToEnd()
        let bytes = Array(main.string.utf8)
        func number(_ value: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        }
        let sum = bytes.reduce(UInt32(0)) { $0 &+ UInt32($1) }
        // The page with the lock bytes, which no journal contains otherwise.
        try handle.write(
            contentsOf: Data(
                number(0x4000_0000 / 4096 + 1) + bytes + number(UInt32(bytes.count)) + number(sum)
                    + [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]))
        try handle.close()
    }

    private func expectOld(_ pair: LivePair, _ before: String) throws {
        do {
            let store = try pair.open()
            #expect(try store.edits { Issue.record("\($0)") }.isEmpty)
            try store.finish()
        }
        #expect(try pair.dump(pair.store) == before)
        #expect(try pair.dump(pair.base) == before)
        #expect(try SQLiteShell.run(pair.base, "PRAGMA integrity_check") == "ok")
        for file in [pair.store, pair.base] {
            #expect(!FileManager.default.fileExists(atPath: file.string + "-journal"))
        }
    }

    @Test func beforeTheCommit() throws {
        let (pair, before) = try crashed()
        try expectOld(pair, before)
    }

    /// While the super-journal exists, the commit has not happened.
    @Test func withinTheCommit() throws {
        let (pair, before) = try crashed()
        let main = FilePath(pair.store.string + "-mj000000001")
        let journals = [pair.store, pair.base].map { $0.string + "-journal" }
        try Data(journals.flatMap { Array($0.utf8) + [0] }).write(to: URL(fileURLWithPath: main.string))
        for journal in journals { try name(main, in: journal) }
        try expectOld(pair, before)
        #expect(!FileManager.default.fileExists(atPath: main.string))
    }

    /// In a moved folder SQLite would not find the super-journal, and treat half a commit as complete.
    @Test func inAFolderThatWasMoved() throws {
        let (pair, before) = try crashed()
        let elsewhere = FilePath("/nowhere/Document.sqlite-mj000000001")
        try name(elsewhere, in: pair.base.string + "-journal")
        let problem = #expect(throws: FileProblem.self) { _ = try pair.open() }
        #expect(problem?.kind == .refused)
        #expect(problem?.found == "/nowhere")
        let journal = try Data(contentsOf: URL(fileURLWithPath: pair.base.string + "-journal"))
        #expect(journal.suffix(8).first == 0xD9)
        // Without the name it is an ordinary journal again.
        try journal.dropLast(4 + elsewhere.string.utf8.count + 16).write(
            to: URL(fileURLWithPath: pair.base.string + "-journal"))
        try expectOld(pair, before)
    }
}
