import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Copies that are interrupted at any moment, and continue.
@Suite struct CopyCrashTests {
    /// The files that were copied before a kill are the same files on disk that later move to the target.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func goesOnWhereItWas() throws {
        let fixture = try CopyFixture()
        let calls = try count(fixture)
        let program = FaultyProgram(name: "ticds-remote", home: fixture.archive.place)
        var kept = 0
        for part in 1...3 {
            let target = try target("part\(part)", fixture)
            let words = ["copy", fixture.source.string, target.string, "--yes", "--quiet"]
            #expect(try program.run(words, fault: .kill(calls * (7 + 2 * part) / 20)) != 0)
            #expect(try names(target).isEmpty)
            let before = try inodes(below: fixture.archive.place, marked: "/tree/")
            // One of the files is wrong, and is copied again.
            let spoilt = try #require(before.keys.filter { $0.hasSuffix(".syncchg") }.sorted().first)
            let spoiltFile = try #require(try find(spoilt, fixture))
            try fixture.shell("printf XXXX | dd of='\(spoiltFile)' conv=notrunc status=none")
            #expect(try program.run(words) == 0)
            let copy = target.appending("com.example.cookbook")
            #expect(try TreeFacts(copy).differences(from: TreeFacts(fixture.source)) == [])
            let after = try inodes(below: target, marked: "com.example.cookbook/")
            for (path, inode) in before where path != spoilt {
                #expect(after[path] == inode, "\(path)")
                kept += 1
            }
            #expect(after[spoilt] != nil)
        }
        #expect(kept > 20)
    }

    /// The target is complete or missing, and a second run completes it.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func endsAnywhere() throws {
        let fixture = try CopyFixture()
        let calls = try count(fixture)
        let whole = try TreeFacts(fixture.source)
        let program = FaultyProgram(name: "ticds-remote", home: fixture.archive.place)
        let journal = FaultyProgram(name: "ticds-journal", home: fixture.archive.place)
        // Mostly calls at the end, where the copy moves to its place.
        let early = stride(from: 1, to: calls - 40, by: max(1, calls / 12))
        for number in Array(early) + Array(stride(from: max(1, calls - 40), through: calls, by: 3)) {
            for fault in [FaultyProgram.Fault.kill(number), .fail(number, .noSpace)] {
                let folder = try target("\(fault)", fixture)
                let copy = folder.appending("com.example.cookbook")
                let words = ["copy", fixture.source.string, folder.string, "--yes", "--quiet"]
                _ = try program.run(words, fault: fault)
                _ = try journal.run(["recover", copy.string])
                // The lock of a dead process may be left, and is removed by the next command.
                if try !names(folder).contains("com.example.cookbook") {
                    #expect(try program.run(words) == 0, "\(fault)")
                }
                let left = try names(folder).filter { !$0.hasPrefix(".ticds-com.example.cookbook.lock") }
                #expect(left == ["com.example.cookbook"], "\(fault)")
                #expect(try TreeFacts(copy).differences(from: whole) == [], "\(fault)")
            }
        }
    }

    /// The copy is updated, or unchanged, with the times of all folders.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func updatesEndAnywhere() throws {
        let fixture = try CopyFixture()
        let program = FaultyProgram(name: "ticds-remote", home: fixture.archive.place)
        let journal = FaultyProgram(name: "ticds-journal", home: fixture.archive.place)
        let folder = try target("updated", fixture)
        let copy = folder.appending("com.example.cookbook")
        let words = ["copy", fixture.source.string, folder.string, "--yes", "--quiet"]
        #expect(try program.run(words) == 0)
        let set = try #require(try fixture.changeSets().first)
        var outcomes: Set<Bool> = []
        for round in 1...14 {
            let before = try TreeFacts(copy)
            try fixture.shell(
                """
                cd '\(fixture.source)'; echo \(round) >> ReadMe.txt; echo \(round) >> '\(set)'
                mkdir -p Documents/pantry/more; touch -d '2012-01-\(round + 10)' . Documents Documents/pantry
                """)
            let file = fixture.archive.place.appending("count")
            if round == 1 {
                #expect(try program.run(words + ["--update"], fault: .count(file)) == 0)
                continue
            }
            let calls = try FaultyProgram.number(in: file)
            // Mostly calls at the end, where entries move to their places.
            _ = try program.run(words + ["--update"], fault: .kill(calls - (14 - round) * 3))
            _ = try journal.run(["recover", copy.string])
            let after = try TreeFacts(copy)
            let isDone = try after == TreeFacts(fixture.source)
            #expect(isDone || after == before, "\(round): \(after.differences(from: before))")
            outcomes.insert(isDone)
            #expect(try program.run(words + ["--update"]) == 0)
            #expect(try TreeFacts(copy) == TreeFacts(fixture.source), "\(round)")
        }
        #expect(outcomes.contains(true))
    }

    /// The remains of a killed copy are listed, and removed only on request, completely, and not while a copy is
    /// active.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func whatIsLeftCanBeRemoved() throws {
        let fixture = try CopyFixture()
        let calls = try count(fixture)
        let target = try target("never", fixture)
        let copy = target.appending("com.example.cookbook")
        let words = ["copy", fixture.source.string, target.string, "--yes", "--quiet"]
        let program = FaultyProgram(name: "ticds-remote", home: fixture.archive.place)
        func journal(_ words: [String]) throws -> Program.Result {
            try Program.run("ticds-journal", words, environment: ["XDG_STATE_HOME": program.home.string])
        }
        #expect(try program.run(words, fault: .kill(calls / 2)) != 0)
        let left = { try self.inodes(below: fixture.archive.place, marked: "/tree/").count }
        #expect(try left() > 10)
        let listed = try journal(["list"])
        #expect(listed.status == 0 && listed.output.contains("--copies"), "\(listed.errors)")
        #expect(listed.output.contains("copy of \(fixture.source)"), "\(listed.output)")
        let few = try journal(["prune", copy.string, "--copies", "--older-than", "1d", "--yes"])
        #expect(few.output == "Nothing to do.\n", "\(few.output)")
        let dry = try journal(["prune", copy.string, "--copies", "--dry-run"])
        #expect(dry.status == 0 && dry.output.contains("unfinished copy"), "\(dry.errors)")
        #expect(try left() > 10)
        let folder = try #require(dry.output.firstMatch(of: /\/\S*copy-[0-9a-f]{12}/)).0
        let held = try journal(["list", "--json"])
        #expect(held.output.contains("\"isAtWork\": false") || held.output.contains("\"isAtWork\":false"))
        try fixture.shell(
            """
            exec 9>>'\(folder)/lock'; flock 9
            XDG_STATE_HOME='\(program.home)' '\(Program.path("ticds-journal"))' \
                prune '\(copy)' --copies --yes 9>&- | grep -q 'Nothing to do'
            """)
        #expect(try left() > 10)
        let done = try journal(["prune", "--copies", "--yes"])
        #expect(done.status == 0 && done.output.contains("1 unfinished copy: freed "), "\(done.errors)")
        #expect(try left() == 0)
        #expect(!FileManager.default.fileExists(atPath: String(folder)))
        #expect(try journal(["list", copy.string]).status == 2, "nothing is known of it any more")
        #expect(try program.run(words) == 0)
        #expect(try TreeFacts(copy).differences(from: TreeFacts(fixture.source)) == [])
    }

    private func count(_ fixture: CopyFixture) throws -> Int {
        let file = fixture.archive.place.appending("count")
        let program = FaultyProgram(name: "ticds-remote", home: fixture.archive.place)
        let words = [
            "copy", fixture.source.string, try target("count-in", fixture).string, "--yes", "--quiet",
        ]
        #expect(try program.run(words, fault: .count(file)) == 0)
        let calls = try FaultyProgram.number(in: file)
        try #require(calls > 100)
        return calls
    }

    private func target(_ name: String, _ fixture: CopyFixture) throws -> FilePath {
        let folder = fixture.archive.place.appending("to-\(name)")
        try TestFiles.makeFolder(folder)
        return folder
    }

    private func names(_ folder: FilePath) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.string)
    }

    /// Inodes of files by their paths after the mark.
    private func inodes(below folder: FilePath, marked mark: String) throws -> [String: UInt64] {
        var found: [String: UInt64] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.string) {
            guard let range = path.range(of: mark), !path.hasPrefix("demo/") else { continue }
            let status = try FileStatus.of(folder.appending(path))
            if status.kind == .file { found[String(path[range.upperBound...])] = status.inode }
        }
        return found
    }

    private func find(_ path: String, _ fixture: CopyFixture) throws -> String? {
        let all = try FileManager.default.subpathsOfDirectory(atPath: fixture.archive.place.string)
        return all.first { $0.hasSuffix("/tree/\(path)") }.map { fixture.path($0) }
    }
}
