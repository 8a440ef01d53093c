import Base
import Dispatch
import Foundation
import Synchronization
import SystemCalls
import SystemPackage
import Testing
import TestSupport
import TICDSCore

@testable import TICDSCommandLine

/// Remotes with impossible times and sizes of files: no command traps, and times are kept exactly.
@Suite struct ExtremeNumberCommandTests {
    /// The ends of 64 bits, the year 999,999 and its neighbour, and the times that any file system can store.
    static let times: [FileTime] = [
        .first, .last, FileTime(seconds: .min + 1, nanoseconds: 999_999_999),
        FileTime(seconds: .max - 978_307_200), FileTime(seconds: 31_494_784_780_799),
        FileTime(seconds: 31_494_784_780_800, nanoseconds: 1),
        FileTime(seconds: 1_000_000_000_000_000_000), FileTime(seconds: -1_000_000_000_000_000_000),
        FileTime(seconds: -1, nanoseconds: 999_999_999), FileTime(seconds: 0),
    ]

    @Test(arguments: [[.first, .last]] + (LongTests.areWanted ? [[.first], [.last], times] : []))
    func commandsOnFilesWithExtremeTimes(times: [FileTime]) throws {
        let fixture = try ExtremeFixture(times)
        #expect(fixture.trapped(fixture.commands) == [])
    }

    @Test(
        arguments: [[".syncchg", "WholeStore.ticdsync", ".recentsync"]]
            + (LongTests.areWanted
                ? [[".syncchg"], ["WholeStore.ticdsync"], [".recentsync", ".plist"]] : []))
    func commandsOnSparseFiles(endings: [String]) throws {
        let fixture = try ExtremeFixture([])
        let isEndless = try fixture.enlarge(endings)
        // Replaying copies a store, and SQLite refuses an endless size.
        #expect(fixture.trapped(fixture.commands.filter { isEndless || $0[1] != "replay" }) == [])
    }

    @Test(arguments: ["tar.xz", "tar.gz", "zip"])
    func exportedAndImportedWithItsTimes(ending: String) throws {
        let fixture = try ExtremeFixture(Self.times)
        let before = try TreeImage(of: fixture.root).withoutIdentity
        let file = fixture.path("archive.\(ending)")
        try fixture.succeed(["ticds-archive", "export", fixture.root.string, file])
        try fixture.succeed(["ticds-archive", "verify", file])
        try fixture.succeed(["ticds-archive", "list", file, "--json"])
        let again = fixture.folder.path.appending("again").appending("com.example.cookbook")
        try TestFiles.makeFolder(again.removingLastComponent())
        try fixture.succeed(["ticds-archive", "import", file, again.string, "--yes"])
        #expect(try TreeImage(of: again).withoutIdentity.differences(from: before) == [])
    }

    @Test func undoneWithItsTimes() throws {
        let fixture = try ExtremeFixture(Self.times)
        let before = try TreeImage(of: fixture.root)
        try fixture.succeed(["ticds-document", "delete", fixture.root.string, "pantry", "--yes"])
        try fixture.succeed(["ticds-journal", "undo", fixture.root.string, "1", "--yes"])
        #expect(try TreeImage(of: fixture.root).differences(from: before) == [])
        // Numbers that a user wrote into the journal.
        let journal = try RemoteFiles.named("journal.sqlite", below: fixture.folder.path)
        try #require(journal.count == 1, "\(journal)")
        let made = try Program.launch(
            "/usr/bin/env",
            [
                "sqlite3", journal[0],
                """
                UPDATE actions SET in_trash = 1, trash_files = 9223372036854775807, trash_bytes = 9e300;
                UPDATE operations SET state = 'done', started = '-292277022657-01-27T08:29:52.000Z',
                    finished = '292277026596-12-04T15:30:07.999999999Z';
                """,
            ], environment: ["PATH": "/usr/bin:/bin"], seconds: 20)
        try #require(made.status == 0, "\(made.errors)")
        let root = fixture.root.string
        #expect(
            fixture.trapped([
                ["ticds-journal", "list", root], ["ticds-journal", "list", root, "--json"],
                ["ticds-journal", "show", root, "1"], ["ticds-journal", "show", root, "1", "--json"],
                ["ticds-journal", "prune", root, "--older-than", "1d", "--dry-run"],
                ["ticds-journal", "prune", root, "--larger-than", "1k", "--dry-run", "--json"],
                ["ticds-journal", "undo", root, "1", "--dry-run"],
            ]) == [])
    }

    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func recoveredWithItsTimes() throws {
        let fixture = try ExtremeFixture(Self.times)
        let before = try TreeImage(of: fixture.root).withoutIdentity
        let command = ["delete", "REMOTE", "pantry", "--yes"]
        let count = try fixture.killed(command, .count(fixture.folder.path.appending("count")), before)
        for call in [count / 4, count / 2, count * 3 / 4, count - 2] {
            _ = try fixture.killed(command, .kill(call), before)
        }
    }

    /// The texts for people.
    @Test func textsOfExtremeTimesAndSizes() {
        for time in Self.times {
            for now in Self.times {
                #expect(!time.relative(to: now).isEmpty)
                #expect(!TextStyle().second(time).isEmpty && !TextStyle().minuteWithAge(time).isEmpty)
            }
        }
        #expect(FileTime.first.relative(to: .last) == "292,277,024,626 years ago")
        #expect(FileTime.last.relative(to: .first) == "in 292,277,024,626 years")
        #expect(TextStyle().size(Int64.max) == "9.2 EB" && TextStyle().size(Int64.min) == "-9.2 EB")
        var state = ProgressState(.max, of: .min, .bytes)
        state.rate = 1e300
        #expect(!state.text(TextStyle()).isEmpty)
        state.rate = .nan
        #expect(!state.text(TextStyle()).isEmpty)
    }
}

/// A demonstration remote on a volume with the widest range of times on this machine.
private struct ExtremeFixture: Sendable {
    let folder: TemporaryFolder
    let root: FilePath

    init(_ times: [FileTime]) throws {
        folder = try Self.widestFolder()
        let demo = folder.path.appending("demo")
        let made = try Program.run("ticds", ["demo", demo.string, "--change-sets", "4"])
        try #require(made.status == 0, "\(made.errors)")
        root = demo.appending("com.example.cookbook")
        guard !times.isEmpty else { return }
        // The content of a folder comes before the folder.
        for (number, path) in ([""] + inside).sorted(by: >).enumerated() {
            try TestFiles.setTime(
                path.isEmpty ? root : root.pushing(FilePath(path)), times[number % times.count])
        }
    }

    private static func widestFolder() throws -> TemporaryFolder {
        let near = try TemporaryFolder(prefix: "ticds-extreme")
        guard let far = OtherVolume.folder, try !keepsAllTimes(near) else { return near }
        return try TemporaryFolder(in: far, prefix: "ticds-extreme")
    }

    private static func keepsAllTimes(_ folder: TemporaryFolder) throws -> Bool {
        let probe = folder.path.appending("probe")
        try TestFiles.write(probe, [])
        // Linux drops the fraction of the last second.
        let last = FileTime(seconds: .max)
        try TestFiles.setTime(probe, last)
        defer { try? TestFiles.remove(probe) }
        return try FileStatus.of(probe).modified == last
    }

    func path(_ name: String) -> String { folder.path.appending(name).string }

    /// Paths of all entries, from the root.
    private var inside: [String] {
        FileManager.default.enumerator(atPath: root.string)?.compactMap { $0 as? String } ?? []
    }

    /// Makes files as long as the volume permits, without content; returns whether it permits any length.
    func enlarge(_ endings: [String]) throws -> Bool {
        let chosen = inside.filter { path in endings.contains { path.hasSuffix($0) } }
        try #require(chosen.count > 1)
        let sizes: [off_t] = [.max, 1 << 53, 1 << 43]
        var longest: off_t = .max
        for path in chosen {
            let name = root.pushing(FilePath(path)).string
            longest = min(longest, try #require(sizes.first { truncate(name, $0) == 0 }, "\(path)"))
        }
        return longest == .max
    }

    /// All reading commands, and the planning ones.
    var commands: [[String]] {
        let remote = root.string
        let stores = inside.filter { $0.hasSuffix("WholeStore.ticdsync") }.map {
            root.pushing(FilePath($0)).string
        }
        let sets = inside.filter { $0.hasSuffix(".syncchg") }.map { root.pushing(FilePath($0)).string }
        let clients = inside.filter { $0.hasPrefix("ClientDevices/") }.map {
            String($0.split(separator: "/")[1])
        }
        let reading = ReadingCommand.all(on: remote) + ReadingCommand.all(onSets: sets, stores: stores)
        let password = folder.path.appending("password")
        try? TestFiles.write(password, Array("open sesame".utf8))
        var all = reading.flatMap { [[$0.program] + $0.arguments, [$0.program] + $0.arguments + ["--json"]] }
        all += [
            ["ticds-inspect", "report", remote, "--html", path("report.html")],
            ["ticds-inspect", "timeline", remote, path("timeline.svg")],
            ["ticds-vacuum", remote, "--dry-run"], ["ticds-vacuum", remote, "--dry-run", "--json"],
            ["ticds-verify", remote, "--repair", "--dry-run"],
            ["ticds-document", "delete", remote, "cookbook", "--dry-run"],
            ["ticds-integrity", "reset", remote, "--document", "cookbook", "--dry-run"],
            ["ticds-remote", "encrypt", remote, "--password-file", password.string, "--dry-run"],
            ["ticds-remote", "remove", remote, "--dry-run"],
            ["ticds-remote", "copy", remote, folder.path.string, "--dry-run"],
            ["ticds-store", "replay", remote, "--document", "cookbook", "--to", path("replayed")],
        ]
        for client in Set(clients) {
            all += [
                ["ticds-client", "show", remote, client],
                ["ticds-client", "delete", remote, client, "--from-application", "--dry-run"],
                ["ticds-client", "delete", remote, client, "--document", "cookbook", "--dry-run"],
            ]
        }
        if let first = stores.first, let last = stores.last {
            all += [
                ["ticds-store", "compare", first, last],
                ["ticds-store", "export", first, "--to", path("exported.sqlite")],
            ]
        }
        return all
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.run(
            words[0], Array(words.dropFirst()), environment: ["XDG_STATE_HOME": path("state")], seconds: 60)
    }

    func succeed(_ words: [String]) throws {
        let result = try run(words)
        try #require(result.status == 0, "\(words): \(result.status) \(result.errors)")
    }

    /// The commands that a signal ended.
    func trapped(_ commands: [[String]]) -> [String] {
        let found = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: commands.count) { number in
            let words = commands[number]
            do {
                let result = try run(words)
                guard !(0..<128).contains(result.status) else { return }
                found.withLock { $0.append("\(result.status) \(words): \(result.errors.prefix(600))") }
            } catch {
                found.withLock { $0.append("\(words): \(error)") }
            }
        }
        return found.withLock { $0 }
    }

    /// Runs a command of `ticds-document` with a fault on a copy of the remote, recovers, undoes the operation, and
    /// requires the original state. With `.count`, returns the number of calls.
    func killed(_ command: [String], _ fault: FaultyProgram.Fault, _ before: TreeImage) throws -> Int {
        let place = try TemporaryFolder(in: folder.path, prefix: "killed")
        let remote = place.path.appending("com.example.cookbook")
        let copied = try Program.shell("cp -a '\(root)' '\(remote)'")
        try #require(copied.status == 0, "\(copied.errors)")
        let words = command.map { $0 == "REMOTE" ? remote.string : $0 }
        _ = try FaultyProgram(name: "ticds-document", home: place.path).run(words, fault: fault)
        let journal = FaultyProgram(name: "ticds-journal", home: place.path)
        #expect(try journal.run(["recover", remote.string]) == 0, "\(fault)")
        if try TreeImage(of: remote).withoutIdentity != before {
            #expect(try journal.run(["undo", remote.string, "1", "--yes"]) == 0, "\(fault)")
        }
        #expect(try TreeImage(of: remote).withoutIdentity.differences(from: before) == [], "\(fault)")
        guard case .count(let file) = fault else { return 0 }
        return try FaultyProgram.number(in: file)
    }
}
