import Base
import Dispatch
import Foundation
import KeyedArchive
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// A snapshot that is interrupted at any moment: the old snapshots exist until the new one is complete, removed ones
/// are in the trash, and nothing is half done. Snapshots of a different remote are not touched.
@Suite struct RotationCrashTests {
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"), arguments: [[], ["--no-trash"]])
    func interruptedAnywhere(options: [String]) throws {
        let trial = try RotationTrial(options)
        let calls = try trial.countCalls()
        try #require(calls > 40)
        var faults: [FaultyProgram.Fault] = []
        for number in 1...calls {
            faults += [.kill(number), .killAfter(number), .short(number)]
            faults += CrashTests.errors.map { .fail(number, $0) }
        }
        let tried = CrashTests.share(of: faults) + CrashTests.calls(calls, few: 9).map { .kill($0) }
        let problems = Mutex<[String]>([])
        let outcomes = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: tried.count) { number in
            do {
                let outcome = try trial.outcome(tried[number])
                outcomes.withLock { _ = $0.insert(outcome) }
            } catch {
                problems.withLock { $0.append("\(tried[number]): \(error)") }
            }
        }
        #expect(problems.withLock { $0 } == [])
        #expect(outcomes.withLock { $0 }.isSuperset(of: ["nothing new", "new, none gone", "all done"]))
    }

    /// The state of the folder is on a different volume.
    @Test(.enabled(if: OtherVolume.folder != nil, "needs a second volume")) func acrossVolumes() throws {
        let fixture = try ArchiveFixture(["--change-sets", "1"])
        let other = try #require(OtherVolume.folder)
        let folder = other.appending("ticds-snapshots-\(UUID().uuidString)")
        try TestFiles.makeFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder.string) }
        for _ in 0..<2 {
            let result = try fixture.snapshot(["--keep-daily", "1"], folder: folder.string)
            #expect(result.status == 0, "\(result.errors)")
        }
        let state = ["XDG_STATE_HOME": fixture.path("state")]
        let undone = try Program.run(
            "ticds-journal", ["undo", folder.string, "1", "--yes"], environment: state)
        #expect(undone.status == 0, "\(undone.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.string)
        #expect(names.count { $0.hasPrefix("com.example") } == 2, "\(names)")
    }
}

/// One command on copies of one folder, in which two remotes have snapshots.
private struct RotationTrial: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    private let fixture: ArchiveFixture
    private let options: [String]
    /// Snapshots of this remote, and of the other one.
    private let own: [String: [UInt8]]
    private let others: [String: [UInt8]]

    init(_ options: [String]) throws {
        let fixture = try ArchiveFixture(["--change-sets", "1"])
        try fixture.scratch.shell("mkdir back away; cp -a demo/com.example.cookbook away/")
        let away = fixture.place.appending("away").appending("com.example.cookbook")
        try #require(try fixture.snapshot([], of: away).status == 0)
        let back = fixture.place.appending("back")
        others = try Self.archives(back)
        try fixture.olderArchives(2)
        own = try Self.archives(back).filter { [others] in others[$0.key] == nil }
        self.fixture = fixture
        self.options = ["--keep-daily", "1"] + options
    }

    func countCalls() throws -> Int {
        let place = try copy()
        let file = place.path.appending("count")
        guard try run(place, .count(file)) == 0 else { return 0 }
        return try FaultyProgram.number(in: file)
    }

    /// The state of the folder after the fault.
    func outcome(_ fault: FaultyProgram.Fault) throws -> String {
        let place = try copy()
        let back = place.path.appending("back")
        let status = try run(place, fault)
        let archives = try Self.archives(back)
        for (name, bytes) in others { try require(archives[name] == bytes, "another remote lost \(name)") }
        let new = archives.keys.filter { own[$0] == nil && others[$0] == nil }
        try require(new.count <= 1, "\(new)")
        let gone = own.keys.filter { archives[$0] != own[$0] }
        if let new = new.first {
            let path = back.appending(new).string
            try require(try fixture.archive(["verify", path], succeeding: false).status == 0, "not whole")
        } else {
            try require(status != 0 && gone.isEmpty, "\(status): no new one, and gone are \(gone)")
        }
        try require(status != 0 || gone.count == own.count, "\(status): not gone are all but \(gone)")
        try checkTrash(place, archives)
        // The next command completes the interrupted one, and removes its remains.
        try require(try run(place, .ahead(2)) == 0, "\(status): the next one fails")
        let left = try FileManager.default.contentsOfDirectory(atPath: back.string)
        let visible = left.filter { !$0.hasPrefix(".") && others[$0] == nil }
        try require(visible.count == 1, "left are \(visible)")
        try require(!left.contains { $0.hasPrefix(".ticds-snapshot-") }, "leftovers: \(left)")
        if new.isEmpty { return "nothing new" }
        return gone.isEmpty ? "new, none gone" : gone.count == own.count ? "all done" : "some gone"
    }

    /// Checks that removed archives can be restored, with every byte.
    private func checkTrash(_ place: Scratch, _ archives: [String: [UInt8]]) throws {
        if options.contains("--no-trash") { return }
        let gone = own.filter { archives[$0.key] != $0.value }
        if gone.isEmpty { return }
        let tree = FileManager.default.enumerator(atPath: place.path.appending("back").string)
        let files = try (tree?.compactMap { $0 as? String } ?? []).filter { $0.hasPrefix(".ticds-trash-") }
            .map { place.path.appending("back").pushing(FilePath($0)) }
            .filter { try FileStatus.of($0).kind == .file }.map { try FileBytes.read($0).array }
        for (name, bytes) in gone { try require(files.contains(bytes), "\(name) is not in the trash") }
    }

    private func run(_ place: Scratch, _ fault: FaultyProgram.Fault) throws -> Int32 {
        // The remote stays in its place, by which it is identified.
        let words = ["snapshot", fixture.root.string, place.path.appending("back").string] + options
        return try FaultyProgram(name: "ticds-remote", home: place.path.appending("state")).run(
            words, fault: fault)
    }

    private func copy() throws -> Scratch {
        let place = try Scratch()
        try place.shell("cp -a '\(fixture.place)/back' '\(fixture.place)/state' .")
        return place
    }

    private static func archives(_ folder: FilePath) throws -> [String: [UInt8]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.string).filter {
            !$0.hasPrefix(".")
        }
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try FileBytes.read(folder.appending($0)).array) })
    }

    private func require(_ condition: @autoclosure () throws -> Bool, _ problem: String) throws {
        guard try condition() else { throw Failure(description: problem) }
    }
}
