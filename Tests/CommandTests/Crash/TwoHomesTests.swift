import Dispatch
import Foundation
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCore
import TestSupport
import Testing
import TICDSOperations

/// Two state homes at one remote: neither takes entries of the other, and an interrupted operation is respected.
@Suite(.enabled(if: FaultyProgram.library != nil, "needs a C compiler")) struct TwoHomesTests {
    /// The first operation is killed at some call, the second one runs, and the first one is recovered by its own
    /// command or by one of the second home: every byte is restored.
    @Test(arguments: CrashTests.Home.allCases, [false, true])
    func killedAndFollowed(home: CrashTests.Home, byOther: Bool) throws {
        let trial = try TwoHomes(home)
        let file = trial.remote.home.path.appending("count")
        #expect(try trial.applyFirst(.count(file)) == 0)
        let count = try #require(Int(try String(contentsOfFile: file.string, encoding: .utf8).dropLast()))
        let calls = CrashTests.calls(count, few: 6)
        let problems = Mutex<[String]>([])
        let statuses = Mutex<Set<Int32>>([])
        DispatchQueue.concurrentPerform(iterations: calls.count) { index in
            do {
                let status = try Self.follow(home, calls[index], byOther)
                statuses.withLock { _ = $0.insert(status) }
            } catch {
                problems.withLock { $0.append("kill:\(calls[index]) \(error)") }
            }
        }
        #expect(problems.withLock { $0 } == [])
        // Both results occur: refused, and not prevented.
        #expect(statuses.withLock { $0 } == [0, 3])
    }

    private static func follow(_ home: CrashTests.Home, _ call: Int, _ byOther: Bool) throws -> Int32 {
        struct Failure: Error { let text: String }
        let trial = try TwoHomes(home)
        let before = try trial.remote.image
        _ = try trial.applyFirst(.kill(call))
        let second = try trial.applySecond()
        let recovery =
            byOther
            ? try trial.second.run(["recover", trial.root, "--state", trial.first.home.string])
            : try trial.first.run(["recover", trial.root])
        // If the first was killed before it had a journal, there is nothing to recover.
        guard recovery == 0 || byOther && recovery == 2 else { throw Failure(text: "recovery: \(recovery)") }
        if second == 3 { guard try trial.applySecond() == 0 else { throw Failure(text: "not free again") } }
        try trial.undoAll(trial.second)
        try trial.undoAll(trial.first)
        let left = try trial.remote.image.differences(from: before)
        guard left.isEmpty else { throw Failure(text: "lost or changed: \(left)") }
        // An empty draft of a lock may belong to a live process.
        let empty = try trial.drafts.filter {
            try FileStatus.of(trial.remote.builder.folder.path.appending($0)).size == 0
        }
        let beside = try trial.beside.filter { !empty.contains($0) }
        guard beside == ["com.example.notes"] else { throw Failure(text: "beside: \(beside)") }
        return second
    }

    /// From the moment at which an operation may change the remote, no other operation begins.
    @Test(arguments: CrashTests.Home.allCases) func whatRunsIsSeen(home: CrashTests.Home) throws {
        let calls = CrashTests.calls(try TwoHomes.lastCall(home), few: 12)
        let unseen = Mutex<[Int]>([])
        let running = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: calls.count) { number in
            do {
                let trial = try TwoHomes(home)
                _ = try trial.applyFirst(.kill(calls[number]))
                guard try OperationRecovery.unfinished(trial.remote.state).map(\.state) == [.running] else {
                    return
                }
                running.withLock { $0 += 1 }
                if try trial.applySecond() != 3 { unseen.withLock { $0.append(calls[number]) } }
            } catch {
                unseen.withLock { $0.append(-calls[number]) }
            }
        }
        #expect(unseen.withLock { $0 } == [])
        #expect(running.withLock { $0 } > 0)
    }

    /// A folder that the first operation needs is gone when it is recovered: it is rolled back, also by a different
    /// state home.
    @Test(arguments: [false, true]) func whatIsGoneLetsItGoBack(byOther: Bool) throws {
        let untouched = try TwoHomes(.near).remote.image
        // The last call before the first change.
        var call = 0
        var later = try TwoHomes.lastCall(.near)
        while later - call > 1 {
            let middle = (call + later) / 2
            let trial = try TwoHomes(.near)
            _ = try trial.applyFirst(.kill(middle))
            if try trial.remote.image == untouched { call = middle } else { later = middle }
        }
        let trial = try TwoHomes(.near)
        _ = try trial.applyFirst(.kill(call))
        #expect(try trial.remote.image == untouched)
        try #require(try OperationRecovery.unfinished(trial.remote.state).map(\.state) == [.running])
        try FileManager.default.removeItem(atPath: trial.root + "/Documents/notes/DeletedClients")
        let words = byOther ? ["--state", trial.first.home.string] : []
        let program = byOther ? trial.second : trial.first
        #expect(try program.run(["recover", trial.root] + words) == 0)
        #expect(try OperationRecovery.unfinished(trial.remote.state).isEmpty)
    }

    /// The remote is gone, as during its removal: its journal is found by its former place.
    @Test func theJournalOfARemoteThatIsGone() throws {
        let trial = try TwoHomes(.near)
        try trial.interruptFirst()
        #expect(try trial.first.run(["recover", trial.root, "--back"]) == 0)
        try FileManager.default.moveItem(atPath: trial.root, toPath: trial.root + "-away")
        let words = ["recover", trial.root, "--state", trial.first.home.string]
        #expect(try trial.second.run(words) == 0)
        #expect(try trial.second.run(["recover", trial.root]) == 2)
    }

    /// The draft of a lock file is removed when another process takes the lock, whenever its maker was killed; an empty
    /// draft is removed after a day.
    @Test func draftsOfTheKilledGo() throws {
        var found: [Bool] = []
        for call in 1...(try TwoHomes.lastCall(.near)) {
            let trial = try TwoHomes(.near)
            _ = try trial.applyFirst(.kill(call))
            guard let draft = try trial.drafts.first else { continue }
            let isEmpty = try FileStatus.of(trial.remote.builder.folder.path.appending(draft)).size == 0
            _ = try trial.applySecond(isEmpty ? .ahead(90_000) : .none)
            #expect(try trial.drafts == [], "kill:\(call)")
            found.append(isEmpty)
        }
        // A lock file gets its name when it is complete, so that no draft is empty.
        #expect(found.count >= 4 && !found.contains(true), "\(found)")
    }

    /// Both run at once, repeatedly: each is carried out completely or refused, and everything is restored.
    @Test(arguments: CrashTests.Home.allCases) func atOnce(home: CrashTests.Home) throws {
        let trial = try TwoHomes(home)
        let before = try trial.remote.image
        for _ in CrashTests.share(of: Array(0..<(CrashTests.isThorough ? 200 : 6))) {
            let statuses = Mutex<[Int32]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { number in
                let status = (try? number == 0 ? trial.applyFirst() : trial.applySecond()) ?? -1
                statuses.withLock { $0.append(status) }
            }
            // The second removes what the first needs to copy: in that order the first is refused.
            let found = statuses.withLock { $0 }
            #expect(found.contains(0) && found.allSatisfy { [0, 2, 3].contains($0) }, "\(found)")
            try trial.undoAll(trial.second)
            try trial.undoAll(trial.first)
            #expect(try trial.remote.image.differences(from: before) == [])
            #expect(try trial.beside == ["com.example.notes"])
        }
    }

    /// A remote that was renamed or moved during an operation.
    @Test(arguments: CrashTests.Home.allCases, ["com.example.other", "elsewhere/com.example.notes"])
    func moved(home: CrashTests.Home, place: String) throws {
        let trial = try TwoHomes(home)
        let before = try trial.remote.image
        try trial.interruptFirst()
        #expect(try !trial.remote.image.differences(from: before).isEmpty)
        let parent = trial.remote.builder.folder.path
        let new = parent.pushing(FilePath(place))
        try TestFiles.makeFolders(new.removingLastComponent())
        try FileManager.default.moveItem(atPath: trial.root, toPath: new.string)
        var plan = Plan(root: (try? new.resolved()) ?? new, command: "test", summary: "Go on")
        plan.add(.makeFolder(path: ["Documents", "later"]))
        let file = trial.remote.home.path.appending("later.json")
        try TestFiles.write(file, try PlanFile.bytes(of: plan))
        #expect(try trial.first.run(["apply", file.string, "--yes"]) == 3)
        #expect(try trial.first.run(["recover", new.string, "--back"]) == 0)
        #expect(try TreeImage(of: new).withoutIdentity == before)
        #expect(try trial.first.run(["apply", file.string, "--yes"]) == 0)
    }

    /// The folder around the remote has moved with everything in it.
    @Test func movedWithWhatLiesBeside() throws {
        let trial = try TwoHomes(.far)
        let before = try trial.remote.image
        try trial.interruptFirst()
        let parent = trial.remote.builder.folder.path
        let new = FilePath("\(parent)-moved")
        try FileManager.default.moveItem(atPath: parent.string, toPath: new.string)
        defer { try? FileManager.default.moveItem(atPath: new.string, toPath: parent.string) }
        let root = new.appending("com.example.notes")
        // A different state home sees it by the lock.
        var plan = Plan(root: (try? root.resolved()) ?? root, command: "test", summary: "Go on")
        plan.add(.makeFolder(path: ["Documents", "later"]))
        let file = trial.other.path.appending("later.json")
        try TestFiles.write(file, try PlanFile.bytes(of: plan))
        #expect(try trial.second.run(["apply", file.string, "--yes"]) == 3)
        #expect(try trial.first.run(["recover", root.string, "--back"]) == 0)
        #expect(try TreeImage(of: root).withoutIdentity == before)
        #expect(try trial.second.run(["apply", file.string, "--yes"]) == 0)
    }

    /// A journal that names a folder that operations never make is damaged, and the folder is left alone.
    @Test func foreignStagingFolderIsRefused() throws {
        let trial = try TwoHomes(.far)
        try trial.interruptFirst()
        let folder = trial.other.path.appending("precious")
        let done = try Program.shell(
            """
            mkdir -p '\(folder)/1/1.old' && echo > '\(folder)/1/1.old/letter' &&
            sqlite3 '\(trial.remote.state.folder)/journal.sqlite' "UPDATE operations SET staging = CAST('\(folder)' AS BLOB)"
            """)
        try #require(done.status == 0, "\(done.errors)")
        for direction in [[], ["--back"], ["--forward"], ["--leave"]] {
            let status = try trial.first.run(["recover", trial.root] + direction)
            #expect([2, 3].contains(status), "\(direction)")
        }
        #expect(try FileStatus.of(folder.appending("1/1.old/letter")).size == 1)
    }
}
