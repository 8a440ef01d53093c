import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Remotes that the framework's own clients used together with a replica, and the results of the commands.
@Suite struct LiveSampleTests {
    /// A set with an old modification time, of an author who had chosen the local value over a set that was sent
    /// before.
    @Test func aDecisionThatIsSentLateCounts() throws {
        let fixture = try LiveFixture("late-local-wins-before")
        let after = try LiveFixture("late-local-wins")
        let sets = "remote/com.example.lab/Documents/labbook/SyncChanges/alice"
        func clone(_ name: String) throws {
            let cloned = try fixture.run(
                "ticds-sync",
                ["clone", fixture.remote, "\(fixture.scratch.path)/\(name)", "--yes"] + after.model)
            #expect(cloned.status == 0, "\(cloned.errors)")
        }
        try clone("replica")
        #expect(try fixture.title("replica/Document.sqlite") == "bobby late\n")
        try fixture.scratch.shell("cp -pn '\(after.scratch.path)/\(sets)/'* \(sets)/")
        #expect(try fixture.sync("run").status == 0)
        #expect(try fixture.title("replica/Document.sqlite") == "alice early\n")
        try clone("second")
        #expect(try fixture.title("second/Document.sqlite") == "alice early\n")
        let replayed = try fixture.run(
            "ticds-store",
            ["replay", fixture.remote, "--to", "\(fixture.scratch.path)/replayed"] + after.model)
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(try fixture.title("replayed") == "alice early\n")
    }

    /// A document that was created again: the run refuses before it registers.
    @Test(arguments: [["run"], ["run", "--dry-run"], ["watch", "--once"]])
    func anotherDocumentIsLeftAlone(_ words: [String]) throws {
        let fixture = try LiveFixture("sync-registers-then-refuses-before")
        let before = try TreeImage(of: FilePath(fixture.remote))
        let refused = try fixture.sync(words[0], Array(words.dropFirst()))
        #expect(refused.status == 3 && refused.errors.contains("another integrity key"), "\(refused.errors)")
        #expect(!refused.errors.contains("registered"))
        #expect(try TreeImage(of: FilePath(fixture.remote)).differences(from: before) == [])
        #expect(try fixture.scratch.shell("find state -name journal.sqlite | wc -l").contains("0"))
    }

    /// A removed client that was running has written its recent-sync file again.
    @Test func aRemovedClientThatStillRuns() throws {
        let fixture = try LiveFixture("client-delete-open-before")
        let before = try TreeImage(of: FilePath(fixture.remote))
        let deletion = ["delete", fixture.remote, "alice", "--document", "labbook", "--max-delete", "100%"]
        let plan = try fixture.run("ticds-client", deletion + ["--dry-run"])
        #expect(plan.output.contains("while it has nothing to send"), "\(plan.output)")
        #expect(plan.output.contains("error 13"))
        #expect(try fixture.run("ticds-client", deletion + ["--yes"]).status == 0)
        let file = "remote/com.example.lab/Documents/labbook/RecentSyncs/alice.recentsync"
        try fixture.scratch.shell("echo new > \(file); chmod 644 \(file)")
        let verified = try fixture.run("ticds-verify", [fixture.remote])
        #expect(verified.output.contains("is still running"), "\(verified.output)")
        #expect(!verified.output.contains("was broken off"))
        let undone = try fixture.run("ticds-journal", ["undo", fixture.remote, "1", "--yes"])
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(undone.output.contains("written again"), "\(undone.output)")
        // Everything is unchanged except the time of the folder in which the client has written.
        let differences = try TreeImage(of: FilePath(fixture.remote)).withoutIdentity
            .differences(from: before.withoutIdentity)
        #expect(differences.count == 1 && differences[0].contains("RecentSyncs"), "\(differences)")
        // The newer file is in the trash, and is restored when the undo is undone.
        let redone = try fixture.run("ticds-journal", ["undo", fixture.remote, "2", "--yes"])
        #expect(redone.status == 0, "\(redone.errors)")
        #expect(try fixture.scratch.shell("cat \(file)") == "new\n")
    }
}

/// A copy of a fixture: the folders `remote` and `replica`.
private struct LiveFixture {
    let scratch: Scratch

    init(_ name: String) throws {
        scratch = try Scratch()
        try SampleRemote.copy("live/\(name)", into: scratch.path)
        try scratch.shell("mkdir state")
        // The replica contains the former path of its remote.
        try scratch.shell(
            "test ! -e replica || sed -i 's|\"/[^\"]*com.example.lab\"|\"\(remote)\"|' replica/Replica.json"
        )
    }

    var remote: String { "\(scratch.path)/remote/com.example.lab" }
    var model: [String] { ["--model", "\(scratch.path)/replica/Model"] }

    func run(_ program: String, _ words: [String]) throws -> Program.Result {
        try Program.run(
            program, words, environment: ["XDG_STATE_HOME": "\(scratch.path)/state", "TZ": "UTC"])
    }

    func sync(_ command: String, _ options: [String] = []) throws -> Program.Result {
        try run("ticds-sync", [command, "\(scratch.path)/replica"] + options)
    }

    func title(_ store: String) throws -> String {
        try scratch.shell("sqlite3 \(store) \"SELECT ZTITLE FROM ZNOTE WHERE ZTICDSSYNCID = 'N1'\"")
    }
}
