import Base
import Dispatch
import Foundation
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore

/// A store is replaced only when everything is saved and no program has it open, completely or not at all.
@Suite(.enabled(if: SQLiteShell.available)) struct StoreReplacementTests {
    /// A folder with `old.sqlite`, which contains "old" and perhaps "pending" in its log, and `new.sqlite`.
    final class Stores {
        let folder: ScratchFolder
        let hasLog: Bool
        var old: FilePath { folder.path.appending("old.sqlite") }
        var new: FilePath { folder.path.appending("new.sqlite") }
        var kept: FilePath { folder.path.appending("kept.sqlite") }

        init(log: Bool = true) throws {
            folder = try ScratchFolder()
            hasLog = log
            try Self.make(old, "old", log: log)
            try Self.make(new, "new", log: log)
            if log { try Self.leaveInLog("pending", old) }
        }

        static func make(_ path: FilePath, _ value: String, log: Bool) throws {
            let mode = log ? "WAL" : "DELETE"
            try SQLiteShell.run(
                path, "PRAGMA journal_mode = \(mode); CREATE TABLE t(v); INSERT INTO t VALUES('\(value)')")
        }

        static func leaveInLog(_ value: String, _ path: FilePath) throws {
            let shell = try HeldStore(path)
            try shell.run(".dbconfig no_ckpt_on_close on", "INSERT INTO t VALUES('\(value)');")
            try shell.quit()
            #expect(try FileStatus.of(Self.beside(path, "-wal")).size > 0)
        }

        static func beside(_ path: FilePath, _ suffix: String) -> FilePath {
            FilePath(path.string + suffix)
        }

        static func values(_ path: FilePath) throws -> String {
            try SQLiteShell.run(path, "SELECT group_concat(v) FROM (SELECT v FROM t ORDER BY rowid)")
        }

        /// The main file alone, without the files beside it.
        func valuesOfMainFile(_ path: FilePath) throws -> String {
            let copy = folder.path.appending("copy-\(UUID().uuidString)")
            try FileManager.default.copyItem(atPath: path.string, toPath: copy.string)
            return try Self.values(copy)
        }

        var names: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path.string).sorted() }
        }

        var oldValues: String { hasLog ? "old,pending" : "old" }

        /// Whether the old store is complete in its place, and the new one still exists.
        func checkUntouched() throws {
            #expect(try Self.values(old) == oldValues)
            #expect(try Self.values(new) == "new")
            #expect(try !names.contains { $0.hasSuffix(".old") || $0.hasPrefix("kept") })
        }
    }

    @Test(arguments: [true, false]) func pendingWritesAreSavedFirst(log: Bool) throws {
        let stores = try Stores(log: log)
        try StoreReplacement(stores.old).replace(with: stores.new, keepingOldAs: stores.kept)
        #expect(try stores.names == ["kept.sqlite", "old.sqlite"])
        #expect(try stores.valuesOfMainFile(stores.kept) == stores.oldValues)
        #expect(try stores.valuesOfMainFile(stores.old) == "new")
    }

    /// The hidden name of the old store, which a killed replacement left, neither stops the next one nor stays.
    @Test func whatAKilledSwitchLeftGoes() throws {
        let stores = try Stores(log: false)
        #expect(link(stores.old.string, StoreFiles.hidden(stores.old).string) == 0)
        try StoreReplacement(stores.old).replace(with: stores.new)
        #expect(try stores.names == ["old.sqlite"])
    }

    @Test func pendingWritesOfTheNewStoreComeWithIt() throws {
        let stores = try Stores()
        try Stores.leaveInLog("late", stores.new)
        try StoreReplacement(stores.old).replace(with: stores.new)
        #expect(try stores.names == ["old.sqlite"])
        #expect(try stores.valuesOfMainFile(stores.old) == "new,late")
    }

    @Test func savingAloneLeavesTheStoreAsItIsButWhole() throws {
        let stores = try Stores()
        do { _ = try PendingWrites(saving: stores.old) }
        #expect(try stores.names == ["new.sqlite", "old.sqlite"])
        #expect(try stores.valuesOfMainFile(stores.old) == "old,pending")
        #expect(try FileBytes.head(stores.old, count: 20).byte(at: 18) == 2)
    }

    // MARK: Other programs

    @Test(arguments: [true, false]) func aWriterIsWaitedForAndThenRefused(log: Bool) throws {
        let stores = try Stores(log: log)
        let writer = try HeldStore(stores.old)
        try writer.run("BEGIN IMMEDIATE;", "INSERT INTO t VALUES('theirs');")
        var change = StoreReplacement(stores.old)
        change.waiting = 0.3
        let start = Date()
        let problem = #expect(throws: FileProblem.self) { try change.replace(with: stores.new) }
        #expect(Date().timeIntervalSince(start) >= 0.25)
        #expect(problem?.kind == .refused)
        try writer.run("COMMIT;")
        try writer.quit()
        #expect(try Stores.values(stores.old) == stores.oldValues + ",theirs")
        try change.replace(with: stores.new, keepingOldAs: stores.kept)
        #expect(try stores.valuesOfMainFile(stores.kept) == stores.oldValues + ",theirs")
        #expect(try Stores.values(stores.old) == "new")
    }

    @Test func aWriterThatLeavesInTimeIsWaitedFor() throws {
        let stores = try Stores()
        let writer = try HeldStore(stores.old)
        try writer.run("BEGIN IMMEDIATE;", "INSERT INTO t VALUES('theirs');")
        let (old, new, kept) = (stores.old, stores.new, stores.kept)
        // The change runs on a separate thread, since all threads of tasks are busy.
        let change = Mutex<(any Error)?>(nil)
        let changed = DispatchGroup()
        DispatchQueue.global().async(group: changed) {
            do {
                try StoreReplacement(old).replace(with: new, keepingOldAs: kept)
            } catch {
                change.withLock { $0 = error }
            }
        }
        #expect(changed.wait(timeout: .now() + .milliseconds(300)) == .timedOut)
        try writer.run("COMMIT;")
        try writer.quit()
        changed.wait()
        if let error = change.withLock({ $0 }) { throw error }
        #expect(try stores.valuesOfMainFile(stores.kept) == "old,pending,theirs")
    }

    /// The program could write later, to a file that no longer exists.
    @Test func whoHasAStoreWithALogOpenIsInTheWay() throws {
        let stores = try Stores()
        let reader = try HeldStore(stores.old)
        #expect(try reader.run("SELECT count(*) FROM t;") == ["2"])
        var change = StoreReplacement(stores.old)
        change.waiting = 0.1
        #expect(throws: FileProblem.self) { try change.replace(with: stores.new) }
        #expect(try reader.run("SELECT count(*) FROM t;") == ["2"])
        try reader.quit()
        try stores.checkUntouched()
    }

    @Test func aReaderOfAStoreWithoutALogIsInTheWay() throws {
        let stores = try Stores(log: false)
        let reader = try HeldStore(stores.old)
        try reader.run("BEGIN;", "SELECT count(*) FROM t;")
        var change = StoreReplacement(stores.old)
        change.waiting = 0.1
        #expect(throws: FileProblem.self) { try change.replace(with: stores.new) }
        try reader.quit()
        try stores.checkUntouched()
    }

    @Test func aConnectionOfThisProcessIsInTheWay() throws {
        let stores = try Stores()
        let uri = SQLiteURI.uri(of: stores.old, immutable: false)
        do {
            let connection = try SQLiteConnection(uri: uri, mode: .readWrite)
            try connection.execute("BEGIN IMMEDIATE")
            var change = StoreReplacement(stores.old)
            change.waiting = 0.1
            #expect(throws: FileProblem.self) { try change.replace(with: stores.new) }
            try connection.execute("ROLLBACK")
        }
        try stores.checkUntouched()
    }

    @Test func whatACrashLeftInAJournalIsRolledBack() throws {
        let stores = try Stores(log: false)
        let writer = try HeldStore(stores.old)
        try writer.run(
            "PRAGMA cache_size = 2;", "BEGIN;", "UPDATE t SET v = 'torn';",
            "INSERT INTO t SELECT hex(randomblob(2000)) FROM generate_series(1, 200);")
        writer.kill()
        #expect(try FileStatus.of(Stores.beside(stores.old, "-journal")).size > 0)
        try StoreReplacement(stores.old).replace(with: stores.new, keepingOldAs: stores.kept)
        #expect(try stores.names == ["kept.sqlite", "old.sqlite"])
        #expect(try stores.valuesOfMainFile(stores.kept) == "old")
    }

    /// The first program that opens the new store makes a log for it before the replacement has ended.
    @Test func theLogOfTheNewStoreIsNotTakenForTheOldOne() throws {
        let stores = try Stores()
        let log = Stores.beside(stores.old, "-wal")
        var change = StoreReplacement(stores.old)
        change.reached = { step throws(FileProblem) in
            if step == .switched { try NewFile.write([1, 2, 3], to: log) }
        }
        try change.replace(with: stores.new)
        #expect(try FileBytes.read(log).array == [1, 2, 3])
    }

    // MARK: Failures

    @Test(arguments: StoreReplacement.Step.allCases, [true, false])
    func aFailureLeavesTheOldStore(step: StoreReplacement.Step, log: Bool) throws {
        let stores = try Stores(log: log)
        var change = StoreReplacement(stores.old)
        change.reached = { reached throws(FileProblem) in
            if reached == step { throw FileProblem(.writeFailed, path: "/", "a test") }
        }
        #expect(throws: FileProblem.self) { try change.replace(with: stores.new) }
        try stores.checkUntouched()
        #expect(throws: FileProblem.self) {
            try change.replace(with: stores.new, keepingOldAs: stores.kept)
        }
        try stores.checkUntouched()
    }

    @Test(arguments: StoreReplacement.Step.allCases, [true, false])
    func aCrashLeavesOneStoreWhole(step: StoreReplacement.Step, log: Bool) async throws {
        let stores = try Stores(log: log)
        let (old, new) = (stores.old.string, stores.new.string)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [old = old as String, new = new as String, name = step.rawValue as String] in
            var change = StoreReplacement(FilePath(old))
            change.reached = { reached throws(FileProblem) in
                if reached.rawValue == name { kill(getpid(), SIGKILL) }
            }
            try change.replace(with: FilePath(new))
        }
        let isSwitched = step == .switched || step == .synchronised
        for suffix in ["-wal", "-journal"] where isSwitched {
            #expect(try FileStatus.ifPresent(Stores.beside(stores.old, suffix)) == nil)
        }
        #expect(try Stores.values(stores.old) == (isSwitched ? "new" : stores.oldValues))
        if !isSwitched {
            #expect(try Stores.values(stores.new) == "new")
            try StoreReplacement(stores.old).replace(with: stores.new)
            #expect(try Stores.values(stores.old) == "new")
        }
    }

    // MARK: Refusals, and simple cases

    @Test func aLogWithoutItsStoreIsNotPutBesideAnother() throws {
        let stores = try Stores()
        try FileManager.default.removeItem(atPath: stores.old.string)
        let problem = #expect(throws: FileProblem.self) {
            try StoreReplacement(stores.old).replace(with: stores.new)
        }
        #expect(problem?.kind == .refused)
        #expect(try Stores.values(stores.new) == "new")
    }

    @Test func theFirstStoreTakesItsPlace() throws {
        let stores = try Stores(log: false)
        try FileManager.default.removeItem(atPath: stores.old.string)
        try StoreReplacement(stores.old).replace(with: stores.new)
        #expect(try stores.names == ["old.sqlite"])
    }

    @Test func storesOfOneFileAreSwitchedToo() throws {
        let folder = try ScratchFolder()
        let old = try folder.file("old", Array("CoreData old".utf8))
        let new = try folder.file("new", Array("CoreData new".utf8))
        try StoreReplacement(old).replace(with: new, keepingOldAs: folder.path.appending("kept"))
        #expect(try ScratchFolder.bytes(of: old) == Array("CoreData new".utf8))
        #expect(try ScratchFolder.bytes(of: folder.path.appending("kept")) == Array("CoreData old".utf8))
    }

    @Test func nothingIsOverwrittenByTheOldStore() throws {
        let stores = try Stores()
        _ = try stores.folder.file("kept.sqlite", [7])
        #expect(throws: FileProblem.self) {
            try StoreReplacement(stores.old).replace(with: stores.new, keepingOldAs: stores.kept)
        }
        #expect(try ScratchFolder.bytes(of: stores.kept) == [7])
        #expect(try Stores.values(stores.old) == "old,pending")
    }

    @Test func aStoreIsNotSwitchedWithItself() throws {
        let stores = try Stores()
        #expect(throws: FileProblem.self) { try StoreReplacement(stores.old).replace(with: stores.old) }
        try TestFilesLink.make(stores.folder.path.appending("link"), to: "new.sqlite")
        #expect(throws: FileProblem.self) {
            try StoreReplacement(stores.old).replace(with: stores.folder.path.appending("link"))
        }
        try stores.checkUntouched()
    }

    // MARK: Readers

    @Test func readersDetectTheReplacement() throws {
        let stores = try Stores()
        let reader = try SQLiteStoreFile(stores.new)
        try StoreReplacement(stores.old).replace(with: stores.new)
        #expect(throws: FileProblem.self) { try reader.checkUnchanged() }
    }
}

private enum TestFilesLink {
    static func make(_ path: FilePath, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path.string, withDestinationPath: target)
    }
}
