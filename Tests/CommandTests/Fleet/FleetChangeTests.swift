import Foundation
import SystemPackage
import TestSupport
import Testing

/// Plans for many remotes are reviewed, carried out and undone.
@Suite struct FleetChangeTests {
    /// Names, sizes and times in a remote. The folder that contains it may contain staged files for a moment.
    private func image(_ fleet: FleetFixture, _ name: String) throws -> String {
        try fleet.scratch.shell("find sync/\(name)/*/* -printf '%p %s %T@\\n' | sort")
    }

    /// The plans change nothing; a plan that no longer matches is refused separately; undo restores every time and
    /// size.
    @Test func plansAppliesAndUndoes() throws {
        let fleet = try FleetFixture(plain: 3, others: false)
        let identifiers = try fleet.identifiers()
        let names = ["p0", "p1", "p2"]
        let before = try names.map { try image(fleet, $0) }
        let run = fleet.path("run")
        try fleet.expect(0, ["plan", "--to", run, "document", "delete", "{}", "pantry"])
        #expect(try names.map { try image(fleet, $0) } == before)
        let review = try fleet.expect(0, ["review", run])
        #expect(review.contains("3 remotes with a plan") && review.contains("moveToTrash"), "\(review)")
        // No user can confirm.
        #expect(try fleet.run(["apply", run]).status == 3)
        try fleet.scratch.shell("touch sync/p1/com.example.cookbook/Documents/pantry/documentInfo.plist")
        let changed = try image(fleet, "p1")
        // Each plan removes all change sets of a document, which needs an option.
        let limited = try fleet.run(["apply", run, "--yes", "--canary", "1"])
        #expect(limited.status == 5 && limited.output.contains("refused: 3"), "\(limited.output)")
        let applied = try fleet.run(["apply", run, "--yes", "--canary", "1", "--max-delete", "100%"])
        #expect(
            applied.status == 5 && applied.output.contains("refused: 1"), "\(applied.output)\(applied.errors)"
        )
        #expect(try image(fleet, "p1") == changed)
        for name in ["p0", "p2"] {
            let list = try fleet.scratch.shell("ls sync/\(name)/com.example.cookbook/Documents")
            #expect(!list.contains("pantry"))
        }
        let path =
            "applied/\(try #require(identifiers["p0"]).prefix(2))/\(try #require(identifiers["p0"])).json"
        // The work of a killed worker is found, and not repeated.
        try fleet.scratch.shell("rm 'run/\(path)'")
        let again = try fleet.run(["apply", run, "--yes"])
        #expect(again.status == 5 && again.output.contains("2 done"), "\(again.output)\(again.errors)")
        // New plans would hide the operations to undo.
        let anew = try fleet.run(["plan", "--to", run, "document", "delete", "{}", "pantry"])
        #expect(anew.status == 3, "\(anew.errors)")
        try fleet.expect(0, ["undo", run, "--yes"])
        #expect(try image(fleet, "p0") == before[0] && image(fleet, "p2") == before[2])
    }

    /// A canary that fails stops the others.
    @Test func stopsAtACanary() throws {
        let fleet = try FleetFixture(plain: 3, others: false)
        let run = fleet.path("run")
        try fleet.expect(0, ["plan", "--to", run, "document", "delete", "{}", "pantry"])
        // The plans are damaged, as by a full disk.
        try fleet.scratch.shell("for f in run/plans/*/*.json; do echo '{' > $f; done")
        #expect(try fleet.run(["apply", run, "--yes", "--canary", "1"]).status == 2)
        try fleet.scratch.shell("cd run/plans; for f in */*.json; do echo \"$f\"; done > ../../names")
        let results = try fleet.scratch.shell("find run/applied -name '*.json' 2>/dev/null | wc -l")
        #expect((Int(results.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 9) <= 1)
    }

    /// Reading commands have no plans, and changing commands are not runs.
    @Test func refusesOthers() throws {
        let fleet = try FleetFixture(plain: 1, others: false)
        #expect(try fleet.run(["plan", "--to", fleet.path("a"), "changes", "stats"]).status == 64)
        #expect(try fleet.run(["plan", "--to", fleet.path("a"), "verify"]).status == 64)
        try fleet.expect(0, ["run", "--to", fleet.path("read"), "status"])
        for command in ["review", "apply", "undo"] {
            #expect(try fleet.run([command, fleet.path("read")]).status == 3)
        }
    }
}
