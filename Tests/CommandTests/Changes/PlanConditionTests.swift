import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Saved plans depend on more than the entries that they remove: on what shows that no client needs these.
@Suite struct PlanConditionTests {
    /// Shell commands, in the folder of a document, after which a client may need a change set that the plan removes.
    private static let changes = [
        "rm WholeStore/*/AppliedSyncChangeSets.ticdsync",
        "for store in WholeStore/*/WholeStore.ticdsync; do truncate -s 100 \"$store\"; done",
        "rm -r WholeStore/*", "rm -r WholeStore", "mkdir WholeStore/NEWCOMER",
        "for sync in RecentSyncs/*; do touch -d 2001-01-01 \"$sync\"; done", "rm RecentSyncs/*",
        "rm -r RecentSyncs", "touch RecentSyncs/NEWCOMER.recentsync", "mkdir SyncChanges/NEWCOMER",
    ]

    @Test(arguments: changes) func vacuumIsRefusedAfter(change: String) throws {
        let demo = try SavedPlan(["ticds-vacuum"])
        try demo.scratch.shell("cd '\(demo.document)' && \(change)")
        try demo.expectRefusal()
    }

    @Test(arguments: ["rm -r WholeStore/8FF*", "rm RecentSyncs/8FF*", "mkdir SyncChanges/NEWCOMER"])
    func clientDeletionIsRefusedAfter(change: String) throws {
        let client = "D8ED76C2-9484-FB8F-BA08-BE8B78FD5CCE-53303-00003EE1A9F8A8BF"
        let demo = try SavedPlan(["ticds-client", "delete"], [client, "--document", "cookbook"])
        try demo.scratch.shell("cd '\(demo.document)' && \(change)")
        try demo.expectRefusal()
    }

    /// A key that comes meanwhile would be a second one.
    @Test func integrityResetIsRefusedAfterANewKey() throws {
        let demo = try SavedPlan(["ticds-integrity", "reset"], ["--document", "cookbook"])
        try demo.scratch.shell("echo x > '\(demo.document)/IntegrityKey/NEWKEY-ABCDEF'")
        try demo.expectRefusal()
    }

    @Test func undoOfAResetWarnsOfTheKeyThatGoes() throws {
        let demo = try SavedPlan(["ticds-integrity", "reset"], ["--document", "cookbook"])
        #expect(try demo.apply().status == 0)
        let undo = try Program.run(
            "ticds-journal", ["undo", demo.demo.path, "--last", "--dry-run"],
            environment: ["HOME": demo.scratch.path.string])
        #expect(
            undo.status == 0 && undo.output.contains("remembers the key that goes away"), "\(undo.output)")
    }

    /// Clients go on to synchronise between the plan and its application.
    @Test func vacuumIsAppliedAfterSynchronisations() throws {
        let demo = try SavedPlan(["ticds-vacuum"])
        try demo.scratch.shell(
            "cd '\(demo.document)' && touch RecentSyncs/* WholeStore/.DS_Store RecentSyncs/.DS_Store")
        let result = try demo.apply()
        #expect(result.status == 0 && result.output.contains("Done."), "\(result.errors)")
    }
}

/// The return of a client after a vacuum that did not wait for it.
@Suite struct ReturningClientTests {
    @Test func undoIsRefusedAfterAVacuumOfSetsThatTheClientLacks() throws {
        let demo = try DemoRemote(changeSets: 12)
        let before = try TreeImage(of: demo.root)
        func run(_ words: String...) throws -> Program.Result {
            try Program.run(
                words[0], Array(words.dropFirst()), environment: ["HOME": demo.scratch.path.string])
        }
        let all = ["--max-delete", "100%", "--yes"]
        let client = "D8ED76C2-9484-FB8F-BA08-BE8B78FD5CCE-53303-00003EE1A9F8A8BF"
        #expect(
            try run("ticds-client", "delete", demo.path, client, "--all-documents", all[0], all[1], all[2])
                .status == 0)
        #expect(try run("ticds-vacuum", demo.path, all[0], all[1], all[2]).status == 0)
        let between = try TreeImage(of: demo.root)
        let refused = try run("ticds-journal", "undo", demo.path, "1", "--yes")
        #expect(
            refused.status == 3 && refused.errors.contains("has not applied and would never get"),
            "\(refused.errors)")
        #expect(refused.errors.contains("First undo operation 2"), "\(refused.errors)")
        #expect(try TreeImage(of: demo.root).differences(from: between) == [])
        #expect(try run("ticds-journal", "undo", demo.path, "2", "--yes").status == 0)
        let undone = try run("ticds-journal", "undo", demo.path, "1", "--yes")
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
    }
}

/// A demonstration remote and a plan for it, as a command saved it.
private struct SavedPlan {
    let demo: DemoRemote
    private let file: String

    var scratch: Scratch { demo.scratch }
    var document: String { demo.root.appending("Documents/cookbook").string }
    private var environment: [String: String] { ["HOME": demo.scratch.path.string] }

    init(_ command: [String], _ options: [String] = []) throws {
        demo = try DemoRemote(changeSets: 12)
        file = demo.scratch.path.appending("saved.plan").string
        let words =
            command.dropFirst() + [demo.path] + options + ["--save-plan", file, "--max-delete", "100%"]
        let saved = try Program.run(command[0], Array(words), environment: environment)
        try #require(saved.status == 0, "\(saved.output)\(saved.errors)")
    }

    func apply() throws -> Program.Result {
        try Program.run("ticds-journal", ["apply", file, "--yes"], environment: environment)
    }

    /// The plan is refused, and nothing has changed.
    func expectRefusal() throws {
        let before = try TreeImage(of: demo.root)
        let result = try apply()
        #expect(result.status == 3, "\(result.output)")
        #expect(result.errors.contains("since the plan was made"), "\(result.errors)")
        #expect(result.errors.contains("make the plan again"), "\(result.errors)")
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
    }
}
