import Base
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// `ticds-sync reseed`: one copy becomes the new base that every client downloads again.
@Suite struct ReseedTests {
    private static let mine =
        "UPDATE ZRECIPE SET ZTITLE = 'mine' WHERE Z_PK = (SELECT min(Z_PK) FROM ZRECIPE)"
    private static let theirs =
        "UPDATE ZRECIPE SET ZTITLE = 'theirs' WHERE Z_PK = (SELECT max(Z_PK) FROM ZRECIPE)"

    /// Two replicas that disagree: `B` has sent an edit that `A` has not fetched, and `A` has an unsent one.
    private func disagreeing(_ kind: DemoRemote.Kind) throws -> SyncFixture {
        let fixture = try SyncFixture(kind)
        for name in ["A", "B"] {
            let cloned = try fixture.clone(name, ["--yes", "--description", "Replica \(name)"])
            try #require(cloned.status == 0, "\(cloned.errors)")
        }
        try edit("B", Self.theirs, fixture)
        try #require(try fixture.sync("run", "B").status == 0)
        try edit("A", Self.mine, fixture)
        return fixture
    }

    private func edit(_ replica: String, _ statement: String, _ fixture: SyncFixture) throws {
        try fixture.demo.scratch.shell("sqlite3 '\(replica)/Document.sqlite' \"\(statement)\"")
    }

    private func titles(_ store: String, _ fixture: SyncFixture) throws -> String {
        try fixture.demo.scratch.shell(
            "sqlite3 '\(store)' 'SELECT ZTITLE FROM ZRECIPE ORDER BY ZTICDSSYNCID'")
    }

    private func reseed(_ fixture: SyncFixture, _ options: [String]) throws -> Program.Result {
        try fixture.sync("reseed", "A", fixture.demo.passwordOptions + options)
    }

    private func documentPath(_ fixture: SyncFixture) -> FilePath {
        fixture.demo.root.pushing(FilePath("Documents/cookbook"))
    }

    @Test(arguments: [DemoRemote.Kind.plain, .encrypted])
    func everyClientStartsAnew(_ kind: DemoRemote.Kind) throws {
        let fixture = try disagreeing(kind)
        let before = try fixture.image()
        let shown = try reseed(fixture, ["--dry-run"])
        #expect(shown.status == 0, "\(shown.errors)")
        for text in [
            "Anna’s iPhone", "will find another integrity key, and must download the store",
            "this replica, which continues with the new key; the store contains 1 change that it has not sent",
            "The store lacks 1 change set: 1 of Replica B",
        ] {
            #expect(shown.output.replacing(/\s+/, with: " ").contains(text), "\(text)\n\(shown.output)")
        }
        #expect(try fixture.image().differences(from: before) == [])

        let done = try reseed(fixture, ["--yes"])
        #expect(done.status == 0, "\(done.errors)")
        let verified = try fixture.run(
            "ticds-verify", [fixture.demo.path, "--level", "deep"] + fixture.demo.passwordOptions)
        #expect(!verified.output.contains("error TICDS"), "\(verified.output)")
        // The sets that the register names are no longer needed.
        #expect(!verified.output.contains("TICDS-0808"), "\(verified.output)")
        let sets = try fixture.demo.scratch.shell(
            "find '\(documentPath(fixture))/SyncChanges' -type f | wc -l; ls '\(documentPath(fixture))/WholeStore' | wc -l; "
                + "ls '\(documentPath(fixture))/IntegrityKey' | wc -l")
        #expect(sets.split(separator: "\n") == ["0", "1", "1"])

        // The base equals the content of A, for a new replica and for a replay.
        let own = try titles("A/Document.sqlite", fixture)
        #expect(own.contains("mine") && !own.contains("theirs"))
        let again = try fixture.sync("run", "A")
        #expect(
            again.status == 0 && again.output.contains("nothing to do"), "\(again.output) \(again.errors)")
        #expect(try fixture.clone("C").status == 0)
        #expect(try titles("C/Document.sqlite", fixture) == own)
        try fixture.expectWhole("A")
        try fixture.expectWhole("C")
        let refused = try fixture.sync("run", "B")
        #expect(refused.status == 3 && refused.errors.contains("another integrity key"), "\(refused.errors)")
        // B would replace the base with its own content, without knowing what it lacks.
        let warning = "another integrity key than this replica knows"
        let words = fixture.demo.passwordOptions + ["--dry-run"]
        let other = try fixture.sync("reseed", "B", words)
        #expect(other.output.replacing(/\s+/, with: " ").contains(warning), "\(other.output)")
        let same = try fixture.sync("reseed", "A", words)
        #expect(same.status == 0 && !same.output.replacing(/\s+/, with: " ").contains(warning))

        // A and C continue with each other.
        try edit("C", "UPDATE ZRECIPE SET ZSERVINGS = 77 WHERE Z_PK = 1", fixture)
        #expect(try fixture.sync("run", "C").status == 0)
        #expect(try fixture.sync("run", "A").status == 0)
        try fixture.expectWhole("A", ["--force"])
    }

    @Test(arguments: [DemoRemote.Kind.plain, .encrypted])
    func undoRestoresEverything(_ kind: DemoRemote.Kind) throws {
        let fixture = try disagreeing(kind)
        let before = try fixture.image()
        let done = try SyncJSON(try reseed(fixture, ["--yes", "--json"]))
        let number = try #require(done.number("operation"))
        let undone = try fixture.run("ticds-journal", ["undo", fixture.demo.path, "\(number)", "--yes"])
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(try fixture.image().differences(from: before) == [])
        let refused = try fixture.sync("run", "A")
        #expect(refused.status == 3 && refused.errors.contains("another integrity key"), "\(refused.errors)")
        #expect(try fixture.sync("run", "B").status == 0)
    }

    /// A store from elsewhere, with and without a register, in the name of a client.
    @Test func aStore() throws {
        let fixture = try disagreeing(.plain)
        try fixture.demo.scratch.shell("sqlite3 A/Document.sqlite '.backup alone.sqlite'")
        let words = ["reseed", fixture.demo.path, fixture.place("alone.sqlite"), "--document", "cookbook"]
        let nobody = try fixture.run("ticds-sync", words + ["--yes"])
        #expect(nobody.status == 64 && nobody.errors.contains("--client"), "\(nobody.errors)")
        let client = ["--client", "Anna’s iPhone"]
        let shown = try fixture.run("ticds-sync", words + client + ["--dry-run"])
        #expect(
            shown.output.contains("Nothing shows which change sets the store contains"), "\(shown.output)")
        let known = try fixture.run(
            "ticds-sync",
            words + client + ["--dry-run", "--register", fixture.place("A/AppliedSyncChangeSets.ticdsync")])
        #expect(known.output.contains("The store lacks 1 change set"), "\(known.output) \(known.errors)")
        let done = try fixture.run("ticds-sync", words + client + ["--yes"])
        #expect(done.status == 0, "\(done.errors)")
        #expect(try fixture.clone("C").status == 0)
        #expect(try titles("C/Document.sqlite", fixture) == titles("alone.sqlite", fixture))
        try fixture.expectWhole("C")
    }

    @Test func refusals() throws {
        let fixture = try disagreeing(.plain)
        let before = try fixture.image()
        let saved = try reseed(fixture, ["--save-plan", fixture.place("plan")])
        #expect(saved.status == 64 && saved.errors.contains("cannot be saved"), "\(saved.errors)")
        let named = try reseed(fixture, ["--client", "Anna’s iPhone"])
        #expect(named.status == 64, "\(named.errors)")
        let asked = try reseed(fixture, [])
        #expect(asked.status == 3 && asked.errors.contains("no terminal"), "\(asked.errors)")
        let limited = try reseed(fixture, ["--yes", "--max-delete", "10%"])
        #expect(limited.status == 3, "\(limited.errors)")
        try fixture.demo.scratch.shell("printf 'garbage' > garbage.sqlite")
        let garbage = try fixture.run(
            "ticds-sync",
            [
                "reseed", fixture.demo.path, fixture.place("garbage.sqlite"), "--document", "cookbook",
                "--client",
                "Anna’s iPhone", "--yes",
            ])
        #expect(garbage.status != 0)
        #expect(try fixture.image().differences(from: before) == [])
        // A refused reseed leaves a replica that runs as before, and sends its unsent edits.
        let run = try fixture.sync("run", "A")
        #expect(run.status == 0 && run.output.contains("sent 1 change"), "\(run.output) \(run.errors)")
        let gone = ["delete", fixture.demo.path, "Replica A", "--document", "cookbook", "--yes"]
        #expect(try fixture.run("ticds-client", gone).status == 0)
        let removed = try reseed(fixture, ["--yes"])
        #expect(removed.status == 3 && removed.errors.contains("is not registered"), "\(removed.errors)")
    }

    /// A killed reseed has happened or not, and the next run of the replica determines which.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func killed() throws {
        let trial = try ReseedTrial()
        let count = try trial.countCalls()
        try #require(count > 100)
        let calls = CrashTests.calls(count, few: 10)
        CrashTests.expectBeforeOrAfter(calls) { call in try trial.outcome(.kill(call)) }
    }
}

extension ReseedTests {
    /// An unreadable whole store is not a missing one: its form may be the one for the new store.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func nothingIsPlannedOnWhatWasNotSeen() throws {
        let demo = try DemoRemote(changeSets: 6)
        let store = try #require(try demo.wholeStores.first { $0.contains("Documents/cookbook/") })
        let copy = "\(demo.scratch.path)/copy.sqlite"
        try FileManager.default.copyItem(atPath: store, toPath: copy)
        let trial = try BlindTrial(
            [
                "ticds-sync", "reseed", "REMOTE", copy, "--document", "cookbook", "--client", "Anna’s iPhone",
                "--dry-run",
            ], demo)
        try #require(trial.calls > 20)
        let moments = stride(from: 1, through: trial.calls, by: max(1, trial.calls / 12)).map {
            BlindTrial.Moment(call: $0, error: .ioError, isLasting: $0 % 2 == 0)
        }
        // For a private copy of the store, the message names the store.
        let problems = try moments.compactMap { try trial.problem($0) }.filter {
            !$0.contains("copy.sqlite: ")
        }
        #expect(problems == [])
    }
}

/// A reseed of copies of one remote from one replica.
private struct ReseedTrial: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    private let scratch: Scratch
    private let model: String
    private static let statement =
        "UPDATE ZRECIPE SET ZTITLE = 'mine' WHERE Z_PK = (SELECT min(Z_PK) FROM ZRECIPE)"

    init() throws {
        let fixture = try SyncFixture(changeSets: 6)
        try #require(try fixture.clone("A").status == 0)
        let edited = try Program.shell(
            "sqlite3 '\(fixture.place("A"))/Document.sqlite' \"\(Self.statement)\"")
        try #require(edited.status == 0)
        scratch = fixture.demo.scratch
        model = fixture.model
    }

    func countCalls() throws -> Int {
        let fixture = try copy()
        let file = fixture.path.appending("count")
        guard try reseed(fixture, .count(file)) == 0 else { return 0 }
        return try FaultyProgram.number(in: file)
    }

    /// The state of remote and replica after the fault, recovery and a run.
    func outcome(_ fault: FaultyProgram.Fault) throws -> String {
        let fixture = try copy()
        let remote = fixture.path.appending("work/demo/com.example.cookbook")
        let before = try TreeImage(of: remote).withoutIdentity
        let status = try reseed(fixture, fault)
        try require(run("ticds-journal", ["recover", remote.string], fixture) == 0, "recovery fails")
        let isBefore = try TreeImage(of: remote).withoutIdentity == before
        try require(status != 0 || !isBefore, "done, it said, and nothing was done")
        let ran = try run("ticds-sync", ["run", "\(fixture.path)/work/A"], fixture)
        try require(ran == 0, "the replica does not run")
        // In each case, the other clients now have the edit.
        let look = """
            cd '\(fixture.path)/work'
            export XDG_STATE_HOME=$PWD/state
            '\(Program.path("ticds-store"))' replay demo/com.example.cookbook --document cookbook --to made.sqlite \
              --model demo/Cookbook.xcdatamodel
            '\(Program.path("ticds-store"))' compare made.sqlite A/Document.sqlite --model demo/Cookbook.xcdatamodel
            sqlite3 made.sqlite "SELECT count(*) FROM ZRECIPE WHERE ZTITLE = 'mine'" | grep -x 1
            """
        let looked = try Program.shell("set -e\n\(look)")
        try require(
            looked.status == 0, "the replica differs from the remote: \(looked.output) \(looked.errors)")
        if isBefore { return "as before" }
        try require(run("ticds-journal", ["undo", remote.string, "1", "--yes"], fixture) == 0, "no undo")
        return "as after"
    }

    private func require(_ condition: @autoclosure () throws -> Bool, _ problem: String) throws {
        guard try condition() else { throw Failure(description: problem) }
    }

    private func copy() throws -> Scratch {
        let fixture = try Scratch()
        let line = """
            cp -a '\(scratch.path)' '\(fixture.path)/work' && rm -rf '\(fixture.path)/work/state'
            sed -i 's|\(scratch.path)|\(fixture.path)/work|' '\(fixture.path)/work/A/Replica.json'
            """
        let done = try Program.shell(line)
        try require(done.status == 0, done.errors)
        return fixture
    }

    private func reseed(_ fixture: Scratch, _ fault: FaultyProgram.Fault = .none) throws -> Int32 {
        try run("ticds-sync", ["reseed", "\(fixture.path)/work/A", "--yes"], fixture, fault)
    }

    private func run(
        _ name: String, _ words: [String], _ fixture: Scratch, _ fault: FaultyProgram.Fault = .none
    ) throws -> Int32 {
        try FaultyProgram(name: name, home: fixture.path).run(words, fault: fault)
    }
}
