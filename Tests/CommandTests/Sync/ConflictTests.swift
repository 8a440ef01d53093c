import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// An attribute that was changed locally, with the `sqlite3` program, and by another client.
@Suite struct ConflictTests {
    @Test(arguments: ["remote", "local", "newest"]) func policies(_ policy: String) throws {
        let fixture = try SyncFixture()
        let conflict = try RecipeConflict(fixture)
        #expect(try fixture.clone("replica").status == 0)
        try conflict.edit("replica", "steps = 'mine'")
        let status = try SyncJSON(try fixture.sync("status", "replica", ["--json"]))
        #expect(status.number("edits") == 1)
        try conflict.arrive()
        let run = try fixture.sync("run", "replica", ["--conflicts", policy, "--json"])
        #expect(run.status == 0, "\(run.errors)")
        let json = try SyncJSON(run)
        let isLocal = policy != "remote"
        #expect(json.number("conflicts") == 1 && json.number("changesSent") == (isLocal ? 1 : 0))
        #expect(try conflict.steps("replica") == (isLocal ? "mine\n" : conflict.theirs + "\n"))
        let log = try SyncJSON(try fixture.sync("log", "replica", ["--conflicts", "--json"]))
        #expect(log.text("localValue") == "mine" && log.text("remoteValue") == conflict.theirs)
        #expect(log.text("resolution") == (isLocal ? "local" : "remote"))
        #expect(try fixture.sync("log", "replica", ["--warnings"]).output == "")
        #expect(try fixture.sync("log", "replica", ["--since", "2999-01-01"]).output == "")
        let author = try #require(log.text("client"))
        let all = try fixture.sync("log", "replica", ["--json"])
        #expect(try fixture.sync("log", "replica", ["--json", "--client", author]).output == all.output)
        let own = try fixture.sync("status", "replica", ["--json"])
        let client = try #require(try SyncJSON(own).text("client"))
        let none = try fixture.sync("log", "replica", ["--client", client])
        #expect(none.status == 0 && none.output == "", "\(none.output)\(none.errors)")
        let unknown = try fixture.sync("log", "replica", ["--client", "nobody at all"])
        #expect(unknown.status == 2 && unknown.errors.contains(author), "\(unknown.errors)")
        let idle = try fixture.sync("run", "replica")
        #expect(idle.status == 0 && idle.output == "nothing to do\n", "\(idle.output)")
        try expectSame(fixture, json.number("changesSent") == 1)
    }

    /// A log entry with an impossible time may be in any span.
    @Test func logKeepsConflictsWithUnknownTime() throws {
        let fixture = try SyncFixture()
        let conflict = try RecipeConflict(fixture)
        #expect(try fixture.clone("replica").status == 0)
        try conflict.edit("replica", "steps = 'mine'")
        try conflict.arrive()
        #expect(try fixture.sync("run", "replica", ["--conflicts", "remote"]).status == 0)
        let note = "listed although the time is unknown: "
        #expect(try !fixture.sync("log", "replica", ["--since", "2001-01-01"]).output.contains(note))
        try fixture.demo.scratch.shell(
            "sqlite3 replica/ReplicaState.sqlite \"UPDATE TICDS_EVENT SET time = -9e999 WHERE kind = 'conflict'\""
        )
        for option in ["--since", "--until"] {
            let words = ["--conflicts", option, option == "--since" ? "2100-01-01" : "1990-01-01"]
            let log = try fixture.sync("log", "replica", words)
            #expect(log.status == 0 && log.output.contains("no time  conflict"), "\(log.output)")
            #expect(log.output.hasSuffix("\n\(note)1\n"), "\(log.output)")
        }
    }

    /// Another replica ends with the same objects.
    private func expectSame(_ fixture: SyncFixture, _ hasSent: Bool) throws {
        #expect(try fixture.clone("other").status == 0)
        let compared = try fixture.run(
            "ticds-store",
            ["compare", "replica", "other"].map {
                $0 == "compare" ? $0 : fixture.place("\($0)/Document.sqlite")
            }
                + ["--model", fixture.model])
        #expect(compared.status == 0, "\(compared.output)")
    }

    /// Without a decision nothing is changed, neither locally nor in the remote.
    @Test(arguments: ["fail", "ask"]) func undecided(_ policy: String) throws {
        let fixture = try SyncFixture()
        let conflict = try RecipeConflict(fixture)
        #expect(try fixture.clone("replica").status == 0)
        try conflict.edit("replica", "steps = 'mine'")
        try conflict.arrive()
        let before = try fixture.image()
        let run = try fixture.sync("run", "replica", ["--conflicts", policy])
        #expect(run.status == 3 && run.errors.contains("--conflicts"), "\(run.errors)")
        #expect(try fixture.image().differences(from: before) == [])
        #expect(try conflict.steps("replica") == "mine\n")
        let rule = """
            sed -i 's/"rules" : \\[/"rules" : [ { "entity" : "Recipe", "attribute" : "steps", "policy" : "local" } /' \
            replica/Replica.json
            """
        try fixture.demo.scratch.shell(rule)
        let decided = try fixture.sync("run", "replica")
        #expect(decided.status == 0, "\(decided.errors)")
        #expect(try conflict.steps("replica") == "mine\n")
    }

    /// Documents of every kind that the program prints.
    static func printedDocuments() throws -> [String] {
        let fixture = try SyncFixture()
        let conflict = try RecipeConflict(fixture)
        var printed = [try fixture.clone("one", ["--yes", "--json"]).output]
        _ = try fixture.clone("two", ["--yes"])
        try conflict.edit("one", "steps = 'mine'")
        try fixture.demo.scratch.shell(
            "sqlite3 two/Document.sqlite \"DELETE FROM ZRECIPE WHERE ZTICDSSYNCID = '\(conflict.object)'\"")
        try conflict.arrive()
        for name in ["two", "one"] {
            for command in ["status", "commit", "run"] {
                printed.append(try fixture.sync(command, name, ["--json"]).output)
            }
            let log = try fixture.sync("log", name, ["--json"]).output
            printed += log.split(separator: "\n").map(String.init)
        }
        let configuration = FilePath(fixture.place("one/Replica.json"))
        return printed + [String(decoding: try FileBytes.read(configuration).array, as: UTF8.self)]
    }
}

/// The newest change set of the demonstration changes an attribute of a recipe; it is held back until it should arrive.
private struct RecipeConflict {
    let object: String
    let theirs: String
    private let fixture: SyncFixture
    private let set: (place: String, file: String)

    init(_ fixture: SyncFixture) throws {
        self.fixture = fixture
        set = try fixture.setAside()
        let changes = try fixture.run("ticds-changes", ["dump", set.file, "--json"]).output
        let change = try changes.split(separator: "\n").lazy
            .compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
            .first { $0["type"] as? String == "attribute" && $0["key"] as? String == "steps" }
        object = try #require(change?["objectSyncID"] as? String)
        theirs = try #require(change?["value"] as? String)
    }

    /// Edits the recipe.
    func edit(_ replica: String, _ assignment: String) throws {
        try fixture.demo.scratch.shell(
            "sqlite3 \(replica)/Document.sqlite \"UPDATE ZRECIPE SET Z\(assignment) WHERE ZTICDSSYNCID = '\(object)'\""
        )
    }

    func steps(_ replica: String) throws -> String {
        try fixture.demo.scratch.shell(
            "sqlite3 \(replica)/Document.sqlite \"SELECT ZSTEPS FROM ZRECIPE WHERE ZTICDSSYNCID = '\(object)'\""
        )
    }

    /// The set arrives in the remote.
    func arrive() throws { try FileManager.default.copyItem(atPath: set.file, toPath: set.place) }
}
