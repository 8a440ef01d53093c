import Base
import Dispatch
import Foundation
import KeyedArchive
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Imports and exports that are interrupted at every moment.
@Suite struct ArchiveCrashTests {
    private static func trials(_ count: Int) -> [FaultyProgram.Fault] {
        let step = max(1, count / 20)
        return stride(from: 1, through: count, by: step).flatMap { number -> [FaultyProgram.Fault] in
            number / step % 4 == 0 ? [.kill(number), .fail(number, .noSpace)] : [.kill(number)]
        }
    }

    /// After recovery the remote exists completely, or not at all; and a later import cleans up.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func interruptedImport() throws {
        let fixture = try ArchiveFixture(["--change-sets", "1"])
        let file = try fixture.export("a.tar.zst", ["--document", "pantry"])
        let whole = try TreeFacts(fixture.bring(file))
        let problems = Mutex<[String]>([])
        let counted = try ImportTrial()
        let count = try counted.countCalls(file)
        try #require(count > 100)
        let faults = Self.trials(count)
        DispatchQueue.concurrentPerform(iterations: faults.count) { number in
            do {
                if let problem = try ImportTrial().problem(file, faults[number], whole) {
                    problems.withLock { $0.append("\(faults[number]): \(problem)") }
                }
            } catch {
                problems.withLock { $0.append("\(faults[number]): \(error)") }
            }
        }
        #expect(problems.withLock { $0 } == [])
    }

    /// The archive exists completely, or not at all.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func interruptedExport() throws {
        let fixture = try ArchiveFixture(["--change-sets", "1"])
        let whole = try fixture.export("whole.tar.zst")
        let good = try FileBytes.read(FilePath(whole)).array
        let program = FaultyProgram(name: "ticds-archive", home: fixture.place)
        let countFile = fixture.place.appending("count")
        let first = fixture.path("first.tar.zst")
        #expect(try program.run(["export", fixture.root.string, first], fault: .count(countFile)) == 0)
        let count = try FaultyProgram.number(in: countFile)
        try #require(count > 3)
        for (number, fault) in Self.trials(count).enumerated() {
            let file = FilePath(fixture.path("\(number).tar.zst"))
            let status = try program.run(["export", fixture.root.string, file.string], fault: fault)
            if FileManager.default.fileExists(atPath: file.string) {
                #expect(try FileBytes.read(file).array == good, "\(fault)")
            } else {
                #expect(status != 0, "\(fault)")
            }
        }
    }

    /// The signals are unblocked first, since they may be blocked in the test's process.
    @Test(.enabled(if: Python.available)) func signalLeavesNothing() throws {
        let fixture = try ArchiveFixture(["--change-sets", "1"])
        try fixture.scratch.shell("head -c 100000000 /dev/urandom > '\(fixture.root)/big'; mkdir out")
        let program = Program.path("ticds-archive")
        try fixture.scratch.shell(
            """
            python3 -c '
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.execv(sys.argv[1], sys.argv[1:])' '\(program)' export '\(fixture.root)' out/a.tar.xz & process=$!
            until ls out/.ticds-archive* >/dev/null 2>&1; do sleep 0.05; done
            kill -TERM $process; wait $process || test $? = 143
            """)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.path("out")) == [])
    }
}

/// One import into a separate folder.
private struct ImportTrial: Sendable {
    let scratch: Scratch
    let target: FilePath
    let program: FaultyProgram

    init() throws {
        scratch = try Scratch()
        target = scratch.path.appending("sync")
        try TestFiles.makeFolder(target)
        program = FaultyProgram(name: "ticds-archive", home: scratch.path)
    }

    private func words(_ file: String) -> [String] { ["import", file, target.string, "--yes"] }

    func countCalls(_ file: String) throws -> Int {
        let count = scratch.path.appending("count")
        guard try program.run(words(file), fault: .count(count)) == 0 else { return 0 }
        return try FaultyProgram.number(in: count)
    }

    func problem(_ file: String, _ fault: FaultyProgram.Fault, _ whole: TreeFacts) throws -> String? {
        let status = try program.run(words(file), fault: fault)
        let root = target.appending("com.example.cookbook")
        let journal = FaultyProgram(name: "ticds-journal", home: scratch.path)
        if FileManager.default.fileExists(atPath: "\(scratch.path)/ticds") {
            _ = try journal.run(["recover", root.string])
        }
        let isThere = FileManager.default.fileExists(atPath: root.string)
        if status == 0, !isThere { return "not there" }
        if isThere {
            let differences = try TreeFacts(root).differences(from: whole)
            return differences.isEmpty ? nil : "not as it should be: \(differences)"
        }
        let again = try program.run(words(file))
        guard again == 0 else { return "\(status): a second import ends with \(again)" }
        let differences = try TreeFacts(root).differences(from: whole)
        if !differences.isEmpty { return "the second time not as it should be: \(differences)" }
        let left = try FileManager.default.subpathsOfDirectory(atPath: "\(scratch.path)/ticds")
        return left.contains { $0.contains("incoming") } ? "leftovers" : nil
    }
}
