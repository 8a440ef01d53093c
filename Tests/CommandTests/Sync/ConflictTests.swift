import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// An attribute that was changed here, with the `sqlite3` program, and elsewhere.
@Suite struct ConflictTests {
    @Test(arguments: ["remote", "local", "newest"]) func policies(_ policy: String) throws {
        let ground = try SyncGround()
        let conflict = try RecipeConflict(ground)
        #expect(try ground.clone("replica").status == 0)
        try conflict.edit("replica", "steps = 'mine'")
        let status = try SyncJSON(try ground.sync("status", "replica", ["--json"]))
        #expect(status.number("edits") == 1)
        try conflict.arrive()
        let run = try ground.sync("run", "replica", ["--conflicts", policy, "--json"])
        #expect(run.status == 0, "\(run.errors)")
        let json = try SyncJSON(run)
        let isLocal = policy != "remote"
        #expect(json.number("conflicts") == 1 && json.number("changesSent") == (isLocal ? 1 : 0))
        #expect(try conflict.steps("replica") == (isLocal ? "mine\n" : conflict.theirs + "\n"))
        let log = try SyncJSON(try ground.sync("log", "replica", ["--conflicts", "--json"]))
        #expect(log.text("localValue") == "mine" && log.text("remoteValue") == conflict.theirs)
        #expect(log.text("resolution") == (isLocal ? "local" : "remote"))
        #expect(try ground.sync("log", "replica", ["--warnings"]).output == "")
        #expect(try ground.sync("log", "replica", ["--since", "2999-01-01"]).output == "")
        let idle = try ground.sync("run", "replica")
        #expect(idle.status == 0 && idle.output == "nothing to do\n", "\(idle.output)")
        try expectSame(ground, json.number("changesSent") == 1)
    }

    /// Another replica ends with the same objects.
    private func expectSame(_ ground: SyncGround, _ hasSent: Bool) throws {
        #expect(try ground.clone("other").status == 0)
        let compared = try ground.run(
            "ticds-store",
            ["compare", "replica", "other"].map {
                $0 == "compare" ? $0 : ground.place("\($0)/Document.sqlite")
            }
                + ["--model", ground.model])
        #expect(compared.status == 0, "\(compared.output)")
    }

    /// Nobody decides: nothing is changed, here and in the remote.
    @Test(arguments: ["fail", "ask"]) func undecided(_ policy: String) throws {
        let ground = try SyncGround()
        let conflict = try RecipeConflict(ground)
        #expect(try ground.clone("replica").status == 0)
        try conflict.edit("replica", "steps = 'mine'")
        try conflict.arrive()
        let before = try ground.image()
        let run = try ground.sync("run", "replica", ["--conflicts", policy])
        #expect(run.status == 3 && run.errors.contains("--conflicts"), "\(run.errors)")
        #expect(try ground.image().differences(from: before) == [])
        #expect(try conflict.steps("replica") == "mine\n")
        let rule = """
            sed -i 's/"rules" : \\[/"rules" : [ { "entity" : "Recipe", "attribute" : "steps", "policy" : "local" } /' \
            replica/Replica.json
            """
        try ground.demo.scratch.shell(rule)
        let decided = try ground.sync("run", "replica")
        #expect(decided.status == 0, "\(decided.errors)")
        #expect(try conflict.steps("replica") == "mine\n")
    }

    /// Documents of every kind that the program prints.
    static func printedDocuments() throws -> [String] {
        let ground = try SyncGround()
        let conflict = try RecipeConflict(ground)
        var printed = [try ground.clone("one", ["--yes", "--json"]).output]
        _ = try ground.clone("two", ["--yes"])
        try conflict.edit("one", "steps = 'mine'")
        try ground.demo.scratch.shell(
            "sqlite3 two/Document.sqlite \"DELETE FROM ZRECIPE WHERE ZTICDSSYNCID = '\(conflict.object)'\"")
        try conflict.arrive()
        for name in ["two", "one"] {
            for command in ["status", "commit", "run"] {
                printed.append(try ground.sync(command, name, ["--json"]).output)
            }
            let log = try ground.sync("log", name, ["--json"]).output
            printed += log.split(separator: "\n").map(String.init)
        }
        let configuration = FilePath(ground.place("one/Replica.json"))
        return printed + [String(decoding: try FileBytes.read(configuration).array, as: UTF8.self)]
    }
}

/// The newest change set of the demonstration changes an attribute of a recipe; it is kept back until it is to arrive.
private struct RecipeConflict {
    let object: String
    let theirs: String
    private let ground: SyncGround
    private let set: (place: String, file: String)

    init(_ ground: SyncGround) throws {
        self.ground = ground
        set = try ground.setAside()
        let changes = try ground.run("ticds-changes", ["dump", set.file, "--json"]).output
        let change = try changes.split(separator: "\n").lazy
            .compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
            .first { $0["type"] as? String == "attribute" && $0["key"] as? String == "steps" }
        object = try #require(change?["objectSyncID"] as? String)
        theirs = try #require(change?["value"] as? String)
    }

    /// Edits the recipe.
    func edit(_ replica: String, _ assignment: String) throws {
        try ground.demo.scratch.shell(
            "sqlite3 \(replica)/Document.sqlite \"UPDATE ZRECIPE SET Z\(assignment) WHERE ZTICDSSYNCID = '\(object)'\""
        )
    }

    func steps(_ replica: String) throws -> String {
        try ground.demo.scratch.shell(
            "sqlite3 \(replica)/Document.sqlite \"SELECT ZSTEPS FROM ZRECIPE WHERE ZTICDSSYNCID = '\(object)'\""
        )
    }

    /// The set comes to the remote.
    func arrive() throws { try FileManager.default.copyItem(atPath: set.file, toPath: set.place) }
}
