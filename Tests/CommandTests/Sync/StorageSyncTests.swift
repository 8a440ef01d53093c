import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Replicas of remotes in storages that rclone reaches.
@Suite(.enabled(if: InstalledRclone.path != nil, "needs rclone 1.72"), .waiting) struct StorageSyncTests {
    typealias Kind = RcloneWritingTests.Kind

    /// A remote in a storage, and replicas of it.
    struct Synced {
        let served: RcloneWritingTests.Served

        init?(_ kind: Kind, _ demo: DemoRemote.Kind = .plain) throws {
            guard let served = try RcloneWritingTests.Served(kind, demo) else { return nil }
            self.served = served
        }

        func path(_ name: String) -> String { served.demo.scratch.path.appending(name).string }

        func clone(
            _ name: String, of place: String, _ options: [String] = ["--yes"]
        ) throws -> Program.Result {
            try served.run(
                "ticds-sync",
                [
                    "clone", place, path(name), "--document", "cookbook", "--description", name, "--model",
                    path("demo/Cookbook.xcdatamodel"),
                ] + served.demo.passwordOptions + options)
        }

        func run(_ name: String, _ options: [String] = []) throws -> Program.Result {
            try served.run("ticds-sync", ["run", path(name)] + served.demo.passwordOptions + options)
        }

        func edit(_ name: String, _ statement: String) throws {
            let done = try Program.shell("sqlite3 '\(path(name))/Document.sqlite' \"\(statement)\"")
            try #require(done.status == 0, "\(done.errors)")
        }

        func tags(_ name: String) throws -> String {
            try Program.shell(
                "sqlite3 '\(path(name))/Document.sqlite' 'SELECT ZTICDSSYNCID, ZNAME FROM ZTAG ORDER BY 1'"
            ).output
        }
    }

    static let kinds: [Kind] = LongTests.areWanted ? Kind.allCases : [.sftp]

    /// Two replicas of the storage and one of the served folder itself become equal, whichever is edited.
    @Test(arguments: kinds) func replicasConverge(kind: Kind) throws {
        guard let synced = try Synced(kind, .encrypted) else { try Test.cancel("needs the server") }
        let folder = synced.served.demo.path
        for (name, place) in [("A", synced.served.place), ("B", synced.served.place), ("C", folder)] {
            let cloned = try synced.clone(name, of: place)
            #expect(cloned.status == 0, "\(name): \(cloned.errors)")
        }
        for (name, tag) in [("A", "from A"), ("C", "from C"), ("B", "from B")] {
            try synced.edit(name, "INSERT INTO ZTAG (ZNAME, ZTICDSSYNCID) VALUES ('\(tag)', 'TAG-\(name)')")
            let run = try synced.run(name)
            #expect(run.status == 0, "\(name): \(run.errors)")
        }
        for name in ["A", "C"] {
            let run = try synced.run(name)
            #expect(run.status == 0, "\(name): \(run.errors)")
        }
        let tags = try synced.tags("A")
        #expect(["TAG-A|from A", "TAG-B|from B", "TAG-C|from C"].allSatisfy(tags.contains))
        #expect(try synced.tags("B") == tags)
        #expect(try synced.tags("C") == tags)
        #expect(try synced.served.beside() == "")
        let idle = try synced.run("A")
        #expect(idle.output.contains("nothing to do"), "\(idle.output)")
    }

    /// A replica that was made offline registers at its first run, and `status` shows the waiting sets.
    @Test func registersLater() throws {
        guard let synced = try Synced(.local) else { try Test.cancel("needs the server") }
        let before = try synced.served.image()
        #expect(try synced.clone("A", of: synced.served.place, ["--offline"]).status == 0)
        #expect(try synced.served.image() == before)
        let status = try synced.served.run("ticds-sync", ["status", synced.path("A"), "--json"])
        #expect(try SyncJSON(status).text("membership") == "unregistered", "\(status.errors)")
        let run = try synced.run("A")
        #expect(run.status == 0 && run.errors.contains("registered"), "\(run.errors)")
        #expect(try synced.run("A").output.contains("nothing to do"))
    }

    /// The watch checks at the interval, since no event reports changes.
    @Test func watches() throws {
        guard let synced = try Synced(.local) else { try Test.cancel("needs the server") }
        for (name, place) in [("A", synced.served.place), ("B", synced.served.demo.path)] {
            #expect(try synced.clone(name, of: place).status == 0)
        }
        try synced.edit("B", "INSERT INTO ZTAG (ZNAME, ZTICDSSYNCID) VALUES ('seen', 'TAG-B')")
        let result = try Program.shell(
            """
            ticds-sync watch '\(synced.path("A"))' --interval 1s --once -v > watched 2>&1 & watch=$!
            for try in $(seq 300); do grep -q 'is looked at every 1 s' watched && break; sleep 0.1; done
            grep -q 'nothing to do' watched || sleep 0.5
            ticds-sync run '\(synced.path("B"))' >/dev/null || exit 9
            wait $watch
            """,
            environment: synced.served.environment, seconds: 90)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try synced.tags("A").contains("TAG-B|seen"))
    }

    /// If nothing can be changed, the run gives the reason before it changes anything, and reading is still possible.
    @Test func refusals() throws {
        guard let synced = try Synced(.webdav) else { try Test.cancel("needs the server") }
        #expect(try synced.clone("A", of: synced.served.place).status == 0)
        try synced.edit("A", "INSERT INTO ZTAG (ZNAME, ZTICDSSYNCID) VALUES ('mine', 'TAG-A')")
        let before = try synced.served.image()
        var environment = synced.served.environment
        environment["RCLONE_CONFIG_NAS_VENDOR"] = "other"
        let run = try Program.run("ticds-sync", ["run", synced.path("A")], environment: environment)
        #expect(run.status == 3 && run.errors.contains("keeps no modification times"), "\(run.errors)")
        let look = try Program.run(
            "ticds-sync", ["run", synced.path("A"), "--dry-run"], environment: environment)
        #expect(look.status == 0, "\(look.errors)")
        let string = "rclone::local:" + synced.served.demo.path
        let clone = try synced.clone("B", of: string)
        #expect(clone.status == 3 && clone.errors.contains("configuration of rclone"), "\(clone.errors)")
        #expect(!FileManager.default.fileExists(atPath: synced.path("B")))
        #expect(try synced.served.image() == before)
        #expect(try synced.run("A").status == 0)
    }

    /// An unreachable server is not a remote without sets. (Rclone retries, which takes half a minute.)
    @Test(.enabled(if: LongTests.areWanted, "long: make check runs it")) func serverThatIsAway() throws {
        guard let synced = try Synced(.webdav) else { try Test.cancel("needs the server") }
        #expect(try synced.clone("A", of: synced.served.place).status == 0)
        var environment = synced.served.environment
        environment["RCLONE_CONFIG_NAS_URL"] = "http://127.0.0.1:9/"
        let run = try Program.run("ticds-sync", ["run", synced.path("A")], environment: environment)
        #expect(run.status == 2 && run.errors.contains("connection refused"), "\(run.errors)")
        let status = try Program.run("ticds-sync", ["status", synced.path("A")], environment: environment)
        #expect(status.status == 5 && status.errors.contains("connection refused"), "\(status.errors)")
        #expect(!status.output.contains("to fetch"))
        #expect(try synced.run("A").output.contains("nothing to do"))
    }

    /// A run or its rclone is killed at some moment: the next runs send the edit exactly once.
    @Test(
        .enabled(if: LongTests.areWanted, "long: make check runs it"),
        arguments: [Kind.sftp, .webdav], [false, true])
    func killed(kind: Kind, isRclone: Bool) throws {
        guard let synced = try Synced(kind) else { try Test.cancel("needs the server") }
        for name in ["A", "B"] { #expect(try synced.clone(name, of: synced.served.place).status == 0) }
        let start = ContinuousClock.now
        #expect(try synced.run("A").status == 0)
        let length = start.duration(to: .now) / .milliseconds(1) + 400
        var numbers = RandomNumbers(isRclone ? 17 : 18)
        let target = isRclone ? "$(ps -o pid= --ppid $command)" : "$command"
        let rounds = CrashTests.isThorough ? 75 : 3
        for number in 0..<rounds {
            try synced.edit(
                "A", "INSERT INTO ZTAG (ZNAME, ZTICDSSYNCID) VALUES ('tag \(number)', 'KILLED-\(number)')")
            let pause = Double.random(in: 0.1..<1, using: &numbers) * length / 1_000
            _ = try Program.shell(
                "ticds-sync run '\(synced.path("A"))' >/dev/null 2>&1 & command=$!; sleep \(pause); "
                    + "kill -9 \(target); wait",
                environment: synced.served.environment)
            let run = try synced.run("A")
            #expect(run.status == 0, "after \(pause) s: \(run.errors)")
            #expect(try synced.served.beside() == "", "after \(pause) s")
        }
        #expect(try synced.run("B").status == 0)
        #expect(try synced.tags("B") == synced.tags("A"))
        #expect(try synced.tags("B").split(separator: "\n").count { $0.hasPrefix("KILLED-") } == rounds)
        let log = try synced.served.run(
            "ticds-changes", ["dump", synced.served.place, "--document", "cookbook"] + ["--json"])
        #expect(
            log.output.split(separator: "\n").count { $0.contains("KILLED-") && $0.contains("insert") }
                == rounds, "\(log.errors)")
    }
}
