import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// `ticds-journal`: the list of changes, and their undo.
@Suite struct JournalTests {
    @Test func undoAndUndoOfTheUndo() throws {
        let remote = try JournaledDemo()
        let before = try remote.image
        #expect(try remote.apply(try remote.plan()).status == 0)
        let after = try remote.image
        #expect(after.differences(from: before).count == 5)
        let undo = try remote.journal(["undo", remote.root.string, "1", "--yes"])
        #expect(undo.status == 0, "\(undo.errors)")
        #expect(undo.output.contains("Undo operation 1: Remove what nobody needs\n"), "\(undo.output)")
        #expect(try remote.image.differences(from: before) == [])
        let twice = try remote.journal(["undo", remote.root.string, "1", "--yes"])
        #expect(twice.status == 3 && twice.errors.contains("operation 2"), "\(twice.errors)")
        let redo = try remote.journal(["undo", remote.root.string, "2", "--yes"])
        #expect(redo.status == 0, "\(redo.errors)")
        #expect(try remote.image.entries.keys == after.entries.keys)
        let list = try remote.journal(["list", remote.root.string]).output
        #expect(list.contains(" undone by 3 "), "\(list)")
        let unknown = try remote.journal(["undo", remote.root.string, "7", "--yes"])
        #expect(unknown.status == 2 && unknown.errors.contains("no operation 7"), "\(unknown.errors)")
    }

    /// The last completed operation is undone step by step. Runs of ticds-sync are one line, and never the last
    /// operation.
    @Test func last() throws {
        let fixture = try SyncFixture(changeSets: 8)
        let before = try fixture.image()
        let remote = fixture.demo.path
        #expect(try fixture.run("ticds-document", ["delete", remote, "pantry", "--yes"]).status == 0)
        #expect(try fixture.clone("A").status == 0)
        for _ in 0..<3 { #expect(try fixture.sync("run", "A").status == 0) }
        let list = try fixture.run("ticds-journal", ["list", remote]).output
        #expect(list.contains("3-6 ") && list.contains("4 runs of ticds-sync"), "\(list)")
        #expect(list.split(separator: "\n").filter { $0.contains(" yes ") }.count == 2, "\(list)")
        let all = try fixture.run("ticds-journal", ["list", remote, "--all"]).output
        #expect(all.split(separator: "\n").filter { $0.contains("Synchronise client") }.count == 4, "\(all)")
        let some = try fixture.run("ticds-journal", ["list", remote, "--kind", "document"]).output
        #expect(some.contains("Delete document") && !some.contains("Register"), "\(some)")
        let limited = try fixture.run("ticds-journal", ["list", remote, "--limit", "1", "--json"])
        #expect(limited.output.contains("\"number\" : 6") || limited.output.contains("\"number\": 6"))
        #expect(!limited.output.contains("Register"))
        let old = try fixture.run("ticds-journal", ["list", remote, "--since", "2099"]).output
        #expect(!old.contains("Delete"))
        for _ in 0..<2 {
            let undo = try fixture.run("ticds-journal", ["undo", remote, "--last", "--yes"])
            #expect(undo.status == 0, "\(undo.errors)")
        }
        let none = try fixture.run("ticds-journal", ["undo", remote, "--last", "--yes"])
        #expect(
            none.status == 3 && none.errors.contains("every operation was undone already"), "\(none.errors)")
        #expect(none.errors.contains("is an undo. To undo that: ticds-journal undo"), "\(none.errors)")
        let differences = try fixture.image().differences(from: before)
        #expect(
            differences.allSatisfy { $0.contains("RecentSyncs") || $0.contains("SyncCommands") },
            "\(differences)")
    }

    /// An undo of an undo restores the change, so that it is the last operation.
    @Test func lastIsTheUndoOfAnUndo() throws {
        let remote = try DemoRemote(changeSets: 40)
        let home = ["HOME": remote.scratch.path.string]
        let vacuum = try Program.run("ticds-vacuum", [remote.path, "--yes"], environment: home)
        #expect(vacuum.status == 0, "\(vacuum.errors)")
        for words in [["--last"], ["2"], ["--last"]] {
            let undo = try Program.run(
                "ticds-journal", ["undo", remote.path] + words + ["--yes"], environment: home)
            #expect(undo.status == 0, "\(words): \(undo.errors)")
        }
        let list = try Program.run("ticds-journal", ["list", remote.path], environment: home).output
        #expect(list.contains("Undo operation 3"), "\(list)")
    }

    /// In the folder of a remote, the remote need not be named.
    @Test func namedByTheFolder() throws {
        let remote = try DemoRemote()
        let inside = try Program.shell(
            "p=$PWD; cd '\(remote.path)/Documents/cookbook' && $p/ticds-inspect status")
        #expect(inside.status == 0 && inside.output.contains("cookbook"), "\(inside.errors)")
        let outside = try Program.shell("p=$PWD; cd / && $p/ticds-inspect status")
        #expect(outside.status == 64 && outside.errors.contains("Name a REMOTE"), "\(outside.errors)")
    }

    @Test func undoAsksAndRefusesWhereTheRemoteHasMovedOn() throws {
        let remote = try JournaledDemo()
        #expect(try remote.apply(try remote.plan()).status == 0)
        #expect(try remote.journal(["undo", remote.root.string, "1"]).status == 3)
        try remote.demo.scratch.shell("echo more > '\(remote.root)/Documents/cookbook/Extra/stranger'")
        let before = try remote.image
        for option in ["--yes", "--dry-run"] {
            let result = try remote.journal(["undo", remote.root.string, "1", option])
            #expect(result.status == 3 && result.errors.contains("Extra"), "\(result.errors)")
            #expect(!result.errors.contains("Another program"), "\(result.errors)")
        }
        #expect(try remote.image.differences(from: before) == [])
    }

    /// The dry run refuses the same as the run.
    @Test(arguments: [
        "rm -r '%t/1/0'", "touch -d 2001-01-01 '%t/1/1'", "rm -r '%t/1'",
        "rm -r '%r/Documents/cookbook/Extra'", "rm '%r/Documents/cookbook/Extra/file'",
        "echo no > '%r/Documents/cookbook/Extra/file'",
    ])
    func dryRunOfAnUndoRefusesWhatItsRunRefuses(_ harm: String) throws {
        let remote = try JournaledDemo()
        #expect(try remote.apply(try remote.plan()).status == 0)
        #expect(try remote.journal(["undo", remote.root.string, "1", "--dry-run"]).status == 0)
        let state = RemoteState(root: remote.root, stateHome: remote.stateHome.appending("ticds"))
        try remote.demo.scratch.shell(
            harm.replacingOccurrences(of: "%t", with: state.folder.pushing("trash").string)
                .replacingOccurrences(of: "%r", with: remote.root.string))
        let before = try remote.image
        for options in [["--yes"], ["--dry-run"], ["--save-plan", remote.stateHome.string + "/p.json"]] {
            let result = try remote.journal(["undo", remote.root.string, "1"] + options)
            #expect(result.status == 3, "\(options) \(result.output) \(result.errors)")
            #expect(result.errors.contains("operation 1 (Remove what nobody needs) cannot be undone"))
        }
        #expect(try remote.image.differences(from: before) == [])
    }

    /// A client that is still running writes in the encryption that the undo would remove.
    @Test func undoOfAnEncryptionKeepsWhatCameAfterIt() throws {
        let demo = try DemoRemote()
        let home = demo.scratch.path.appending("state")
        func run(_ noun: String, _ words: [String]) throws -> Program.Result {
            try Program.run(noun, words, environment: ["XDG_STATE_HOME": home.string])
        }
        let password = try demo.scratch.write("password", Array("one of many".utf8))
        let encrypted = try run(
            "ticds-remote", ["encrypt", demo.path, "--password-file", password, "--yes"])
        #expect(encrypted.status == 0, "\(encrypted.errors)")
        let set = try #require(try demo.changeSets.last)
        let later = (set as NSString).deletingLastPathComponent + "/000099990000000.000000-9F.syncchg"
        try demo.scratch.shell("cp '\(set)' '\(later)'")
        for option in ["--yes", "--dry-run"] {
            let refused = try run("ticds-journal", ["undo", demo.path, "1", option])
            #expect(refused.status == 3 && refused.errors.contains("000099990000000"), "\(refused.errors)")
            #expect(refused.errors.contains("ticds-remote encrypt, decrypt or change-password"))
        }
        try TestFiles.remove(FilePath(later))
        let undone = try run("ticds-journal", ["undo", demo.path, "1", "--yes"])
        #expect(undone.status == 0, "\(undone.errors)")
        // The undo of the undo encrypts again, and refuses unencrypted files.
        try demo.scratch.shell("cp '\(set)' '\(later)'")
        let refused = try run("ticds-journal", ["undo", demo.path, "2", "--yes"])
        #expect(refused.status == 3 && refused.errors.contains("000099990000000"), "\(refused.errors)")
        try TestFiles.remove(FilePath(later))
        let again = try run("ticds-journal", ["undo", demo.path, "2", "--yes"])
        #expect(again.status == 0, "\(again.errors)")
    }

    /// The time of a file does not show when it arrived: services keep times.
    @Test func undoOfAChangedPasswordKeepsWhatCameAfterIt() throws {
        let demo = try DemoRemote(.encrypted)
        let environment = ["XDG_STATE_HOME": demo.scratch.path.appending("state").string]
        let password = try demo.scratch.write("new", Array("another one of many".utf8))
        let changed = try Program.run(
            "ticds-remote",
            ["change-password", demo.path, "--new-password-file", password, "--yes"] + demo.passwordOptions,
            environment: environment)
        #expect(changed.status == 0, "\(changed.errors)")
        let set = try #require(try demo.changeSets.first)
        let later = (set as NSString).deletingLastPathComponent + "/000099990000000.000000-9F.syncchg"
        try demo.scratch.shell("cp -p '\(set)' '\(later)'")
        for option in ["--yes", "--dry-run"] {
            let refused = try Program.run(
                "ticds-journal", ["undo", demo.path, "1", option], environment: environment)
            #expect(refused.status == 3 && refused.errors.contains("000099990000000"), "\(refused.errors)")
        }
    }

    /// A file that the operation left out existed before it.
    @Test func undoOfAnEncryptionAllowsWhatItLeftOut() throws {
        let demo = try DemoRemote()
        let environment = ["XDG_STATE_HOME": demo.scratch.path.appending("state").string]
        let set = try #require(try demo.changeSets.first)
        try demo.scratch.shell("head -c 100 /dev/urandom > '\(set)'")
        let password = try demo.scratch.write("password", Array("one of many".utf8))
        let encrypted = try Program.run(
            "ticds-remote",
            ["encrypt", demo.path, "--password-file", password, "--skip-unreadable", "--yes"],
            environment: environment)
        #expect(encrypted.status == 0, "\(encrypted.errors)")
        let undone = try Program.run(
            "ticds-journal", ["undo", demo.path, "1", "--yes"], environment: environment)
        #expect(undone.status == 0, "\(undone.errors)")
    }

    @Test func aRemoteThatWasMovedIsListedWithItsEarlierPath() throws {
        let remote = try JournaledDemo()
        #expect(try remote.apply(try remote.plan()).status == 0)
        let moved = remote.root.removingLastComponent().appending("moved")
        try remote.demo.scratch.shell("mv '\(remote.root)' '\(moved)'")
        let listed = try remote.journal(["list", moved.string])
        #expect(listed.status == 0, "\(listed.errors)")
        #expect(listed.output.contains("\(moved)\n") && listed.output.contains("  1  "), "\(listed.output)")
        #expect(listed.output.contains("Done while the folder was \(remote.root)."), "\(listed.output)")
    }

    @Test func listsTheRemotesThatAreMeant() throws {
        let remote = try JournaledDemo()
        let other = try JournaledDemo()
        let environment = remote.environment
        let none = try remote.journal(["list"])
        #expect(none.status == 0 && none.output == "There is no operation.\n", "\(none.errors)")
        for one in [remote, other] {
            let file = try one.save(try one.plan())
            let done = try Program.run(
                "ticds-journal", ["apply", file, "--yes"], environment: environment)
            #expect(done.status == 0, "\(done.errors)")
        }
        let all = try remote.journal(["list"]).output
        #expect(all.contains("\(remote.root)\n") && all.contains("\(other.root)\n"), "\(all)")
        let parent = remote.root.removingLastComponent().string
        for words in [[remote.root.string], [parent], ["\(parent)/../demo/com.example.cookbook"]] {
            let one = try remote.journal(["list"] + words)
            #expect(one.status == 0, "\(one.errors)")
            #expect(one.output.contains("\(remote.root)\n") && !one.output.contains("\(other.root)\n"))
        }
        let named = try Program.run(
            "ticds-journal", ["list"],
            environment: environment.merging(["TICDS_REMOTE": other.root.string]) { $1 })
        #expect(named.output.contains("\(other.root)\n") && !named.output.contains("\(remote.root)\n"))
        let rows = named.output.split(separator: "\n")
        #expect(rows.count == 3)
        #expect(
            rows[1].split(separator: " ") == [
                "NUMBER", "STARTED", "STATE", "ACTIONS", "TRASH", "UNDO", "WHAT",
            ])
        #expect(rows[2].hasSuffix("Remove what nobody needs") && rows[2].contains("  done "), "\(rows[2])")
        #expect(try remote.journal(["list", "/nowhere"]).status == 2)
    }

    @Test func showsEveryAction() throws {
        let remote = try JournaledDemo(changeSets: 30)
        #expect(try remote.apply(try remote.plan(15)).status == 0)
        let shown = try remote.journal(["show", remote.root.string, "1"])
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.output.split(separator: "\n").count { $0.contains(".syncchg") } == 15)
        #expect(shown.output.contains("\nOperation: 1, done\nCommand: ticds-test\n"), "\(shown.output)")
        let through = try Program.run(
            "ticds-journal", ["show", "1"],
            environment: remote.environment.merging(["TICDS_REMOTE": remote.root.string]) { $1 })
        #expect(through.status == 0 && through.output.contains("Operation: 1, done"))
        for words in [["show"], ["show", remote.root.string, "first"], ["show", remote.root.string, "0"]] {
            #expect(try remote.journal(words).status == 64)
        }
        let other = try JournaledDemo()
        let nothing = try other.journal(["show", other.root.string, "1"])
        #expect(nothing.status == 2 && nothing.errors.contains("no journal"), "\(nothing.errors)")
    }

    /// The remote's folder is gone; its journal is still found by its name.
    @Test func aRemovedRemoteComesBack() throws {
        let remote = try JournaledDemo()
        let before = try remote.image
        let removed = try remote.apply(try remote.removal(), ["--yes", "--max-delete", "100%"])
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try FileStatus.ifPresent(remote.root) == nil)
        for name in [remote.root.string, remote.root.removingLastComponent().string] {
            let list = try remote.journal(["list", name])
            #expect(list.status == 0 && list.output.contains("Remove the remote"), "\(list.errors)")
        }
        let undo = try remote.journal(["undo", remote.root.string, "1", "--yes"])
        #expect(undo.status == 0, "\(undo.errors)")
        #expect(try remote.image.differences(from: before) == [])
    }

    @Test func pruneEmptiesTheTrash() throws {
        let remote = try JournaledDemo()
        #expect(try remote.apply(try remote.plan()).status == 0)
        for words in [
            ["--older-than", "1d"], ["--larger-than", "1M"],
            ["--older-than", "1d", "--larger-than", "1000k"],
        ] {
            let result = try remote.journal(["prune", remote.root.string] + words)
            #expect(result.status == 0 && result.output == "Nothing to do.\n", "\(result.output)")
        }
        let large = ["prune", remote.root.string, "--larger-than", "1k"]
        let dry = try remote.journal(large + ["--dry-run"])
        #expect(dry.status == 0 && dry.output.contains("Remove what nobody needs"), "\(dry.errors)")
        #expect(dry.output.hasSuffix("Nothing was changed.\n"))
        let refused = try remote.journal(large)
        #expect(refused.status == 3 && refused.errors.contains("no terminal"), "\(refused.errors)")
        let undo = ["undo", remote.root.string, "1", "--dry-run"]
        #expect(try remote.journal(undo).status == 0)
        let done = try remote.journal(large + ["--yes"])
        #expect(
            done.status == 0 && done.output.contains("Deleted the trash of 1 operation: freed "),
            "\(done.errors)")
        let gone = try remote.journal(undo)
        #expect(gone.status == 3 && gone.errors.contains("trash"), "\(gone.errors)")
        for words in [[], ["--older-than", "x"], ["--larger-than", "-1"], ["--larger-than", "10Q"]] {
            #expect(try remote.journal(["prune", remote.root.string] + words).status == 64)
        }
    }

    @Test(.enabled(if: Python.available)) func anotherCommandAtWorkIsWaitedFor() throws {
        let remote = try JournaledDemo()
        #expect(try remote.apply(try remote.plan(1)).status == 0)
        let script = """
            import fcntl, glob, subprocess, sys, time
            lock = open(glob.glob(sys.argv[1] + '/ticds/*/lock')[0], 'r+')
            fcntl.flock(lock, fcntl.LOCK_EX)
            command = sys.argv[2:]
            print(subprocess.run(command).returncode, flush=True)
            waiting = subprocess.Popen(command + ['--lock-wait', '30s'])
            time.sleep(1)
            print(waiting.poll(), flush=True)
            fcntl.flock(lock, fcntl.LOCK_UN)
            print(waiting.wait(), flush=True)
            """
        let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        let words = ["undo", remote.root.string, "1", "--yes", "--quiet"]
        let result = try Program.launch(
            "/usr/bin/env",
            ["python3", "-c", script, remote.stateHome.string, Program.path("ticds-journal")] + words,
            environment: remote.environment.merging(path) { $1 }, seconds: 60)
        #expect(result.output.hasPrefix("3\nNone\n"), "\(result.output)\(result.errors)")
        #expect(result.output.hasSuffix("\n0\n"), "\(result.output)\(result.errors)")
        #expect(result.errors.contains("another command is changing this remote"), "\(result.errors)")
    }

    @Test(.enabled(if: Python.available)) func jsonDocuments() throws {
        let remote = try JournaledDemo()
        #expect(try remote.apply(try remote.plan()).status == 0)
        let path = remote.root.string
        let results = try [
            ["list"], ["show", path, "1"], ["recover", path, "--dry-run"],
            ["prune", "--larger-than", "0", "--dry-run"],
        ].map { try remote.journal($0 + ["--json"]) }
        for result in results { #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)") }
        let script = """
            listed, shown, recovered, pruned = [document(path) for path in sys.argv[1:5]]
            KEYS = 'number state command summary started finished process host user actions trash undoes undoneBy problem'.split()
            assert [one['schema'] for one in (listed, shown, recovered, pruned)] == [
                'ticds.journal/1', 'ticds.journalEntry/1', 'ticds.recovery/1', 'ticds.prune/1']
            for one in listed, pruned:
                assert len(one['remotes']) == 1 and one['remotes'][0]['remote'] == sys.argv[5]
                assert os.path.isdir(one['remotes'][0]['state'])
                assert list(one['remotes'][0]['operations'][0]) == KEYS
            record = listed['remotes'][0]['operations'][0]
            assert record == pruned['remotes'][0]['operations'][0] == {key: shown[key] for key in KEYS}
            assert (record['number'], record['state'], record['actions'], record['trash']['count']) == (1, 'done', 5, 3)
            assert TIME.fullmatch(record['started']) and TIME.fullmatch(record['finished'])
            assert shown['remote'] == sys.argv[5] and shown['plan']['summary'] == record['summary']
            assert len(shown['plan']['actions']) == 5 and len(shown['plan']['notes']) == 3
            assert (recovered['dryRun'], recovered['direction'], recovered['remotes']) == (True, 'automatic', [])
            assert pruned['dryRun'] is True
            """
        #expect(try PythonCheck.complaint(script, on: results.map(\.bytes), [path]) == "")
    }
}
