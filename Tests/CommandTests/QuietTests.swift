import Foundation
import SystemPackage
import Testing

/// `--quiet`, for cron(8): nothing if all is well, and the reason if not.
@Suite struct QuietTests {
    /// Commands that do or check something, in an order in which each of them can.
    private static let commands = [
        "ticds verify R", "ticds vacuum R --yes", "ticds journal prune R --older-than 0s --yes",
        "ticds remote snapshot R snapshots --keep-daily 3",
        "ticds remote snapshot R snapshots --keep-daily 3",
        "ticds remote copy R copy/com.example.cookbook --yes",
        "ticds remote copy R copy/com.example.cookbook --update --yes", "ticds archive export R a.tar.zst",
        "ticds archive verify a.tar.zst", "ticds archive diff a.tar.zst R",
        "ticds archive import a.tar.zst in/com.example.cookbook --yes",
        "ticds sync clone R replica --document cookbook --model M --yes", "ticds sync run replica",
        "ticds sync commit replica",
        "ticds store export R --document cookbook --newest --model M --to csv",
        "ticds store replay R --document cookbook --model M --to new.sqlite", "ticds store check new.sqlite",
        "ticds fleet scan copy", "ticds --quiet fleet run verify",
        "ticds --quiet fleet plan vacuum", "ticds fleet apply plan-vacuum --yes",
        "ticds fleet apply plan-vacuum --yes", "ticds fleet undo plan-vacuum --yes",
        "ticds fleet undo plan-vacuum --yes",
        "ticds inspect report R --html page.html",
        "ticds client delete R D8ED76C2 --document cookbook --yes", "ticds journal undo R --last --yes",
        "ticds journal recover R", "ticds integrity check R", "ticds remote check-password R",
        "ticds store compare new.sqlite new.sqlite --model M", "ticds model diff M M",
        "ticds verify R --as-client D28481A5 --document cookbook", "ticds verify R --repair --yes",
    ]

    @Test func nothingIsPrintedIfAllIsWell() throws {
        let demo = try DemoRemote(changeSets: 40)
        try demo.scratch.shell("mkdir snapshots copy in")
        for command in Self.commands {
            let words = command.hasPrefix("ticds --quiet") ? command : command + " --quiet"
            let result = try run(words, demo)
            #expect(result.status == 0, "\(words): \(result.output)\(result.errors)")
            #expect(result.output + result.errors == "", "\(words)")
        }
    }

    /// A command that does not end well says why.
    @Test(arguments: [
        ("ticds verify R", 1), ("ticds vacuum R --yes", 3),
        ("ticds remote copy R copy/com.example.cookbook --yes", 2),
        ("ticds store compare new.sqlite new.sqlite", 5),
    ])
    func reasonIsPrintedIfNot(command: String, status: Int32) throws {
        let demo = try DemoRemote(changeSets: 8)
        let replay = "ticds store replay R --document cookbook --model M --to new.sqlite"
        #expect(try run(replay, demo).status == 0)
        try demo.scratch.shell(
            "cd '\(demo.path)/Documents/cookbook'; rm -r WholeStore/*; mkdir SyncChanges/stray.tmp")
        let result = try run(command + " --quiet", demo)
        #expect(result.status == status, "\(result.output)\(result.errors)")
        #expect(result.output + result.errors != "")
    }

    private func run(_ command: String, _ demo: DemoRemote) throws -> Program.Result {
        let line = command.replacing(" R", with: " '\(demo.path)'")
            .replacing(" M", with: " '\(demo.root.removingLastComponent())/Cookbook.xcdatamodel'")
        return try Program.shell(
            "cd '\(demo.scratch.path)'; \(line)",
            environment: [
                "HOME": demo.scratch.path.string, "XDG_STATE_HOME": "\(demo.scratch.path)/state", "TZ": "UTC",
            ])
    }
}
