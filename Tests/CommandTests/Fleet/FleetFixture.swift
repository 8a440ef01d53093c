import Foundation
import SystemPackage
import TestSupport
import Testing

/// A fleet of demonstration remotes of all kinds in a private folder, with an inventory.
struct FleetFixture {
    let scratch: Scratch
    /// The folder below which the remotes are, each in a separate folder.
    let root: FilePath
    private let environment: [String: String]

    /// - Parameters:
    ///   - plain: the number of plain remotes; further ones are encrypted, damaged, empty and no remote any more.
    ///   - others: whether there are these.
    init(plain: Int = 3, others: Bool = true) throws {
        scratch = try Scratch()
        root = scratch.path.appending("sync")
        environment = ["XDG_STATE_HOME": scratch.path.appending("state").string, "TZ": "UTC"]
        let patterns =
            try [DemoRemote(changeSets: 4)]
            + (others ? [DemoRemote(.encrypted, changeSets: 4), DemoRemote(.damaged, changeSets: 12)] : [])
        var lines = ["mkdir sync"]
        for number in 0..<plain {
            lines.append("mkdir sync/p\(number); cp -a '\(patterns[0].path)' sync/p\(number)/")
        }
        if others {
            lines += [
                "mkdir sync/sealed sync/broken sync/empty",
                "cp -a '\(patterns[1].path)' sync/sealed/", "cp -a '\(patterns[2].path)' sync/broken/",
                "mkdir -p sync/empty/com.example.empty/ClientDevices sync/empty/com.example.empty/Documents",
                "printf 'open sesame' > password",
            ]
        }
        // The folders of the patterns are removed with them.
        _ = try withExtendedLifetime(patterns) { try scratch.shell(lines.joined(separator: "\n")) }
        try expect(0, ["scan", root.string, "--tag", "all"])
        if others {
            try expect(
                0,
                [
                    "add", root.appending("sealed/com.example.cookbook").string, "--tag", "sealed",
                    "--password-file", scratch.path.appending("password").string,
                ])
        }
    }

    func path(_ name: String) -> String { scratch.path.appending(name).string }

    /// Runs `ticds-fleet`.
    func run(
        _ arguments: [String], environment more: [String: String] = [:], seconds: Double = 240
    ) throws -> Program.Result {
        try Program.run(
            "ticds-fleet", arguments, environment: environment.merging(more) { $1 }, seconds: seconds)
    }

    /// Runs `ticds-fleet`, which must end with the status; returns its output.
    @discardableResult
    func expect(_ status: Int32, _ arguments: [String], environment: [String: String] = [:]) throws -> String
    {
        let result = try run(arguments, environment: environment)
        try #require(
            result.status == status, "\(arguments): \(result.status) \(result.output)\(result.errors)")
        return result.output
    }

    /// The identifiers of the remotes of the inventory, by the name of the folder that contains them.
    func identifiers() throws -> [String: String] {
        let lines = try expect(0, ["list", "--json"]).split(separator: "\n")
        return try lines.reduce(into: [:]) { found, line in
            let any = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let remote = try #require(any as? [String: Any])
            let location = FilePath(try #require(remote["location"] as? String))
            let name = location.removingLastComponent().lastComponent?.string ?? ""
            found[name] = remote["id"] as? String
        }
    }

    /// The envelope of a remote in a run.
    func envelope(_ run: String, _ identifier: String) throws -> [String: Any] {
        let file = URL(filePath: path("\(run)/envelopes/\(identifier.prefix(2))/\(identifier).json"))
        let any = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
        return try #require(any as? [String: Any])
    }

    /// All envelopes of a run by identifier, as stored on disk.
    func envelopes(_ run: String) throws -> [String: Data] {
        let folder = URL(filePath: path("\(run)/envelopes"))
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try (files?.allObjects as? [URL] ?? []).reduce(into: [:]) { found, file in
            guard file.pathExtension == "json" else { return }
            found[file.deletingPathExtension().lastPathComponent] = try Data(contentsOf: file)
        }
    }

    /// The content of a database without the values that differ from run to run: times, durations, memory, and values
    /// derived from them.
    func content(_ database: String) throws -> String {
        let questions = [
            "SELECT id, location, application, tags, digest, files, bytes, encrypted FROM remotes",
            "SELECT id, state, reason, exit_status, signal, digest, problem, errors, warnings, notes FROM history",
            "SELECT id, files, bytes, change_sets, change_set_bytes, whole_stores, whole_store_bytes FROM sizes",
            "SELECT * FROM documents", "SELECT * FROM clients", "SELECT * FROM findings",
            "SELECT * FROM examples",
            "SELECT * FROM codes", "SELECT * FROM stores",
        ]
        return try questions.map {
            try expect(0, ["query", "--sql", $0, "--database", path(database), "--json", "--limit", "0"])
        }.joined()
    }
}

extension FleetFixture {
    /// Five hundred remotes: unencrypted, encrypted, damaged, empty and huge ones; one whose password hangs, one whose
    /// password kills the command, one with a file that does not fit into 400 MB of memory, and one with a wrong
    /// password.
    static func crowd() throws -> FleetFixture {
        let fleet = try FleetFixture(plain: 1)
        let huge = try DemoRemote(changeSets: 2_000)
        let lines = [
            "copy() { for n in $(seq $3); do mkdir sync/$2$n; cp -al sync/$1/* sync/$2$n/; done; }",
            "copy p0 plain 430; copy sealed sealed 30; copy broken broken 20; copy empty empty 9",
            "mkdir sync/huge; cp -a '\(huge.path)' sync/huge/; copy huge huge 2",
            "for name in hang kill wrong; do mkdir sync/$name; cp -al sync/sealed/* sync/$name/; done",
            "mkdir sync/eats; cp -a sync/p0/* sync/eats/",
            "f=$(ls sync/eats/*/Documents/cookbook/SyncChanges/*/*.syncchg | head -n 1)",
            "printf x > \"$f\"; truncate -s 500M \"$f\"",
        ]
        try fleet.scratch.shell(lines.joined(separator: "\n"))
        try fleet.expect(0, ["scan", fleet.root.string])
        let sealed = try fleet.identifiers().keys.filter { $0.hasPrefix("sealed") }.map {
            fleet.root.appending($0).appending("com.example.cookbook").string
        }
        let password = fleet.scratch.path.appending("password").string
        try fleet.expect(0, ["add", "--password-file", password] + sealed)
        for (name, command) in [
            ("hang", "exec sleep 1000"), ("kill", "kill -KILL $PPID"), ("wrong", "echo no"),
        ] {
            let remote = fleet.root.appending(name).appending("com.example.cookbook").string
            try fleet.expect(0, ["add", remote, "--password-command", command])
        }
        return fleet
    }

    /// A home in which GNU parallel does not ask for a citation.
    func citing() throws -> [String: String] {
        try scratch.shell("mkdir -p home/.parallel; touch home/.parallel/will-cite")
        return ["HOME": path("home")]
    }

    /// A database as SQL, byte for byte except the values that differ from run to run: times, durations, memory, the
    /// name of the run, and values derived from them.
    /// - Parameter attempts: whether the number of attempts counts.
    func rows(_ database: String, attempts: Bool = true) throws -> String {
        try scratch.shell(
            """
            cp '\(database)' compared.sqlite
            /usr/bin/sqlite3 compared.sqlite <<'END'
            UPDATE history SET run = 'r', started = '', seconds = 0, peak_memory = 0, fingerprint = '';
            \(attempts ? "" : "UPDATE history SET attempts = 0;")
            UPDATE remotes SET seen = '';
            UPDATE runs SET run = 'r', begun = '';
            UPDATE sizes SET run = 'r', seen = '';
            UPDATE sources SET run = 'r', started = '', fingerprint = '';
            .dump
            END
            rm compared.sqlite
            """)
    }

    /// A document of each schema of a fleet.
    static func printedDocuments() throws -> [String] {
        let fleet = try FleetFixture(plain: 1)
        let run = fleet.path("run")
        var printed = try fleet.expect(0, ["list", "--json"]).split(separator: "\n").map(String.init)
        printed.append(try fleet.run(["run", "--to", run, "--json", "verify"]).output)
        printed.append(try String(contentsOfFile: run + "/run.json", encoding: .utf8))
        printed.append(try String(contentsOfFile: run + "/shards/1-1.json", encoding: .utf8))
        printed += try fleet.envelopes("run").values.map { String(decoding: $0, as: UTF8.self) }
        let database = ["--database", fleet.path("fleet.sqlite")]
        printed.append(try fleet.run(["merge", run, "--to", database[1], "--json"]).output)
        printed.append(try fleet.run(["query", "states", "--json"] + database).output)
        printed.append(
            try fleet.run(["report", "--html", fleet.path("fleet.html"), "--json"] + database).output)
        printed.append(try fleet.run(["metrics", "--json"] + database).output)
        let plans = fleet.path("plans")
        _ = try fleet.run(["plan", "--to", plans, "vacuum", "--leftovers"])
        printed.append(try fleet.run(["review", plans, "--json"]).output)
        return printed
    }
}
