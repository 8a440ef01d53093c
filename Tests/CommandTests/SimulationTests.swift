import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// `ticds-verify --as-client` and `--as-new-client`.
@Suite struct SimulationTests {
    @Test func aClientOfASoundRemote() throws {
        let demo = try DemoRemote(changeSets: 12)
        let words = [demo.path, "--as-client", "Børge’s iPad"]
        let result = try Program.run("ticds-verify", words + ["--document", "cookbook"])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("Document cookbook (Family cookbook), as Børge’s iPad (registered)"))
        #expect(result.output.contains("The synchronisation succeeds"))
        // The binary stores of the other document do not name properties.
        let both = try Program.run("ticds-verify", words)
        #expect(both.status == 1 && both.output.contains("Document pantry"))
        #expect(both.output.contains("unknown: no model"), "\(both.output)")
        #expect(both.output.contains("(--model) nothing shows whether the synchronisation succeeds"))
    }

    /// The verdict of each document comes first; equal parts are folded, and all is shown with --verbose.
    @Test func verdictsComeFirstAndEqualRowsAreFolded() throws {
        let demo = try DemoRemote(changeSets: 100)
        let words = [demo.path, "--as-client", "Børge’s iPad"]
        let short = try Program.run("ticds-verify", words)
        let lines = short.output.split(separator: "\n")
        #expect(lines.count < 60, "\(short.output)")
        try #require(lines.count > 5)
        #expect(lines[0].hasPrefix("Document cookbook") && lines[1].contains("The synchronisation succeeds"))
        #expect(lines[2].contains("It last synchronised on 2013-"))
        #expect(lines[3].contains("If it does not synchronise, look at the device"))
        #expect(lines[4].hasPrefix("Document pantry") && lines[5].contains("nothing shows whether"))
        #expect(short.output.contains(/[0-9]+ change sets, until 20/))
        let long = try Program.run("ticds-verify", words + ["--verbose"])
        #expect(long.status == short.status)
        #expect(long.output.split(separator: "\n").count > lines.count + 60)
        #expect(!long.output.contains("change sets, until"))
    }

    /// A failing step names its files with the codes of their findings.
    @Test func filesHaveTheCodesOfTheirFindings() throws {
        let demo = try DemoRemote(.damaged)
        let words = [demo.path, "--as-client", "Anna’s iPhone", "--document", "cookbook"]
        let result = try Program.run("ticds-verify", words)
        #expect(result.status == 1, "\(result.errors)")
        let lines = result.output.split(separator: "\n").filter { $0.contains("TICDS-") }
        #expect(lines.count == 1, "\(result.output)")
        #expect(lines.first?.hasSuffix(".syncchg (TICDS-0612)") == true, "\(lines)")
    }

    /// A repair is too late for a client that has synchronised before it.
    @Test func lateRepairLeavesAClientWithoutEdits() throws {
        let demo = try DemoRemote(.damaged)
        let environment = ["HOME": demo.scratch.path.string]
        let client = ["--as-client", "Anna’s iPhone", "--document", "cookbook"]
        let repaired = try Program.run(
            "ticds-verify", [demo.path, "--repair", "--only", "TICDS-0612", "--yes"], environment: environment
        )
        try #require(repaired.output.contains("Done."), "\(repaired.output)\(repaired.errors)")
        let late = try Program.run("ticds-verify", [demo.path] + client, environment: environment)
        #expect(late.status == 1 && late.output.contains("but it lacks edits"), "\(late.output)")
        #expect(
            late.output.contains("1 change set of others was repaired or removed after that"),
            "\(late.output)")
        // Where the repair is undone, the set is damaged, and not repaired too late.
        let undo = ["undo", demo.path, "--last", "--yes"]
        try #require(try Program.run("ticds-journal", undo, environment: environment).status == 0)
        let undone = try Program.run("ticds-verify", [demo.path] + client, environment: environment)
        #expect(!undone.output.contains("lacks edits"), "\(undone.output)")
        _ = try Program.run(
            "ticds-verify", [demo.path, "--repair", "--only", "TICDS-0612", "--yes"], environment: environment
        )
        // It has synchronised since, and reads no set again.
        let syncs = demo.root.appending("Documents/cookbook/RecentSyncs").string
        try demo.scratch.shell("touch '\(syncs)'/*")
        let other = try Program.run("ticds-verify", [demo.path] + client, environment: environment)
        #expect(other.status == 1 && other.output.contains("but it may lack edits"), "\(other.output)")
        #expect(other.output.contains("may have read it damaged"), "\(other.output)")
        // It starts anew with a whole store.
        let delete = [
            "delete", demo.path, "Anna’s iPhone", "--all-documents", "--max-delete", "100%", "--yes",
        ]
        try #require(try Program.run("ticds-client", delete, environment: environment).status == 0)
        try #require(try Program.run("ticds-journal", undo, environment: environment).status == 0)
        try demo.scratch.shell("touch '\(syncs)'/*")
        let undeleted = try Program.run("ticds-verify", [demo.path] + client, environment: environment)
        #expect(undeleted.output.contains("may lack edits"), "\(undeleted.output)")
    }

    /// A repair removes a damaged set: clients that had not read it never get its edits.
    @Test func removedSetLeavesAClientWithoutEdits() throws {
        let demo = try DemoRemote(changeSets: 24)
        let environment = ["HOME": demo.scratch.path.string]
        let client = ["--as-client", "Børge’s iPad", "--document", "cookbook"]
        let before = try Program.run("ticds-verify", [demo.path] + client, environment: environment)
        try #require(before.status == 0, "\(before.output)")
        let set = try #require(
            try demo.changeSets.last { $0.contains("/cookbook/") && !$0.contains("/D8ED") }, "a set of others"
        )
        try demo.scratch.shell("cp -p '\(set)' copy; head -c 300 copy > '\(set)'; touch -r copy '\(set)'")
        let repaired = try Program.run(
            "ticds-verify", [demo.path, "--repair", "--yes"], environment: environment)
        try #require(repaired.output.contains("Done."), "\(repaired.output)\(repaired.errors)")
        try #require(try FileStatus.ifPresent(FilePath(set)) == nil)
        let late = try Program.run("ticds-verify", [demo.path] + client, environment: environment)
        #expect(late.status == 1 && late.output.contains("but it lacks edits"), "\(late.output)")
        let name = try #require(FilePath(set).lastComponent?.string)
        #expect(late.output.contains(name), "\(late.output)")
        // Others have read it, and nothing shows whether it was damaged then.
        let other = ["--as-client", "Anna’s MacBook Pro", "--document", "cookbook"]
        let perhaps = try Program.run("ticds-verify", [demo.path] + other, environment: environment)
        #expect(perhaps.status == 1 && perhaps.output.contains("but it may lack edits"), "\(perhaps.output)")
    }

    /// Copies and files of the system are no change sets: whoever removes them takes no edits away.
    @Test func removedStraysAreNoEdits() throws {
        let demo = try DemoRemote(changeSets: 24)
        let environment = ["HOME": demo.scratch.path.string]
        let set = try #require(
            try demo.changeSets.last { $0.contains("/cookbook/") && !$0.contains("/D8ED") })
        try demo.scratch.shell(
            "cp -p '\(set)' '\(set.dropLast(8)) (conflicted copy 2013-11-01).syncchg'; "
                + "echo x > \"$(dirname '\(set)')/.DS_Store\"")
        let repaired = try Program.run(
            "ticds-verify", [demo.path, "--repair", "--yes"], environment: environment)
        try #require(repaired.output.contains("Done."), "\(repaired.output)\(repaired.errors)")
        let client = ["--as-client", "Børge’s iPad", "--document", "cookbook"]
        let result = try Program.run("ticds-verify", [demo.path] + client, environment: environment)
        #expect(result.status == 0, "\(result.output)")
    }

    @Test func aModelTells() throws {
        let demo = try DemoRemote(changeSets: 12)
        let model = try demo.scratch.write(
            "contents",
            Array(
                """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Recipe"/>
                </model>
                """.utf8))
        let result = try Program.run(
            "ticds-verify",
            [demo.path, "--as-new-client", "--document", "pantry", "--model", model])
        #expect(result.status == 1 && result.output.contains("CRASHES"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("which the model that was given lacks"))
        let refused = try Program.run("ticds-verify", [demo.path, "--model", model])
        #expect(refused.status != 0 && refused.errors.contains("--model needs"))
    }

    @Test func aNewClient() throws {
        let demo = try DemoRemote(changeSets: 12)
        let words = [demo.path, "--as-new-client", "--document", "pantry"]
        let result = try Program.run("ticds-verify", words)
        #expect(result.output.contains("as a new client (not registered with the document)"))
        #expect(!result.output.contains("Document cookbook"))
        for (variant, printed) in [
            ("file-manager", "fileManager"), ("dropbox", "dropbox"), ("icloud", "iCloud"),
        ] {
            let other = try Program.run("ticds-verify", words + ["--variant", variant, "--json"])
            #expect([0, 1].contains(other.status), "\(other.errors)")
            #expect(other.output.contains("\"variant\":\"\(printed)\""))
        }
    }

    @Test func whatBlocksIsSaid() throws {
        let demo = try DemoRemote(changeSets: 12)
        let set = try demo.changeSets[0]
        try demo.scratch.shell("touch '\(set.replacing(".syncchg", with: " draft.tmp"))'")
        let result = try Program.run(
            "ticds-verify", [demo.path, "--as-new-client", "--document", "cookbook"])
        #expect(result.status == 1)
        #expect(result.output.contains("FAILS with error 2"), "\(result.output)")
        #expect(result.output.contains("The synchronisation fails"))
        #expect(!result.output.contains("does not read again"), "a new client has skipped nothing")
        let old = try Program.run(
            "ticds-verify", [demo.path, "--as-client", "D284", "--document", "cookbook"])
        #expect(old.output.contains(" it does not read again: ticds help recipes reset\n"), "\(old.output)")
    }

    @Test func unknownClients() throws {
        let demo = try DemoRemote(changeSets: 2)
        let result = try Program.run("ticds-verify", [demo.path, "--as-client", "nobody"])
        #expect(result.status == 2)
        #expect(result.errors.contains("Anna’s iPhone"))
    }

    /// A missing document is simulated, and the output is never empty.
    @Test func documentsThatAreGone() throws {
        let demo = try DemoRemote(changeSets: 2)
        try demo.scratch.shell("rm -rf '\(demo.path)/Documents/cookbook'")
        let named = try Program.run(
            "ticds-verify", [demo.path, "--as-client", "Børge’s iPad", "--document", "cookbook"])
        #expect(named.status == 1 && named.output.contains("FAILS with error 21"), "\(named.output)")
        #expect(named.errors.contains("there is no document"))
        let rest = try Program.run("ticds-verify", [demo.path, "--as-client", "Børge’s iPad"])
        #expect(rest.output.contains("A document whose folder is gone leaves no trace"))
        try demo.scratch.shell("mv '\(demo.path)/Documents/pantry' '\(demo.path)/Documents/larder'")
        let renamed = try Program.run("ticds-verify", [demo.path, "--as-new-client"])
        #expect(renamed.status == 1 && renamed.output.contains("Document pantry"), "\(renamed.output)")
        try demo.scratch.shell("rm -rf '\(demo.path)/Documents/'*")
        for (words, text) in [
            (["--as-client", "Børge’s iPad"], "FAILS with error 21"),
            (["--as-new-client"], "FAILS with error 2"),
        ] {
            let result = try Program.run("ticds-verify", [demo.path] + words)
            #expect(result.status == 1 && result.output.contains(text), "\(result.output)\(result.errors)")
            #expect(result.output.contains("Any document"))
            let json = try Program.run("ticds-verify", [demo.path, "--json"] + words)
            #expect(json.status == 1 && json.output.contains("\"document\":\"\""), "\(json.output)")
        }
        try demo.scratch.shell("rm -rf '\(demo.path)/'*; mkdir '\(demo.path)/Documents'")
        let empty = try Program.run("ticds-verify", [demo.path, "--as-client", "ANYBODY"])
        #expect(empty.status != 0 && !(empty.output + empty.errors).isEmpty)
    }
}
