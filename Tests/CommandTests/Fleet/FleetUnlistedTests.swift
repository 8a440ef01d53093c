import Foundation
import TestSupport
import Testing

/// Values that are missing in a result, because a folder of the remote could not be listed, stay unknown in the
/// database, in the metrics and on the page: they never become 0.
@Suite struct FleetUnlistedTests {
    @Test func unknownNumbersStayUnknown() throws {
        let fleet = try FleetFixture(plain: 2, others: false)
        try fleet.expect(0, ["run", "--to", fleet.path("run"), "status"])
        let identifiers = try fleet.identifiers()
        let (unlisted, untold) = (try #require(identifiers["p0"]), try #require(identifiers["p1"]))
        try rewrite(fleet, unlisted) {
            $0.replacing(#/"files":\s*\{[^}]*\}/#, with: "\"files\": null", maxReplacements: 1)
                .replacing(#/"state":\s*"done"/#, with: "\"state\": \"retry\"")
                .replacing(#/"reason":\s*null/#, with: "\"reason\": \"partial\"")
        }
        try rewrite(fleet, untold) {
            $0.replacing(#/"changeSets":\s*\{[^}]*\}/#, with: "\"changeSets\": null")
                .replacing(#/"notApplied":\s*\d+/#, with: "\"notApplied\": null")
        }
        let database = fleet.path("fleet.sqlite")
        _ = try fleet.run(["merge", fleet.path("run"), "--to", database])
        func rows(_ sql: String) throws -> [String] {
            try fleet.scratch.shell("/usr/bin/sqlite3 -nullvalue NULL '\(database)' \"\(sql)\"")
                .split(separator: "\n").map(String.init)
        }
        #expect(try rows("SELECT files, bytes FROM remotes WHERE id = '\(unlisted)'") == ["NULL|NULL"])
        #expect(try rows("SELECT count(*) FROM sizes WHERE id = '\(unlisted)'") == ["0"])
        #expect(
            try rows("SELECT change_sets, change_set_bytes FROM sizes WHERE id = '\(untold)'") == [
                "NULL|NULL"
            ])
        #expect(Set(try rows("SELECT change_sets, whole_stores IS NULL FROM documents")) == ["NULL|0"])
        #expect(Set(try rows("SELECT change_sets, not_applied FROM clients")) == ["NULL|NULL"])
        let bytes = try #require(try rows("SELECT bytes FROM remotes WHERE id = '\(untold)'").first)
        let metrics = try fleet.expect(0, ["metrics", "--database", database])
        #expect(metrics.contains("ticds_fleet_bytes{application=\"com.example.cookbook\"} \(bytes)\n"))
        #expect(metrics.contains("ticds_fleet_remotes_unlisted{application=\"com.example.cookbook\"} 1\n"))
        let page = fleet.path("fleet.html")
        _ = try fleet.run(["report", "--html", page, "--database", database])
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("Without what is in 1 remote that could not be listed whole."))
    }

    /// A remote that cannot be listed completely has no digest; it is examined in each run.
    @Test(arguments: [["status"], ["verify"], ["store", "list"]])
    func remoteThatCannotBeListedIsExamined(command: [String]) throws {
        let fleet = try FleetFixture(plain: 2, others: false)
        let deep = (0..<60).map { "d\($0)" }.joined(separator: "/")
        try fleet.scratch.shell("mkdir -p sync/p0/com.example.cookbook/Documents/'\(deep)'")
        for _ in 0..<2 {
            let result = try fleet.run(["run", "--to", fleet.path("run")] + command)
            #expect(result.status != 0, "\(result.output)\(result.errors)")
            let identifier = try #require(try fleet.identifiers()["p0"])
            let file = fleet.path("run/envelopes/\(identifier.prefix(2))/\(identifier).json")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!text.contains(#/"payload":\s*\[\s*\]/#), "\(text)")
        }
    }

    /// What takes the place of one result stops neither the run nor the status of the others.
    @Test(arguments: ["mkdir", "mkfifo"]) func resultThatCannotBeReadIsNamed(maker: String) throws {
        let fleet = try FleetFixture(plain: 2, others: false)
        let run = fleet.path("run")
        try fleet.expect(0, ["run", "--to", run, "verify"])
        let identifiers = try fleet.identifiers()
        let (blocked, other) = (try #require(identifiers["p0"]), try #require(identifiers["p1"]))
        let files = [blocked, other].map { "\(run)/envelopes/\($0.prefix(2))/\($0).json" }
        try fleet.scratch.shell("rm '\(files[0])' '\(files[1])'; \(maker) '\(files[0])'")
        for words in [["run", "--to", run, "verify"], ["status", run]] {
            let result = try fleet.run(words, seconds: 60)
            #expect(result.status == 5, "\(words): \(result.output)\(result.errors)")
            #expect(result.errors.contains("\(files[0]): not a plain file"), "\(words): \(result.errors)")
            #expect(result.errors.contains("the next run then makes the result again"), "\(result.errors)")
            #expect(result.output.contains("2 remotes: 1 done, 1 without a result"), "\(result.output)")
        }
        #expect(try fleet.envelope("run", other)["state"] as? String == "done")
        try fleet.scratch.shell("rm -r '\(files[0])'")
        try fleet.expect(0, ["run", "--to", run, "verify"])
        #expect(try fleet.envelope("run", blocked)["state"] as? String == "done")
    }

    /// A remote that was listed in part, or never, is in the database like the others.
    @Test func remotesThatWereNeverListedCount() throws {
        let fleet = try FleetFixture(plain: 3, others: false)
        let identifiers = try fleet.identifiers()
        let deep = (0..<60).map { "d\($0)" }.joined(separator: "/")
        try fleet.scratch.shell(
            "mkdir -p sync/p0/com.example.cookbook/Documents/'\(deep)'; rm -r sync/p1/com.example.cookbook")
        _ = try fleet.run(["run", "--to", fleet.path("run"), "verify"])
        let database = ["--database", fleet.path("fleet.sqlite")]
        try fleet.expect(0, ["merge", fleet.path("run"), "--to", database[1]])
        let worst = try fleet.expect(0, ["query", "worst"] + database)
        #expect(worst.contains("sync/p0/"), "\(worst)")
        let failures = try fleet.expect(0, ["query", "failures"] + database)
        #expect(failures.contains(try #require(identifiers["p1"])), "\(failures)")
        #expect(failures.contains("sync/p1/"), "\(failures)")
        let metrics = try fleet.expect(0, ["metrics"] + database)
        for (family, count) in [("ticds_fleet_remotes", 3), ("ticds_fleet_remotes_unlisted", 2)] {
            let line = "\(family){application=\"com.example.cookbook\"} \(count)\n"
            #expect(metrics.contains(line), "\(metrics)")
        }
        let html = try page(fleet, database)
        #expect(html.contains("verified: 2 of 3 remotes"))
        #expect(html.contains("Without what is in 2 remotes that could not be listed whole."))
    }

    /// The page reports nothing as intact that was not verified.
    @Test func pageDoesNotVouchForOtherRemotes() throws {
        let fleet = try FleetFixture(plain: 3, others: false)
        let database = ["--database", fleet.path("fleet.sqlite")]
        try fleet.expect(0, ["run", "--to", fleet.path("status"), "status"])
        try fleet.expect(0, ["merge", fleet.path("status"), "--to", database[1]])
        let unverified = try page(fleet, database)
        #expect(unverified.contains("<p>No remote was verified.</p>"))
        #expect(!unverified.contains("There are no findings.") && !unverified.contains("No verified remote"))
        try fleet.expect(0, ["run", "--to", fleet.path("verify"), "verify"])
        try fleet.expect(0, ["merge", fleet.path("verify"), "--to", database[1]])
        #expect(try page(fleet, database).contains("No errors and no warnings<"))
        try fleet.scratch.shell("rm -r sync/p1/com.example.cookbook")
        _ = try fleet.run(["run", "--to", fleet.path("verify"), "verify"])
        try fleet.expect(0, ["merge", fleet.path("verify"), "--to", database[1]])
        #expect(try page(fleet, database).contains("No errors and no warnings on 2 of 3 remotes"))
    }

    /// A query whose command was not run has no result; a result contains the number of remotes that it leaves out.
    @Test func questionsNeedResults() throws {
        let fleet = try FleetFixture(plain: 3, others: false)
        let database = ["--database", fleet.path("fleet.sqlite")]
        try fleet.expect(0, ["run", "--to", fleet.path("status"), "status"])
        try fleet.expect(0, ["merge", fleet.path("status"), "--to", database[1]])
        for (question, command) in [("findings", "verify"), ("worst", "verify"), ("models", "store list")] {
            let result = try fleet.run(["query", question] + database)
            #expect(result.status == 2 && result.output.isEmpty, "\(result.output)")
            #expect(result.errors.contains("ticds-fleet run \(command)."), "\(result.errors)")
        }
        #expect(try fleet.run(["query", "stale"] + database).errors.isEmpty)
        try fleet.scratch.shell("rm -r sync/p1/com.example.cookbook")
        _ = try fleet.run(["run", "--to", fleet.path("verify"), "verify"])
        try fleet.expect(0, ["merge", fleet.path("verify"), "--to", database[1]])
        let findings = try fleet.run(["query", "findings"] + database)
        #expect(findings.status == 0, "\(findings.errors)")
        #expect(findings.errors.contains("1 remote without a result of verify"), "\(findings.errors)")
    }

    /// The example of a reason is one remote, with its own location and its own message.
    @Test func exampleOfAFailureIsOneRemote() throws {
        let fleet = try FleetFixture(plain: 4, others: false)
        let database = ["--database", fleet.path("fleet.sqlite")]
        try fleet.expect(0, ["run", "--to", fleet.path("status"), "status"])
        try fleet.scratch.shell("rm -r sync/p?/com.example.cookbook")
        _ = try fleet.run(["run", "--to", fleet.path("verify"), "verify"])
        try fleet.expect(0, ["merge", fleet.path("status"), fleet.path("verify"), "--to", database[1]])
        let rows = try fleet.expect(0, ["query", "failures"] + database)
        let first = try #require(try fleet.identifiers().min { $0.value < $1.value })
        #expect(rows.contains(first.value), "\(rows)")
        let named = ["p0", "p1", "p2", "p3"].filter { rows.contains("/\($0)/") }
        #expect(named == [first.key], "\(rows)")
    }

    /// A failure does not replace an earlier listing, whatever the order in which the results are merged.
    @Test func failureKeepsTheLastListing() throws {
        let fleet = try FleetFixture(plain: 2, others: false)
        try fleet.expect(0, ["run", "--to", fleet.path("status"), "status"])
        try fleet.scratch.shell("rm -r sync/p1/com.example.cookbook")
        _ = try fleet.run(["run", "--to", fleet.path("verify"), "verify"])
        for (database, runs) in [("one", ["status", "verify"]), ("two", ["verify", "status"])] {
            for run in runs { try fleet.expect(0, ["merge", fleet.path(run), "--to", fleet.path(database)]) }
        }
        #expect(try fleet.scratch.shell("cmp one two && echo same") == "same\n")
        let known = ["query", "--sql", "SELECT count(bytes) FROM remotes", "--database", fleet.path("one")]
        #expect(try fleet.expect(0, known).contains("2"))
    }

    private func page(_ fleet: FleetFixture, _ database: [String]) throws -> String {
        let page = fleet.path("fleet.html")
        try fleet.expect(0, ["report", "--html", page] + database)
        return try String(contentsOfFile: page, encoding: .utf8)
    }

    /// A command is stored as separate words; a location is not a tag.
    @Test func wordsThatNameAnotherThingAreRefused() throws {
        let fleet = try FleetFixture(plain: 1, others: false)
        let joined = try fleet.run(["run", "store list"])
        #expect(joined.status == 64 && joined.errors.contains("one word"), "\(joined.errors)")
        let tagged = try fleet.run(["tag", fleet.path("sync/p0"), "home"])
        #expect(tagged.status == 64 && tagged.errors.contains(/is a folder|is no tag/), "\(tagged.errors)")
        #expect(try !fleet.expect(0, ["list", "--json"]).contains("home"))
    }

    /// Changes the stored result of a remote.
    private func rewrite(
        _ fleet: FleetFixture, _ identifier: String, _ change: (String) -> String
    ) throws {
        let file = fleet.path("run/envelopes/\(identifier.prefix(2))/\(identifier).json")
        let before = try String(contentsOfFile: file, encoding: .utf8)
        let after = change(before)
        try #require(after != before)
        try after.write(toFile: file, atomically: true, encoding: .utf8)
    }
}
