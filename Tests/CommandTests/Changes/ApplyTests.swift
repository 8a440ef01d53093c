import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// Showing a plan, asking, and carrying it out, as in all commands that change a remote.
@Suite struct ApplyTests {
    @Test func dryRunShowsThePlanAndChangesNothing() throws {
        let remote = try JournaledDemo()
        let before = try remote.image
        let result = try remote.apply(try remote.plan(), ["--dry-run"])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(try remote.image.differences(from: before) == [])
        #expect(try FileStatus.ifPresent(remote.stateHome) == nil)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "Remove what nobody needs")
        for line in [
            "in \(remote.root)", "  Every client has applied them.", "  warning: Børge’s iPad lags behind.",
            "  then: A client that comes back loads the whole store.", "Nothing was changed.",
        ] {
            #expect(lines.contains { $0 == line }, "\(line): \(result.output)")
        }
        let rows = lines.filter { $0.hasPrefix("  to the trash  Documents/cookbook/SyncChanges/") }
        #expect(rows.count == 3 && rows.allSatisfy { $0.hasSuffix("kB  applied by all") }, "\(result.output)")
        #expect(lines.contains { $0.hasPrefix("5 actions: to the trash 3 (3 files, ") }, "\(result.output)")
    }

    @Test func longListsAreCutWithACount() throws {
        let remote = try JournaledDemo(changeSets: 40)
        var plan = try remote.plan(40)
        plan.actions.sort { $0.kind.path < $1.kind.path }
        let cut = try remote.apply(plan, ["--dry-run", "--max-delete", "100%"]).output
        let whole = try remote.apply(plan, ["--dry-run", "--verbose", "--max-delete", "100%"]).output
        #expect(cut.contains(/… and \d+ more +in Documents\/cookbook\/SyncChanges\//), "\(cut)")
        #expect(!whole.contains(/… and \d+ more/))
        let count = { (text: String) in text.split(separator: "\n").count { $0.contains(".syncchg") } }
        #expect(count(whole) == 40)
        #expect(count(cut) < 30)
    }

    @Test func dryRunRefusesWhatTheRunRefuses() throws {
        let remote = try JournaledDemo()
        let file = try remote.save(try remote.plan())
        let set = try #require(try remote.demo.changeSets.first)
        try remote.demo.scratch.shell("touch -d 2001-01-01 '\(set)'")
        for option in ["--dry-run", "--yes"] {
            let result = try remote.journal(["apply", file, option])
            #expect(result.status == 3 && result.errors.contains("has changed since"), "\(result.errors)")
        }
    }

    @Test func nobodyToAskIsRefused() throws {
        let remote = try JournaledDemo()
        let before = try remote.image
        for options in [[], ["--json"], ["--quiet"]] {
            let result = try remote.apply(try remote.plan(), options)
            #expect(result.status == 3, "\(result.errors)")
            #expect(result.errors.contains("no terminal") && result.errors.contains("--yes"))
            #expect(result.bytes.isEmpty == options.contains("--json"))
        }
        #expect(try remote.image.differences(from: before) == [])
    }

    @Test(
        .enabled(if: Python.available),
        arguments: [
            ("y\\n", 0), (" YES \\n", 0), ("n\\n", 3), ("\\n", 3), ("yeah\\n", 3), ("\\x04", 3),
            ("\\x03", 102),
        ] as [(String, Int32)])
    func asks(answer: String, status: Int32) throws {
        let remote = try JournaledDemo()
        let before = try remote.image
        let file = try remote.save(try remote.plan())
        let result = try remote.journalOnTerminal(["apply", file, "--color", "never"], answer: answer)
        #expect(result.status == status, "\(result.output)\(result.errors)")
        #expect(result.output.contains("warning: Børge’s iPad lags behind.\n"))
        #expect(result.output.contains("Do this? [y/N] "))
        #expect(result.output.contains("Done.") == (status == 0))
        #expect(try remote.image.differences(from: before).isEmpty == (status != 0))
    }

    /// The plan is on the terminal before the question, wherever standard output goes.
    @Test(.enabled(if: Python.available), arguments: [[], ["--json"]])
    func asksWhereOutputGoesToAFile(options: [String]) throws {
        let remote = try JournaledDemo()
        let file = try remote.save(try remote.plan())
        let output = remote.demo.scratch.path.appending("output").string
        let result = try remote.journalOnTerminal(["apply", file] + options, answer: "y\\n", file: output)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("warning: Børge’s iPad lags behind.\n"), "\(result.output)")
        #expect(result.output.contains("Do this? [y/N] "))
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(text.contains(options.isEmpty ? "Done. To undo it" : "\"state\": \"done\""), "\(text)")
        #expect(!text.contains("Do this?"))
    }

    @Test(.enabled(if: Python.available)) func jsonIsOneDocument() throws {
        let remote = try JournaledDemo()
        let plan = try remote.plan(2, summary: "Harm\u{9B} \u{202E}done \"here\"")
        let results = try [
            remote.apply(plan, ["--json", "--dry-run"]), remote.apply(plan, ["--json", "--yes"]),
            remote.apply(
                Plan(root: remote.root, command: "ticds-test", summary: "None"), ["--json", "--yes"]),
        ]
        for result in results { #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)") }
        let script = """
            dry, done, none = [document(path) for path in sys.argv[1:4]]
            for one in dry, done, none:
                assert list(one) == 'schema remote dryRun state operation savedPlan plan'.split(), list(one)
                assert one['schema'] == 'ticds.operation/1' and one['savedPlan'] is None
                assert one['plan']['schema'] == 'ticds.plan/1'
                assert one['remote'] == one['plan']['root'] == sys.argv[4]
            assert (dry['state'], dry['operation'], dry['dryRun']) == ('planned', None, True)
            assert (done['state'], done['operation'], done['dryRun']) == ('done', 1, False)
            assert (none['state'], none['operation'], none['dryRun']) == ('nothing', None, False)
            assert dry['plan'] == done['plan'] == json.load(open(sys.argv[5]))
            assert dry['plan']['summary'] == 'Harm\\u009b \\u202edone "here"', dry['plan']['summary']
            """
        let complaint = try PythonCheck.complaint(
            script, on: results.map(\.bytes), [remote.root.string, try remote.save(plan)])
        #expect(complaint == "")
    }

    @Test func tooMuchIsRefusedWithTheFigure() throws {
        let remote = try JournaledDemo()
        let plan = try remote.plan(9)
        let before = try remote.image
        let refused = try remote.apply(plan)
        #expect(refused.status == 3)
        #expect(refused.errors.contains("9 of the 12 change sets"), "\(refused.errors)")
        #expect(refused.errors.contains("--max-delete 9"))
        for options in [["--max-delete", "8"], ["--max-delete", "74%"]] {
            #expect(try remote.apply(plan, ["--yes"] + options).status == 3)
        }
        let dry = try remote.apply(plan, ["--dry-run"])
        #expect(dry.status == 3 && dry.errors.contains("this plan is refused: "), "\(dry.errors)")
        #expect(try remote.image.differences(from: before) == [])
        #expect(try remote.apply(plan, ["--yes", "--max-delete", "75%"]).status == 0)
    }

    @Test func anEmptyPlanIsNothingToDo() throws {
        let remote = try JournaledDemo()
        let result = try remote.apply(Plan(root: remote.root, command: "ticds-test", summary: "None"), [])
        #expect(result.status == 0 && result.output.hasSuffix("Nothing to do.\n"), "\(result.errors)")
        #expect(try FileStatus.ifPresent(remote.stateHome) == nil)
    }

    @Test func quietPrintsNothingIfAllIsWell() throws {
        let remote = try JournaledDemo()
        let result = try remote.apply(try remote.plan(), ["--yes", "--quiet"])
        #expect(result.output == "")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }

    @Test func withoutTrashItCannotBeUndone() throws {
        let remote = try JournaledDemo()
        let result = try remote.apply(try remote.plan(), ["--yes", "--no-trash"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("  delete       Documents/"), "\(result.output)")
        #expect(result.output.hasSuffix("Done. It cannot be undone (operation 1).\n"))
        #expect(try remote.journal(["undo", remote.root.string, "1", "--yes"]).status == 3)
    }

    @Test func aChangedRemoteIsLeftAlone() throws {
        let remote = try JournaledDemo()
        let plan = try remote.plan()
        try remote.demo.scratch.shell(
            "echo more >> '\(try #require(try remote.demo.changeSets.dropFirst().first))'")
        let before = try remote.image
        let result = try remote.apply(plan)
        #expect(result.status == 3 && result.errors.contains("has changed"), "\(result.errors)")
        #expect(try remote.image.differences(from: before) == [])
    }

    @Test func plansForOtherFoldersAreRefused() throws {
        let remote = try JournaledDemo()
        var plan = try remote.plan()
        plan.root = remote.root.appending("Documents").appending("cookbook")
        #expect(try remote.apply(plan).status == 2)
        plan.root = remote.root.removingLastComponent()
        let parent = try remote.apply(plan)
        #expect(
            parent.status == 3 && parent.errors.contains("the folder of the plan is not that of the remote"),
            "\(parent.errors)")
        plan.root = "/nowhere/at/all"
        let nowhere = try remote.apply(plan)
        #expect(nowhere.status == 3 && nowhere.errors.contains("does not exist here"), "\(nowhere.errors)")
        let file = try remote.demo.scratch.write("bad.json", Array("{\"schema\":\"ticds.plan/1\"}".utf8))
        let bad = try remote.journal(["apply", file, "--yes"])
        #expect(bad.status == 2 && bad.errors.contains("not a saved plan"), "\(bad.errors)")
        let shortened = try String(contentsOfFile: try remote.save(try remote.plan()), encoding: .utf8)
            .replacing(/"conditions" *: *\[[^\]]*\],?/, with: "")
        let unconditional = try remote.demo.scratch.write("unconditional.json", Array(shortened.utf8))
        let result = try remote.journal(["apply", unconditional, "--yes"])
        #expect(result.status == 2 && result.errors.contains("conditions"), "\(result.errors)")
        #expect(try remote.journal(["apply", "/nowhere", "--yes"]).status == 2)
    }

    @Test func savedPlansAreNewFilesOutsideOfTheRemote() throws {
        let remote = try JournaledDemo()
        let plan = try remote.plan()
        let before = try remote.image
        let copy = remote.demo.scratch.path.appending("copy.json")
        let saved = try remote.apply(plan, ["--save-plan", copy.string])
        #expect(saved.status == 0 && saved.output.contains("ticds-journal apply "), "\(saved.errors)")
        #expect(try PlanFile.read(copy) == plan)
        let again = try remote.apply(plan, ["--save-plan", copy.string])
        #expect(again.status == 3 && again.errors.contains("the file already exists"), "\(again.errors)")
        let inside = try remote.apply(plan, ["--save-plan", remote.root.appending("plan.json").string])
        #expect(inside.status == 3 && inside.errors.contains("in the remote"), "\(inside.errors)")
        #expect(try remote.apply(plan, ["--save-plan", "/nowhere/plan.json"]).status == 2)
        #expect(try remote.apply(plan, ["--save-plan", "x", "--yes"]).status == 64)
        #expect(try remote.image.differences(from: before) == [])
        #expect(try FileStatus.ifPresent(remote.stateHome) == nil)
        #expect(try remote.journal(["apply", copy.string, "--yes"]).status == 0)
    }

    /// A saved plan contains the permission with which it was made.
    @Test func savedPlanKeepsItsLimit() throws {
        let remote = try JournaledDemo(changeSets: 20)
        let plan = try remote.plan(15)
        let copies = ["none", "some", "all"].map { remote.demo.scratch.path.appending($0).string }
        let none = try remote.apply(plan, ["--save-plan", copies[0]])
        #expect(
            none.status == 0 && none.errors.contains("warning: ticds-journal apply refuses this plan: "),
            "\(none.errors)")
        #expect(try remote.journal(["apply", copies[0], "--yes"]).status == 3)
        let some = try remote.apply(plan, ["--save-plan", copies[1], "--max-delete", "15"])
        #expect(some.status == 0 && some.errors.isEmpty, "\(some.errors)")
        // The option takes precedence over the plan.
        #expect(try remote.journal(["apply", copies[1], "--yes", "--max-delete", "3"]).status == 3)
        let done = try remote.journal(["apply", copies[1], "--yes"])
        #expect(done.status == 0, "\(done.errors)")
        let all = try Program.run(
            "ticds-document", ["delete", remote.root.string, "pantry", "--save-plan", copies[2]],
            environment: remote.environment)
        #expect(all.status == 0 && all.errors.isEmpty, "\(all.errors)")
        let deleted = try remote.journal(["apply", copies[2], "--yes"])
        #expect(deleted.status == 0, "\(deleted.errors)")
        try remote.demo.scratch.shell("sed -i 's/\"100%\"/\"many\"/' all")
        let bad = try remote.journal(["apply", copies[2], "--yes"])
        #expect(bad.status == 2 && bad.errors.contains("is not a limit"), "\(bad.errors)")
    }

    /// A script that applies the plan carries out no older one.
    @Test func planWithoutActionsIsSaved() throws {
        let remote = try JournaledDemo()
        let before = try remote.image
        let nothing = Plan(root: remote.root, command: "ticds-test", summary: "None")
        let copy = remote.demo.scratch.path.appending("copy.json").string
        let saved = try remote.apply(nothing, ["--save-plan", copy, "--json"])
        #expect(saved.status == 0 && saved.output.contains("\"savedPlan\": \"\(copy)\""), "\(saved.output)")
        #expect(try PlanFile.read(FilePath(copy)) == nothing)
        let done = try remote.journal(["apply", copy, "--yes"])
        #expect(done.status == 0 && done.output.contains("Nothing to do."), "\(done.errors)")
        let again = try remote.apply(nothing, ["--save-plan", copy])
        #expect(again.status == 3 && again.errors.contains("the file already exists"), "\(again.errors)")
        #expect(try remote.image.differences(from: before) == [])
    }

    @Test func plansThatNeedKeysAreNotSaved() throws {
        let remote = try JournaledDemo()
        var plan = try remote.plan(1)
        guard case .moveToTrash(let path, let seen)? = plan.actions.first?.kind else {
            Issue.record("no action")
            return
        }
        plan.actions = []
        plan.add(
            .replaceFile(path: path, content: .recoded(from: path, seen: seen), modified: nil, seen: seen))
        let copy = remote.demo.scratch.path.appending("copy.json").string
        let result = try remote.apply(plan, ["--save-plan", copy])
        #expect(result.status == 3 && result.errors.contains("cannot be saved"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func theStateLiesInTheHomeFolderByDefault() throws {
        let remote = try JournaledDemo()
        let home = remote.demo.scratch.path
        let file = try remote.save(try remote.plan())
        for environment in [["HOME": home.string], ["HOME": home.string, "XDG_STATE_HOME": "relative"]] {
            let result = try Program.run(
                "ticds-journal", ["apply", file, "--yes", "-q"], environment: environment)
            #expect(result.status == (environment.count == 1 ? 0 : 3), "\(result.errors)")
        }
        let folder = home.pushing(FilePath(".local/state/ticds"))
        #expect(try LocalStorage(root: folder).list(.root).listing.count == 1)
        let nowhere = try Program.run("ticds-journal", ["list"])
        #expect(nowhere.status == 2 && nowhere.errors.contains("XDG_STATE_HOME"), "\(nowhere.errors)")
    }
}
