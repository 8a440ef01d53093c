import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// `ticds-verify --repair`, as a user runs it.
@Suite struct RepairTests {
    private func run(_ demo: DemoRemote, _ words: String...) throws -> Program.Result {
        try Program.run(
            "ticds-verify", [demo.path] + words + demo.passwordOptions,
            environment: ["XDG_STATE_HOME": demo.scratch.path.appending("state").string])
    }

    /// Puts a stray among the change sets of a client, and removes a documentInfo.plist.
    private func damage(_ demo: DemoRemote) throws {
        let set = FilePath(try #require(try demo.changeSets.first))
        try demo.scratch.shell(
            "echo x > '\(set.removingLastComponent())/desktop.ini'; rm '\(demo.path)'/Documents/pantry/documentInfo.plist"
        )
    }

    @Test(arguments: [DemoRemote.Kind.plain, .encrypted]) func repairsWithoutAQuestion(
        kind: DemoRemote.Kind
    ) throws {
        let demo = try DemoRemote(kind)
        try damage(demo)
        #expect(try run(demo).status == 1)
        let result = try run(demo, "--repair", "--yes")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("TICDS-0201"))
        #expect(result.output.contains("ticds-journal undo"))
        let after = try run(demo)
        #expect(after.status == 0, "\(after.output)")
    }

    @Test func aDryRunChangesNothing() throws {
        let demo = try DemoRemote()
        try damage(demo)
        let before = try TreeImage(of: demo.root)
        for words in [["--dry-run"], ["--save-plan", demo.scratch.path.appending("plan").string]] {
            let result = try Program.run("ticds-verify", [demo.path, "--repair"] + words)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try TreeImage(of: demo.root) == before)
        }
        #expect(try run(demo, "--repair").status == 3)
        #expect(try TreeImage(of: demo.root) == before)
    }

    @Test func onlyWhatIsChosenIsRepaired() throws {
        let demo = try DemoRemote()
        try damage(demo)
        #expect(try run(demo, "--repair", "--only", "0201", "--yes").status == 0)
        let left = try run(demo).output
        #expect(left.contains("TICDS-0301") && !left.contains("TICDS-0201"))
    }

    @Test func whatIsLeftIsListedWithItsRemedy() throws {
        let demo = try DemoRemote()
        try demo.scratch.shell("rm -r '\(demo.path)'/Documents/pantry/IntegrityKey")
        let result = try run(demo, "--repair", "--yes", "--ignore", "TICDS-0901")
        #expect(result.status == 1, "\(result.output)")
        #expect(result.output.contains("Not repaired: 1 finding"))
        #expect(result.output.contains("ticds-integrity reset"))
        #expect(
            result.output.hasSuffix(
                "\n\nThe command can repair none of these findings, so nothing was changed.\n"))
        #expect(result.output.ranges(of: "Not repaired").count == 1, "\(result.output)")
        #expect(!result.output.contains("Repair 0 of 1"), "\(result.output)")
        let json = try run(demo, "--repair", "--yes", "--json", "--ignore", "TICDS-0901")
        #expect(json.output.contains("Not repaired: TICDS-"), "\(json.output)")
    }

    @Test func reasonOfLeftFindingStandsInItsList() throws {
        let demo = try DemoRemote()
        try damage(demo)
        let file = "'\(demo.path)'/Documents/cookbook/documentInfo.plist"
        try demo.scratch.shell("mv \(file) away.plist; ln -s $PWD/away.plist \(file)")
        let result = try run(demo, "--repair", "--dry-run")
        #expect(result.output.ranges(of: "Not repaired").count == 1, "\(result.output)")
        #expect(
            result.output.contains("\n    not repaired: it takes the place of a file or folder of the frame"))
        #expect(result.output.contains("\nRepair "), "\(result.output)")
    }

    @Test func repairOfIntactRemoteSaysSo() throws {
        let demo = try DemoRemote()
        let result = try run(demo, "--repair", "--ignore", "TICDS-0901")
        #expect(result.status == 0)
        #expect(
            result.output.hasPrefix("Nothing was found that needs a repair, so nothing was changed; "),
            "\(result.output)")
        #expect(result.output.contains(" left out (--only, --ignore).\n"), "\(result.output)")
    }

    @Test func placeholdersAreWaitedFor() throws {
        let demo = try DemoRemote()
        try damage(demo)
        try demo.scratch.shell("echo x > '\(demo.path)'/Documents/pantry/.documentInfo.plist.icloud")
        let result = try run(demo, "--repair", "--yes")
        #expect(result.status == 3)
        #expect(result.errors.contains("--ignore"), "\(result.errors)")
        #expect(try run(demo, "--repair", "--yes", "--ignore", "TICDS-0220").status == 0)
    }

    @Test func theOptionsOfChangesNeedARepair() throws {
        let demo = try DemoRemote(changeSets: 2)
        for words in [["--dry-run"], ["--yes"], ["--no-trash"], ["--repair", "--as-new-client"]] {
            #expect(try Program.run("ticds-verify", [demo.path] + words).status == 64, "\(words)")
        }
    }
}
