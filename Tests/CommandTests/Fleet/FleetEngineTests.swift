import Foundation
import SystemPackage
import TestSupport
import Testing

/// The same fleet on different engines gives the same database.
@Suite struct FleetEngineTests {
    /// The test that `.ci/check` runs: the same five hundred remotes on all three engines.
    private static let long: Bool = LongTests.areWanted

    @Test("GNU parallel does the shards", .enabled(if: EngineServer.isInstalled("parallel")))
    func parallel() throws {
        let fleet = try FleetFixture(plain: 2)
        _ = try fleet.run(["run", "--to", fleet.path("local"), "status"])
        let options = ["--engine", "parallel", "--jobs", "2", "--shards", "2", "--to", fleet.path("other")]
        let result = try fleet.run(["run"] + options + ["status"], environment: fleet.citing())
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        for run in ["local", "other"] {
            try fleet.expect(0, ["merge", fleet.path(run), "--to", fleet.path("\(run).sqlite")])
        }
        #expect(try fleet.content("other.sqlite") == fleet.content("local.sqlite"))
    }

    /// Five hundred remotes, including hostile ones, with GNU parallel over an sshd with two hosts.
    @Test(
        "GNU parallel over ssh does 500 remotes",
        .enabled(if: EngineServer.sshd.isInstalled, "needs GNU parallel and sshd"),
        .enabled(if: long, "long: make check runs it"))
    func ssh() throws {
        let fleet = try Self.crowd.get()
        let server = try EngineServer(.sshd)
        let variables = try fleet.citing().merging(["PARALLEL_SSH": server.answer]) { $1 }
        let hosts = ["--sshlogin", "127.0.0.1", "--sshlogin", "127.0.0.2"]
        try compare(
            fleet, "ssh", ["--engine", "parallel", "--jobs", "2", "--shards", "8"] + hosts, variables)
        // Both hosts processed shards.
        let log = try String(contentsOfFile: fleet.path("ssh/log/parallel-envelopes.log"), encoding: .utf8)
        for host in ["127.0.0.1", "127.0.0.2"] { #expect(log.contains("\t\(host)\t"), "\(log)") }
    }

    /// Five hundred remotes with Slurm on two nodes.
    @Test(
        "Slurm does 500 remotes",
        .enabled(if: EngineServer.slurm.isInstalled, "needs Slurm and munge"),
        .enabled(if: long, "long: make check runs it"))
    func slurm() throws {
        let fleet = try Self.crowd.get()
        let server: EngineServer
        do {
            server = try EngineServer(.slurm)
        } catch let problem as EngineServer.NotStarted {
            try Test.cancel("\(problem)")
        }
        let options = ["--engine", "slurm", "--wait", "--jobs", "1", "--shards", "8"]
        try compare(fleet, "slurm", options, ["SLURM_CONF": server.answer])
    }

    /// The fleet of the long tests and, in `local.sqlite`, the result of the local engine.
    private static let crowd = Result {
        let fleet = try FleetFixture.crowd()
        let result = try fleet.run(["run", "--to", fleet.path("local")] + limits + ["verify"])
        #expect(result.status == 5, "\(result.output)\(result.errors)")
        // A permanent failure is not retried.
        let before = try fleet.envelopes("local")
        #expect(before.count == 500)
        _ = try fleet.run(["run", "--to", fleet.path("local")] + limits + ["verify"])
        #expect(try fleet.envelopes("local") == before)
        try fleet.expect(0, ["merge", fleet.path("local"), "--to", fleet.path("local.sqlite")])
        let reasons = try fleet.expect(
            0,
            [
                "query", "--sql", "SELECT DISTINCT reason FROM history ORDER BY reason", "--json",
                "--database",
                fleet.path("local.sqlite"),
            ])
        for reason in ["timeout", "crash", "password"] {
            #expect(reasons.contains("\"\(reason)\""), "\(reasons)")
        }
        return fleet
    }

    private static let limits = ["--timeout", "10s", "--memory", "400M", "--attempts", "1"]

    private func compare(
        _ fleet: FleetFixture, _ name: String, _ engine: [String], _ environment: [String: String]
    ) throws {
        let run = ["run", "--to", fleet.path(name)] + Self.limits + engine + ["verify"]
        let result = try fleet.run(run, environment: environment, seconds: 600)
        #expect(result.status == 5, "\(result.output)\(result.errors)")
        try fleet.expect(0, ["merge", fleet.path(name), "--to", fleet.path("\(name).sqlite")])
        try #expect(fleet.rows("\(name).sqlite") == fleet.rows("local.sqlite"))
    }

    /// The lines that --dry-run prints are words for a shell, for any names.
    @Test func printsLinesForAShell() throws {
        let fleet = try FleetFixture(plain: 1, others: false)
        try fleet.scratch.shell("mkdir 'a b$(touch x)'")
        for engine in ["local", "parallel", "slurm"] {
            let run = [
                "run", "--engine", engine, "--dry-run", "--to", fleet.path("a b$(touch x)/\(engine)"),
                "status",
            ]
            let line = try fleet.expect(0, run)
            #expect(line.split(separator: "\n").count == 1)
            let stubs = "parallel() { printf '%s\\n' \"$@\"; }; sbatch() { printf '%s\\n' \"$@\"; }; "
            let words = try fleet.scratch.shell(
                stubs + line.replacing(Program.path("ticds-fleet"), with: "echo"))
            #expect(words.contains("a b$(touch x)/\(engine)"), "\(line)\(words)")
        }
        #expect(!FileManager.default.fileExists(atPath: fleet.path("x")))
    }
}
