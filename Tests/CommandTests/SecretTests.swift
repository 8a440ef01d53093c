import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// The values of connection strings do not appear in anything that a command prints or writes.
@Suite(.waiting) struct SecretTests {
    private static let secret = "hunter2-hunter2"

    /// The files below a folder with the secret in their name or content, except those of the remote.
    private static func leaks(_ scratch: Scratch) throws -> [String] {
        let found = try scratch.shell(
            "grep -rlaF '\(secret)' . --exclude-dir=demo || true; find . -name '*\(secret)*'")
        return found.split(separator: "\n").map(String.init)
    }

    /// Every reading command on a storage that works, and on one that does not.
    @Test(.enabled(if: InstalledRclone.path != nil, "needs rclone 1.72"), arguments: ["local", "webdav"])
    func readingCommands(backend: String) throws {
        let demo = try DemoRemote(.damaged)
        let options = backend == "local" ? "" : "url='http://127.0.0.1:1/',"
        let place = "rclone::\(backend),\(options)description=\(Self.secret):" + demo.path
        var environment = [
            "TICDS_RCLONE": InstalledRclone.path?.string ?? "", "HOME": demo.scratch.path.string,
            "XDG_CACHE_HOME": demo.scratch.path.appending("cache").string,
            "XDG_STATE_HOME": demo.scratch.path.appending("state").string,
            "TMPDIR": demo.scratch.path.string,
        ]
        let log = demo.scratch.path.appending("log").string
        var commands = ReadingCommand.all(on: place)
        if backend != "local" { commands = [commands[0], commands[8], commands[12]] }
        for (number, command) in commands.enumerated() {
            let format = number % 2 == 0 ? "json" : "text"
            let words = command.arguments + ["--log-file", log, "--log-format", format]
            let result = try Program.run(
                command.program, words + (number % 3 == 0 ? ["--json"] : []), environment: environment)
            #expect(result.status != 64, "\(command.text): \(result.errors)")
            #expect(backend == "local" || result.status == 2, "\(command.text): \(result.errors)")
            #expect(!result.output.contains(Self.secret) && !result.errors.contains(Self.secret))
        }
        // The address comes from the environment, also for a refused command.
        environment["TICDS_REMOTE"] = place
        for words in [["delete", "x", "--yes"], ["show", "x"]] {
            let result = try Program.run(
                "ticds-client", words + ["--log-file", log], environment: environment)
            #expect(result.status != 0 && !result.errors.contains(Self.secret), "\(result.errors)")
        }
        #expect(try Self.leaks(demo.scratch) == [])
        let lines = try String(contentsOfFile: log, encoding: .utf8)
        #expect(lines.contains("rclone::\(backend),...:"), "\(lines)")
    }

    /// Wrong usage, places that are not remotes, and files that commands keep.
    @Test func otherPlaces() throws {
        let demo = try DemoRemote()
        let scratch = demo.scratch
        let place = "rclone::sftp,host=h,pass=\(Self.secret):x"
        let replica = scratch.path.appending("replica").string
        try scratch.shell("mkdir replica")
        let log = scratch.path.appending("log").string
        let environment = [
            "HOME": scratch.path.string, "XDG_STATE_HOME": scratch.path.appending("state").string,
            "PATH": "/nowhere",
        ]
        let commands: [(program: String, words: [String])] = [
            ("ticds-verify", [demo.path, place]), ("ticds-verify", ["rclone::sftp,pass=\(Self.secret)"]),
            ("ticds-verify", ["rclone::sftp,pass='\(Self.secret):x"]), ("ticds", [place]),
            ("ticds-client", ["show", demo.path, place]), ("ticds-client", [place, demo.path]),
            ("ticds-store", ["dump", place]), ("ticds-store", ["replay", demo.path, "--to", place]),
            ("ticds-store", ["info", "\(scratch.path)/\(place)"]), ("ticds-archive", ["verify", place]),
            ("ticds-archive", ["export", demo.path, place]), ("ticds-archive", ["list", place]),
            ("ticds-archive", ["diff", place, place]), ("ticds-sync", ["clone", place, replica]),
            ("ticds-sync", ["clone", demo.path, place, "--document", "pantry"]),
            ("ticds-sync", ["status", place]), ("ticds-changes", ["dump", place]),
            ("ticds-changes", ["dump", demo.path, "--since", place]), ("ticds-model", ["show", place]),
            ("ticds-remote", ["copy", demo.path, place, "--yes"]), ("ticds-journal", ["list", place]),
            ("ticds-journal", ["apply", place]),
            ("ticds-inspect", ["status", demo.path, "--document", place]),
            ("ticds-inspect", ["timeline", demo.path, "--svg", "/nowhere/" + place]),
            ("ticds-fleet", ["add", place, "--inventory", "\(scratch.path)/fleet"]),
            ("ticds-fleet", ["scan", place, "--inventory", "\(scratch.path)/fleet"]),
            (
                "ticds-fleet",
                ["run", "--inventory", "\(scratch.path)/fleet", "inspect", "status", "--document", place]
            ),
            ("ticds", ["demo", place]), ("ticds-verify", [demo.path, "--level", place]),
        ]
        for (program, words) in commands {
            for json in [[], ["--json"]] {
                // Some commands lack the option, or accept all words: a usage error is equally good.
                let result = try Program.run(
                    program, words + json + ["--log-file", log], environment: environment)
                // A journal is kept for any place.
                #expect(result.status != 0 || words[0] == "list", "\(program) \(words)")
                #expect(!result.output.contains(Self.secret), "\(program) \(words): \(result.output)")
                #expect(!result.errors.contains(Self.secret), "\(program) \(words): \(result.errors)")
            }
        }
        #expect(try Self.leaks(scratch) == [])
    }

    /// A user wrote a connection string into a file of ticds.
    @Test func filesThatWereWrittenByHand() throws {
        let demo = try DemoRemote()
        let place = "rclone::sftp,host=h,pass=\(Self.secret):x"
        let inventory = try demo.scratch.write(
            "fleet", Array("{\"location\":\"\(place)\",\"application\":\"x\"}\n".utf8))
        for words in [["list"], ["status"], ["list", "--json"]] {
            let result = try Program.run("ticds-fleet", words + ["--inventory", inventory])
            #expect(result.status != 0 && !(result.output + result.errors).contains(Self.secret), "\(result)")
        }
        let replica = demo.scratch.path.appending("replica").string
        let environment = [
            "XDG_STATE_HOME": demo.scratch.path.appending("state").string, "PATH": "/usr/bin:/bin",
            "TICDS_RCLONE": "/nowhere",
        ]
        let clone = try Program.run(
            "ticds-sync",
            [
                "clone", demo.path, replica, "--document", "cookbook", "--model",
                "\(demo.scratch.path)/demo/Cookbook.xcdatamodel", "--yes",
            ], environment: environment)
        try #require(clone.status == 0, "\(clone.errors)")
        try demo.scratch.shell(
            """
            python3 - <<'END'
            import json, glob
            path, = glob.glob('replica/Replica.json')
            value = json.load(open(path))
            value['remote'] = '\(place)'
            json.dump(value, open(path, 'w'))
            END
            """)
        for words in [["status", replica], ["status", replica, "--json"], ["run", replica]] {
            let result = try Program.run("ticds-sync", words, environment: environment)
            #expect(!(result.output + result.errors).contains(Self.secret), "\(result)")
        }
    }
}
