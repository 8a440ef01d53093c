import Base
import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Inventories, local runs, and the database of their results.
@Suite struct FleetTests {
    /// The identifier is the digest of the location, and scanning twice changes nothing.
    @Test func scansAndSelects() throws {
        let fleet = try FleetFixture(plain: 4)
        let identifiers = try fleet.identifiers()
        #expect(identifiers.keys.sorted() == ["broken", "empty", "p0", "p1", "p2", "p3", "sealed"])
        let location = fleet.root.appending("p0").appending("com.example.cookbook").string
        let digest = try fleet.scratch.shell("printf %s '\(location)' | sha256sum | cut -c1-16")
        #expect(identifiers["p0"] == digest.trimmingCharacters(in: .newlines))
        let inventory = fleet.path("state/ticds/fleet/inventory.jsonl")
        let before = try Data(contentsOf: URL(filePath: inventory))
        #expect(try fleet.expect(0, ["scan", fleet.root.string]).contains("0 new remotes, 7 known"))
        #expect(try Data(contentsOf: URL(filePath: inventory)) == before)
        #expect(!String(decoding: before, as: UTF8.self).contains("open sesame"))
        let sealed = try fleet.expect(0, ["list", "--tag", "sealed", "--tag", "all", "--json"])
        #expect(sealed.split(separator: "\n").count == 1 && sealed.contains("passwordFile"))
        let small = try fleet.expect(0, ["list", "--sample", "2", "--json"]).split(separator: "\n")
        let large = try fleet.expect(0, ["list", "--sample", "4", "--json"]).split(separator: "\n")
        #expect(small.count == 2 && large.count == 4 && Set(small).isSubset(of: Set(large)))
        #expect(try fleet.expect(0, ["list", "--application", "com.example.empty"]).contains("1 remote\n"))
        #expect(try fleet.run(["list", "--id", "0000000000000000"]).status == 2)
        try fleet.expect(0, ["tag", "old", "--id", #require(identifiers["p1"])])
        try fleet.scratch.shell("rm -r sync/p2")
        #expect(try fleet.expect(0, ["scan", fleet.root.string]).contains("Not found any more: 1 remote"))
        #expect(try fleet.expect(0, ["scan", fleet.root.string, "--prune"]).contains("gone: 1 remote"))
        try fleet.expect(0, ["remove", "--tag", "old"])
        #expect(try fleet.identifiers().count == 5)
        #expect(try fleet.run(["remove"]).status == 64)
    }

    /// Without a named run, the command uses the newest or lists the runs.
    @Test func runsAreNamedWhereOneIsMissing() throws {
        let fleet = try FleetFixture(plain: 1, others: false)
        let before = try fleet.run(["status"])
        #expect(before.status == 2 && before.errors.contains("there is no run"), "\(before.errors)")
        try fleet.expect(0, ["run", "--to", "older run", "status"])
        let begun = "\"begun\": *\"[^\"]*\""
        try fleet.scratch.shell(
            "sed -i -E 's/\(begun)/\"begun\": \"2001-01-01T00:00:00Z\"/' 'state/ticds/fleet/runs/older run/run.json'"
        )
        try fleet.expect(0, ["run", "--to", "newer", "status"])
        #expect(try fleet.expect(0, ["status", "--json"]) == fleet.expect(0, ["status", "newer", "--json"]))
        let page = fleet.path("page.html")
        for words in [["query"], ["report", "--html", page], ["metrics"]] {
            let result = try fleet.run(words)
            #expect(
                result.status == 64
                    && result.errors.contains(
                        "Runs, the newest first: newer, 'older run'. A database of the newest: "
                            + "ticds-fleet merge newer --to FILE"),
                "\(words): \(result.errors)")
        }
        let merge = try fleet.run(["merge", "--to", fleet.path("x.sqlite")])
        #expect(
            merge.status == 64 && merge.errors.contains("Runs, the newest first: newer"), "\(merge.errors)")
    }

    /// A name that no remote has selects nothing, and is reported.
    @Test func unknownNamesAreErrors() throws {
        let fleet = try FleetFixture(plain: 2, others: false)
        for words in [["list"], ["remove", "--quiet"], ["tag", "new"], ["run", "status"]] {
            for (option, text) in [("--tag", "this tag"), ("--application", "this application")] {
                let result = try fleet.run([words[0], option, "nosuch"] + words.dropFirst())
                #expect(result.status == 2 && result.output.isEmpty, "\(words): \(result.output)")
                #expect(result.errors.contains("nosuch: no remote of the inventory has \(text). See: "))
            }
        }
        let near = try fleet.run(["remove", "--tag", "alll"])
        #expect(near.status == 2 && near.errors.contains("Did you mean all?"), "\(near.errors)")
        try fleet.expect(0, ["tag", "one", "--id", #require(fleet.identifiers()["p0"])])
        try fleet.expect(0, ["tag", "two", "--id", #require(fleet.identifiers()["p1"])])
        let neither = try fleet.run(["remove", "--tag", "one", "--tag", "two"])
        #expect(neither.status == 2 && neither.errors.contains("no remote is selected"), "\(neither.errors)")
        #expect(try fleet.identifiers().count == 2)
    }

    /// Options of the run precede its command.
    @Test func misplacedOptionsAreExplained() throws {
        let fleet = try FleetFixture(plain: 1, others: false)
        for (words, text) in [
            (["run", "verify", "--tag", "all"], "--tag is an option of ticds-fleet run, and stands before"),
            (["plan", "vacuum", "--jobs=2"], "--jobs is an option of ticds-fleet plan, and stands before"),
            (
                ["run", "verify", "--level", "names", "-q"],
                "the option -q has no place in a command of a fleet"
            ),
        ] {
            let result = try fleet.run(words)
            #expect(result.status == 64 && result.errors.contains(text), "\(result.errors)")
        }
        let unknown = try fleet.run(["run", "verify", "--tg", "all"])
        #expect(unknown.status == 64 && unknown.errors.contains("Unknown option '--tg'"), "\(unknown.errors)")
    }

    /// The lock of a merge is removed with it, and excludes others while it exists.
    @Test func helpAfterTheCommandStartsNoRun() throws {
        for words in [["run", "verify", "--help"], ["run", "changes", "stats", "-h"], ["run", "--help"]] {
            let scratch = try Scratch()
            let result = try Program.run("ticds-fleet", words, environment: ["HOME": scratch.path.string])
            #expect(
                result.status == 0 && result.output.contains("USAGE: ticds-fleet run"), "\(result.errors)")
        }
    }

    @Test func mergeLeavesOnlyItsDatabase() throws {
        let fleet = try FleetFixture(plain: 1, others: false)
        try fleet.expect(0, ["run", "--to", fleet.path("run"), "status"])
        let merge = ["merge", fleet.path("run"), "--to", fleet.path("fleet.sqlite")]
        for _ in 0..<2 {
            try fleet.expect(0, merge)
            #expect(try fleet.scratch.shell("ls -A | grep fleet") == "fleet.sqlite\n")
        }
        try fleet.scratch.shell(
            """
            export XDG_STATE_HOME="$PWD/state"
            status=0; flock fleet.sqlite.lock '\(Program.path("ticds-fleet"))' merge ./run --to fleet.sqlite || status=$?
            test $status = 3
            """)
        try fleet.expect(0, merge)
    }

    /// The worker of a killed run does not count as active.
    @Test func killedWorkerIsNotAtWork() throws {
        let fleet = try FleetFixture(plain: 1, others: false)
        let run = fleet.path("run")
        try fleet.expect(0, ["run", "--to", run, "status"])
        func status(process: Int32) throws -> String {
            try fleet.scratch.shell(
                """
                sed -i -E 's/("hasEnded": ?)true/\\1false/; s/("process": ?)[0-9]+/\\1\(process)/' run/shards/*.json
                """)
            return try fleet.run(["status", run]).output
        }
        #expect(try status(process: ProcessInfo.processInfo.processIdentifier).contains("1 worker at work"))
        let killed = try status(process: .max)
        #expect(killed.contains("stopped before its end") && !killed.contains("at work"), "\(killed)")
        // A different run may take its name at once.
        try fleet.scratch.shell("mkdir -p state/ticds/fleet/runs; mv run state/ticds/fleet/runs/status")
        let other = try fleet.run(["run", "status", "--bytes"])
        #expect(other.status == 0 && other.errors.contains("its results are now in"), "\(other.errors)")
    }

    /// A run with the standard name and different options begins again, and keeps the results of the earlier one.
    @Test func runWithOtherOptionsMovesTheEarlierAside() throws {
        let fleet = try FleetFixture(plain: 2, others: false)
        let runs = fleet.path("state/ticds/fleet/runs")
        try fleet.expect(0, ["run", "verify"])
        let deep = try fleet.run(["run", "verify", "--level", "deep"])
        #expect(
            deep.status == 0 && deep.errors.contains("its results are now in \(runs)/verify-"),
            "\(deep.errors)")
        #expect(deep.output.contains("2 remotes: 2 done"), "\(deep.output)")
        let folders = try FileManager.default.contentsOfDirectory(atPath: runs).sorted()
        #expect(folders.count == 2 && folders[0] == "verify", "\(folders)")
        for (folder, level) in zip(folders, ["deep", "contents"]) {
            let results = try fleet.envelopes("state/ticds/fleet/runs/\(folder)").values
            #expect(results.count == 2)
            for result in results {
                #expect(String(decoding: result, as: UTF8.self).contains("\"level\":\"\(level)\""))
            }
        }
        let again = try fleet.run(["run", "verify", "--level", "deep"])
        #expect(again.status == 0 && again.errors.contains("2 remotes unchanged"), "\(again.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: runs).count == 2)
    }

    @Test func listIsLimited() throws {
        let fleet = try FleetFixture(plain: 3, others: false)
        let text = try fleet.expect(0, ["list", "--limit", "1"])
        #expect(text.hasSuffix("and 2 more, which --limit leaves out\n"), "\(text)")
    }

    /// Names that are not UTF-8, or harm a terminal, reach the child process byte for byte.
    @Test func runsOnNamesOfAnyBytes() throws {
        let fleet = try FleetFixture(plain: 1, others: false)
        try fleet.scratch.shell(
            #"mkdir sync/$'\xe9\n$(touch x)' && mv sync/p0/com.example.cookbook sync/$'\xe9\n$(touch x)'/"#)
        try fleet.expect(0, ["scan", fleet.root.string, "--prune"])
        try fleet.expect(0, ["run", "--to", fleet.path("run"), "status"])
        #expect(!FileManager.default.fileExists(atPath: fleet.path("x")))
        let text = try fleet.expect(0, ["list"])
        #expect(text.contains("\\xE9\\n$(touch x)"), "\(text)")
    }

    /// Every kind of remote gets the right state; a repeated run processes only new, changed or failed remotes.
    @Test func runsAndRepeats() throws {
        let fleet = try FleetFixture(plain: 2)
        let run = ["run", "--to", fleet.path("run"), "verify"]
        // The damaged remote and the empty one have findings.
        let first = try fleet.expect(1, run)
        #expect(first.contains("5 remotes: 5 done, 2 of them with findings"), "\(first)")
        #expect(
            first.split(separator: "\n").contains { $0.hasPrefix("  /") && $0.contains(" error") }, "\(first)"
        )
        let limited = try fleet.expect(1, ["status", fleet.path("run"), "--limit", "1"])
        #expect(limited.contains("  and 1 more with findings"), "\(limited)")
        let identifiers = try fleet.identifiers()
        let sealed = try fleet.envelope("run", #require(identifiers["sealed"]))
        #expect(sealed["state"] as? String == "done" && sealed["exitStatus"] as? Int == 0)
        let payload = try #require(sealed["payload"] as? [[String: Any]])
        #expect(payload.last?["schema"] as? String == "ticds.verify/1")
        #expect((payload.last?["notOpened"] as? [String: Any])?["count"] as? Int == 0)
        let before = try fleet.envelopes("run")
        try fleet.expect(1, run)
        #expect(try fleet.envelopes("run") == before)
        try fleet.scratch.shell("touch sync/p1/com.example.cookbook/ReadMe.txt")
        try fleet.expect(1, run)
        let after = try fleet.envelopes("run")
        let changed = after.filter { before[$0.key] != $0.value }.map(\.key)
        #expect(changed == [identifiers["p1"]])
        // A missing password is retried, up to the last attempt.
        try fleet.scratch.shell("mv password gone")
        for attempt in 1...3 {
            let again = ["run", "--to", fleet.path("locked"), "--tag", "sealed", "changes", "stats"]
            try fleet.expect(5, again)
            let locked = try fleet.envelope("locked", #require(identifiers["sealed"]))
            #expect(locked["attempts"] as? Int == attempt && locked["reason"] as? String == "password")
            #expect(locked["state"] as? String == (attempt < 3 ? "retry" : "never"))
        }
        try fleet.scratch.shell("mv gone password")
        let never = [
            "run", "--to", fleet.path("locked"), "--tag", "sealed", "--again", "never", "changes", "stats",
        ]
        try fleet.expect(0, never)
    }

    /// A remote that hangs, one that crashes the command, one that fills the memory and one that prints endlessly
    /// affect only themselves.
    @Test func containsHostileRemotes() throws {
        let fleet = try FleetFixture(plain: 4)
        let identifiers = try fleet.identifiers()
        func reference(_ name: String, _ command: String) throws {
            let remote = fleet.root.appending(name).appending("com.example.cookbook").string
            try fleet.expect(0, ["add", remote, "--password-command", command])
        }
        // The encrypted remote is copied, since only its password is requested.
        try fleet.scratch.shell(
            "for name in p0 p1; do rm -r sync/$name/*; cp -a sync/sealed/com.example.cookbook sync/$name/; done"
        )
        try reference("p0", "mkfifo \(fleet.path("fifo")); cat \(fleet.path("fifo"))")
        try reference("p1", "kill -KILL $PPID")
        let sets = "\(fleet.root)/p2/com.example.cookbook/Documents/cookbook/SyncChanges"
        try fleet.scratch.shell(
            "f=$(ls '\(sets)'/*/*.syncchg | head -n 1); printf x > \"$f\"; truncate -s 500M \"$f\"")
        let options = ["--timeout", "3s", "--memory", "400M", "--attempts", "2", "--to", fleet.path("run")]
        let result = try fleet.run(["run"] + options + ["changes", "stats"])
        #expect(result.status == 5, "\(result.output)\(result.errors)")
        func reason(_ name: String) throws -> String? {
            try fleet.envelope("run", #require(identifiers[name]))["reason"] as? String
        }
        #expect(try reason("p0") == "timeout")
        #expect(try reason("p1") == "crash")
        // Either the read is refused for lack of memory, or the set is named as unread.
        #expect(try ["memory", "partial", "failed"].contains(reason("p2")))
        #expect(try reason("p3") == nil)
        #expect(try reason("sealed") == nil)
        let much = [
            "run", "--max-output", "1k", "--to", fleet.path("much"), "--id", try #require(identifiers["p3"]),
        ]
        try fleet.expect(5, much + ["changes", "dump"])
        #expect(try fleet.envelope("much", #require(identifiers["p3"]))["reason"] as? String == "output")
    }

    /// Two coordinators of one run at the same time: no remote is omitted, and no result is damaged. One of them may
    /// report that the other one processes the shard.
    @Test func twoCoordinatorsShareARun() throws {
        let fleet = try FleetFixture(plain: 12)
        try fleet.expect(1, ["run", "--to", fleet.path("alone"), "verify"])
        try fleet.expect(0, ["merge", fleet.path("alone"), "--to", fleet.path("alone.sqlite")])
        let run = ["run", "--to", fleet.path("shared"), "verify"]
        let results = Mutex<[Program.Result]>([])
        DispatchQueue.concurrentPerform(iterations: 3) { _ in
            // try?: what does not end is missing below
            if let result = try? fleet.run(run) { results.withLock { $0.append(result) } }
        }
        let ended = results.withLock(\.self)
        #expect(ended.count == 3 && ended.contains { $0.status == 1 })
        for result in ended where result.status != 1 {
            #expect(result.status == 3 && result.errors.contains("another worker"), "\(result.errors)")
        }
        try fleet.expect(1, run)
        try fleet.expect(0, ["merge", fleet.path("shared"), "--to", fleet.path("shared.sqlite")])
        #expect(try fleet.rows("shared.sqlite") == fleet.rows("alone.sqlite"))
    }

    /// All shards together process every remote once; the environment of a job names the shard.
    @Test func dividesIntoShards() throws {
        let fleet = try FleetFixture(plain: 5, others: false)
        let line = try fleet.expect(
            0, ["run", "--to", fleet.path("run"), "--shards", "3", "--dry-run", "status"])
        #expect(line.contains("ticds-fleet work"), "\(line)")
        #expect(try fleet.envelopes("run").isEmpty)
        var seen: Set<String> = []
        for (variable, index) in [
            ("SLURM_ARRAY_TASK_ID", "1"), ("PARALLEL_SEQ", "2"), ("JOB_COMPLETION_INDEX", "2"),
        ] {
            try fleet.expect(0, ["work", fleet.path("run")], environment: [variable: index])
            let now = try Set(fleet.envelopes("run").keys)
            #expect(now.isSuperset(of: seen))
            seen = now
        }
        #expect(try seen == Set(fleet.identifiers().values))
        #expect(try fleet.run(["work", fleet.path("run"), "--shard", "4/3"]).status == 64)
        let status = try fleet.expect(0, ["status", fleet.path("run")])
        #expect(status.contains("5 remotes: 5 done"))
    }

    /// A run stops when more remotes fail than permitted.
    @Test func stopsAfterTooManyFailures() throws {
        let fleet = try FleetFixture(plain: 6, others: false)
        try fleet.scratch.shell("for n in 0 1 2 3 4 5; do rm -r sync/p$n/*; done")
        let options = ["--max-failures", "20%", "--jobs", "1", "--to", fleet.path("run")]
        let result = try fleet.run(["run"] + options + ["status"])
        #expect(result.status == 2 && result.errors.contains("--max-failures 20%"), "\(result.errors)")
        #expect(try fleet.envelopes("run").count == 2)
    }

    /// Only reading commands run, and their options are checked before the run begins.
    @Test(arguments: [
        ["vacuum"], ["verify", "--repair"], ["verify", "--levle", "deep"], ["changes", "stats", "--yes"],
        ["archive", "export", "{}", "/tmp/one.tar.gz"], ["client", "delete", "{}", "x"],
        ["--", "journal", "undo"],
        ["status", "--json"], [""],
    ])
    func refusesOtherCommands(command: [String]) throws {
        let fleet = try FleetFixture(plain: 1, others: false)
        let result = try fleet.run(["run", "--to", fleet.path("run")] + command)
        #expect(result.status == 64, "\(result.output)\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: fleet.path("run")))
    }

    /// An archive for each remote.
    @Test func exportsArchives() throws {
        let fleet = try FleetFixture(plain: 2, others: false)
        try fleet.scratch.shell("mkdir archives")
        let archive = fleet.path("archives/{id}.tar.gz")
        try fleet.expect(0, ["run", "--to", fleet.path("run"), "archive", "export", "{}", archive])
        let names = try FileManager.default.contentsOfDirectory(atPath: fleet.path("archives"))
        #expect(try names.sorted() == fleet.identifiers().values.map { "\($0).tar.gz" }.sorted())
    }

    /// A path is relative to the folder in which the run is started, wherever its workers are.
    @Test func relativePathsAreThoseOfTheBeginning() throws {
        let fleet = try FleetFixture(plain: 1, others: false)
        let words = "run --to '\(fleet.path("run"))' archive export {} {id}.tar.gz --log-file=log"
        let environment = ["XDG_STATE_HOME": fleet.path("state"), "TZ": "UTC"]
        func go(_ folder: String, _ line: String) throws -> Program.Result {
            try fleet.scratch.shell("mkdir -p \(folder)")
            return try Program.shell(
                "cd '\(fleet.path(folder))' && ticds-fleet \(line)", environment: environment)
        }
        let prepared = try go("here", words.replacing("run --to", with: "run --dry-run --shards 1 --to"))
        #expect(prepared.status == 0, "\(prepared.errors)")
        let worked = try go("there", "work '\(fleet.path("run"))'")
        #expect(worked.status == 0, "\(worked.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: fleet.path("here"))
        #expect(
            try names.sorted()
                == [fleet.identifiers().values.map { "\($0).tar.gz" }, ["log"]].flatMap(\.self))
        #expect(try FileManager.default.contentsOfDirectory(atPath: fleet.path("there")).isEmpty)
        let other = try go("there", words)
        #expect(other.status == 3 && other.errors.contains("another command"), "\(other.errors)")
    }

    /// The order of runs, and merging twice, change no byte of the database; a damaged envelope is named and omitted.
    @Test func mergesInAnyOrder() throws {
        let fleet = try FleetFixture(plain: 3)
        for command in [["verify"], ["status"], ["store", "list"]] {
            let result = try fleet.run(["run", "--to", fleet.path(command[0])] + command)
            #expect([0, 1].contains(result.status), "\(result.errors)")
        }
        let runs = ["verify", "status", "store"].map(fleet.path)
        try fleet.expect(0, ["merge"] + runs + ["--to", fleet.path("one.sqlite")])
        for run in (runs + runs).reversed() {
            try fleet.expect(0, ["merge", run, "--to", fleet.path("two.sqlite")])
        }
        let one = try Data(contentsOf: URL(filePath: fleet.path("one.sqlite")))
        #expect(try Data(contentsOf: URL(filePath: fleet.path("two.sqlite"))) == one)
        try #expect(fleet.scratch.shell("/usr/bin/sqlite3 one.sqlite 'PRAGMA integrity_check'") == "ok\n")
        let file = try #require(fleet.envelopes("verify").keys.sorted().first)
        try fleet.scratch.shell("truncate -s -2 verify/envelopes/*/\(file).json")
        let result = try fleet.run(["merge", runs[0], "--to", fleet.path("three.sqlite")])
        #expect(result.status == 5 && result.errors.contains(file), "\(result.errors)")
        // The next run makes it again.
        let again = try fleet.run(["run", "--to", runs[0], "verify"])
        #expect(again.status == 1)
        #expect(try fleet.envelope("verify", file)["state"] as? String == "done")
    }

    /// Every named query has a result, and nothing changes the database.
    @Test func answersQuestions() throws {
        let fleet = try FleetFixture(plain: 2)
        for (name, words, typed) in [
            ("verify", ["verify"], "ticds verify REMOTE"),
            ("status", ["status"], "ticds inspect status REMOTE"),
            ("stores", ["store", "list"], "ticds store list REMOTE"),
        ] {
            let shown = try fleet.run(["run", "--to", fleet.path(name)] + words).output
            let heading = shown.prefix { $0 != "\n" }
            #expect(heading.hasPrefix("\(name): \(typed), for each of ") && heading.hasSuffix(" remotes"))
        }
        let database = fleet.path("fleet.sqlite")
        let runs = ["verify", "status", "stores"].map(fleet.path)
        try fleet.expect(0, ["merge"] + runs + ["--to", database])
        let before = try Data(contentsOf: URL(filePath: database))
        let dump = try HelpDump.of("ticds-fleet")
        let query = try #require(dump.usableCommands.first { $0.commandName == "query" })
        let questions = query.arguments?.first { $0.names == nil }?.allValues ?? []
        #expect(questions.count > 10)
        for question in questions {
            try fleet.expect(0, ["query", question, "--database", database])
            let sql = try fleet.expect(0, ["query", question, "--show-sql", "--database", database])
            try fleet.scratch.shell("cat > q.sql <<'END'\n\(sql)END\n/usr/bin/sqlite3 fleet.sqlite < q.sql")
        }
        // Notes alone make no remote bad.
        let noted = try #require(try fleet.identifiers()["p0"])
        let all = try fleet.expect(0, ["query", "--sql", "SELECT id FROM findings", "--database", database])
        let worst = try fleet.expect(0, ["query", "worst", "--database", database])
        #expect(worst.contains("broken") && all.contains(noted) && !worst.contains(noted), "\(worst)")
        for statement in ["DELETE FROM remotes", "ATTACH 'x.sqlite' AS x", "nonsense", "CREATE TABLE x(y)"] {
            #expect(try fleet.run(["query", "--sql", statement, "--database", database]).status == 3)
        }
        #expect(try Data(contentsOf: URL(filePath: database)) == before)
        try fleet.scratch.shell("echo no > other.sqlite; /usr/bin/sqlite3 third.sqlite 'CREATE TABLE x(y)'")
        for other in ["other.sqlite", "third.sqlite"] {
            #expect(try fleet.run(["query", "states", "--database", fleet.path(other)]).status == 2)
            #expect(try fleet.run(["merge", fleet.path("verify"), "--to", fleet.path(other)]).status == 2)
        }
    }

    /// The page is well-formed, has no script, and shows hostile names as text; pages of remotes are linked.
    @Test(.enabled(if: Python.available)) func writesAPage() throws {
        let fleet = try FleetFixture(plain: 2)
        try fleet.scratch.shell(
            "mkdir 'sync/<script>alert(1)<'; mv sync/p0/* 'sync/<script>alert(1)<'/; touch sync/broken/com.example.cookbook/'<b>&\"'"
        )
        try fleet.expect(0, ["scan", fleet.root.string, "--prune"])
        for command in [["verify"], ["status"], ["store", "list"]] {
            _ = try fleet.run(["run", "--to", fleet.path(command[0])] + command)
        }
        let runs = ["verify", "status", "store"].map(fleet.path)
        let database = ["--database", fleet.path("fleet.sqlite")]
        try fleet.expect(0, ["merge"] + runs + ["--to", database[1]])
        let page = ["report", "--html", fleet.path("fleet.html"), "--link", "pages/{id}.html"] + database
        try fleet.expect(0, page + ["--title", "<Fleet> & \"co\""])
        let html = try String(contentsOfFile: fleet.path("fleet.html"), encoding: .utf8)
        #expect(!html.contains("<script") && !html.contains("<b>"))
        #expect(html.contains("&lt;script&gt;alert(1)&lt;"))
        let broken = try #require(fleet.identifiers()["broken"])
        #expect(html.contains("<a href=\"pages/\(broken).html\">"))
        #expect(html.contains("TICDS-0612") && html.contains("&lt;Fleet&gt; &amp; &quot;co&quot;"))
        let script = "import sys, xml.etree.ElementTree as tree\ntree.parse(sys.argv[1])\n"
        #expect(try PythonCheck.complaint(script, on: [Array(html.utf8)]) == "")
        #expect(try fleet.run(page + ["--link", "https://example.com/{id}"]).status == 64)
        try fleet.expect(0, ["merge", runs[1], "--to", fleet.path("other.sqlite")])
        try fleet.expect(
            0, ["report", "--html", fleet.path("o.html"), "--database", fleet.path("other.sqlite")])
    }

    /// Metrics are lines that Prometheus accepts, even with malicious names.
    @Test func printsMetrics() throws {
        let fleet = try FleetFixture(plain: 1)
        try fleet.scratch.shell(#"mkdir sync/x; mv sync/p0/com.example.cookbook sync/x/$'a"} 1\n\nb\\'"#)
        try fleet.expect(0, ["scan", fleet.root.string, "--prune"])
        for command in ["verify", "status"] {
            _ = try fleet.run(["run", "--to", fleet.path(command), command])
        }
        let database = ["--database", fleet.path("fleet.sqlite")]
        try fleet.expect(0, ["merge", fleet.path("verify"), fleet.path("status"), "--to", database[1]])
        let sums = try fleet.expect(0, ["metrics"] + database)
        let each = try fleet.expect(0, ["metrics", "--each"] + database)
        let remote = try fleet.scratch.shell("ls -d sync/x/*").trimmingCharacters(in: .newlines)
        let single = try Program.run("ticds-inspect", ["metrics", fleet.path(remote)]).output
        let line = try Regex(
            #"(# (HELP|TYPE) ticds_[a-z_]+ .*|ticds_[a-z_]+(\{([a-z]+="([^"\\\n]|\\\\|\\")*",?)+\})? -?[0-9]+)"#
        )
        for text in [sums, each, single] {
            #expect(text.split(separator: "\n").count > 10)
            for found in text.split(separator: "\n") {
                #expect(try line.wholeMatch(in: found) != nil, "\(found)")
            }
            if FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool") {
                let file = try fleet.scratch.write("metrics.prom", Array(text.utf8))
                let checked = try Program.shell("promtool check metrics < '\(file)'")
                #expect(checked.status == 0, "\(checked.errors)\(checked.output)")
            }
        }
        #expect(sums.contains("ticds_fleet_results{run=\"verify\",state=\"done\"} 4"), "\(sums)")
        try fleet.expect(0, ["metrics", "--to", fleet.path("fleet.prom")] + database)
        #expect(try String(contentsOfFile: fleet.path("fleet.prom"), encoding: .utf8) == sums)
        #expect(try fleet.run(["metrics", "--to", fleet.path("fleet.txt")] + database).status == 64)
    }

    /// The coordinator is killed at calls that change files; after another run, the database equals that of an
    /// undisturbed run.
    @Test(.enabled(if: FaultyProgram.library != nil)) func survivesKills() throws {
        let fleet = try FleetFixture(plain: 1)
        _ = try fleet.run(["run", "--to", fleet.path("whole"), "verify"])
        try fleet.expect(0, ["merge", fleet.path("whole"), "--to", fleet.path("whole.sqlite")])
        let expected = try fleet.content("whole.sqlite")
        let program = FaultyProgram(name: "ticds-fleet", home: fleet.scratch.path.appending("state"))
        let counted = fleet.scratch.path.appending("count")
        _ = try program.run(["run", "--to", fleet.path("counted"), "verify"], fault: .count(counted))
        let calls = try FaultyProgram.number(in: counted)
        #expect(calls > 10)
        for call in stride(from: 1, through: calls, by: max(1, calls / 6)) {
            let run = "killed-\(call)"
            let status = try program.run(["run", "--to", fleet.path(run), "verify"], fault: .kill(call))
            // The notes on the progress depend on the time, so that the last calls may not occur.
            #expect(status == -9 || call > calls * 3 / 4 && status == 1, "\(call): \(status)")
            let again = try fleet.run(["run", "--to", fleet.path(run), "verify"])
            #expect(again.status == 1, "\(call): \(again.errors)")
            try fleet.expect(0, ["merge", fleet.path(run), "--to", fleet.path("\(run).sqlite")])
            #expect(try fleet.content("\(run).sqlite") == expected, "\(call)")
            let merging = ["merge", fleet.path(run), "--to", fleet.path("\(run).sqlite")]
            _ = try program.run(merging, fault: .kill(call))
            #expect(try fleet.content("\(run).sqlite") == expected, "\(call)")
        }
    }
}
