import ArgumentParser
import Foundation
import SystemPackage
import Testing

@testable import TICDSCommands

/// `--quiet`, for cron(8): no output without a problem, otherwise the reason.
@Suite struct QuietTests {
    /// Commands that act or check, in an order in which each of them can run. R is the remote, M its model, S a whole
    /// store in it, and P a file with a password.
    private static let commands = [
        "ticds verify R --as-client D28481A5 --document cookbook",
        "ticds verify R", "ticds vacuum R --save-plan plan1", "ticds vacuum R --yes",
        "ticds journal prune R --older-than 0s --yes",
        "ticds remote snapshot R snapshots --keep-daily 3",
        "ticds remote snapshot R snapshots --keep-daily 3",
        "ticds remote copy R copy/com.example.cookbook --yes",
        "ticds remote copy R copy/com.example.cookbook --update --yes", "ticds archive export R a.tar.zst",
        "ticds archive verify a.tar.zst", "ticds archive diff a.tar.zst R",
        "ticds archive extract a.tar.zst part --document cookbook",
        "ticds archive import a.tar.zst in/com.example.cookbook --yes",
        "ticds sync clone R replica --document cookbook --model M --yes", "ticds sync run replica",
        "ticds sync commit replica", "ticds sync reseed replica --yes",
        "ticds store export R --document cookbook --newest --model M --to csv",
        "ticds store import csv --model M --to back.sqlite",
        "ticds store replay R --document cookbook --model M --to new.sqlite", "ticds store check new.sqlite",
        "ticds store extract S one.sqlite", "ticds store recover one.sqlite --model M --to found.db",
        "ticds store migrate one.sqlite --model M --to one.xml",
        "ticds store install R new.sqlite --document cookbook --client D8ED76C2 --yes",
        "ticds fleet scan copy", "ticds fleet add in/com.example.cookbook --tag other",
        "ticds fleet tag new --application com.example.cookbook",
        "ticds fleet remove --tag other", "ticds --quiet fleet run verify", "ticds fleet work verify",
        "ticds fleet merge verify --to fleet.sqlite",
        "ticds fleet report --database fleet.sqlite --html fleet.html",
        "ticds --quiet fleet plan vacuum", "ticds fleet apply plan-vacuum --yes",
        "ticds fleet apply plan-vacuum --yes", "ticds fleet undo plan-vacuum --yes",
        "ticds fleet undo plan-vacuum --yes",
        "ticds inspect report R --html page.html", "ticds inspect timeline R --svg lines.svg",
        "ticds client delete R D8ED76C2 --document cookbook --save-plan plan4",
        "ticds client delete R D8ED76C2 --document cookbook --yes",
        "ticds client restore R D8ED76C2 --document cookbook --save-plan plan5",
        "ticds client restore R D8ED76C2 --document cookbook --yes",
        "ticds journal undo R --last --save-plan plan6", "ticds journal undo R --last --yes",
        "ticds journal recover R", "ticds integrity check R", "ticds remote check-password R",
        "ticds store compare new.sqlite new.sqlite --model M", "ticds model diff M M",
        "ticds model decompile M --to again.xcdatamodel", "ticds model diagram M --to model.svg",
        "ticds verify R --repair --save-plan plan7", "ticds verify R --repair --yes",
        "ticds verify file S",
        "ticds document create R notes --description Notes --client D8ED76C2 --save-plan plan8",
        "ticds document create R notes --description Notes --client D8ED76C2 --yes",
        "ticds document delete R notes --save-plan plan9",
        "ticds document delete R notes --yes", "ticds document restore R notes --save-plan plan10",
        "ticds document restore R notes --yes",
        "ticds integrity reset R --document notes --save-plan plan11",
        "ticds integrity reset R --document notes --yes",
        "ticds document delete R notes --save-plan plan12", "ticds journal apply plan12 --yes",
        "ticds remote create made/com.example.made --yes",
        "ticds remote encrypt R --password-file P --yes",
        "ticds remote change-password R --password-file P --new-password-file P2 --yes",
        "ticds remote decrypt R --password-file P2 --yes",
        "ticds remote remove R --save-plan plan13", "ticds remote remove R --yes", "ticds demo shown",
    ]

    /// Commands whose output is their result.
    private static let showing: Set = [
        "ticds archive find", "ticds archive list", "ticds changes diff", "ticds changes dump",
        "ticds changes list", "ticds changes log", "ticds changes recover", "ticds changes search",
        "ticds changes stats", "ticds client show", "ticds fleet list", "ticds fleet metrics",
        "ticds fleet query", "ticds fleet review", "ticds fleet status", "ticds help",
        "ticds inspect clients", "ticds inspect documents", "ticds inspect metrics", "ticds inspect status",
        "ticds inspect stores", "ticds inspect tree", "ticds integrity show", "ticds journal list",
        "ticds journal show", "ticds model find", "ticds model show", "ticds store dump",
        "ticds store history", "ticds store info", "ticds store list", "ticds sync log", "ticds sync status",
        "ticds verify explain", "ticds version",
    ]

    /// Commands that need more than the demonstration: a store with its model, a mount, and a process that is stopped.
    private static let triedElsewhere: Set = [
        "ticds inspect mount", "ticds model extract", "ticds sync watch",
    ]

    /// The names of a command and its subcommands that act.
    private static func names(_ command: any ParsableCommand.Type, below name: String) -> [String] {
        let own = command.configuration.commandName?.replacing("ticds-", with: "") ?? ""
        let name = own == "ticds" ? own : "\(name) \(own)"
        let inner = command.configuration.subcommands
        return inner.isEmpty ? [name] : inner.flatMap { names($0, below: name) }
    }

    @Test func everyCommandIsTriedOrShowsItsResult() {
        let all = Set(CommandTable.programs.flatMap { Self.names($0.root, below: "ticds") })
        let lines = Self.commands.map {
            $0.replacing(" --quiet", with: "").replacing("verify R", with: "verify remote R")
        }
        let tried = all.filter { name in lines.contains { $0.hasPrefix(name + " ") } }
        let named = tried.union(Self.showing).union(Self.triedElsewhere)
        #expect(all.subtracting(named).sorted() == [])
        #expect(named.subtracting(all).sorted() == [])
    }

    @Test func nothingIsPrintedIfAllIsWell() throws {
        let demo = try DemoRemote(changeSets: 40)
        try demo.scratch.shell(
            "mkdir snapshots copy in made; echo one > password; echo two > password2")
        for command in Self.commands {
            let words = command.hasPrefix("ticds --quiet") ? command : command + " --quiet"
            let result = try run(words, demo)
            #expect(result.status == 0, "\(words): \(result.output)\(result.errors)")
            #expect(result.output + result.errors == "", "\(words)")
        }
    }

    /// A dry run shows its plan, which is its result.
    @Test func dryRunsShowTheirPlans() throws {
        let demo = try DemoRemote(changeSets: 8)
        let result = try run("ticds client delete R D8ED76C2 --document cookbook --dry-run --quiet", demo)
        #expect(result.status == 0 && result.output.contains("D8ED76C2"), "\(result.output)\(result.errors)")
    }

    /// A command that does not end well prints the reason.
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
        let line = command.replacing(" R", with: " '\(demo.path)'").replacing(" P2", with: " password2")
            .replacing(" P", with: " password").replacing(
                " S ",
                with: " $(ls '\(demo.path)'/Documents/cookbook/WholeStore/*/WholeStore.ticdsync | head -n 1) "
            )
            .replacing(" M", with: " '\(demo.root.removingLastComponent())/Cookbook.xcdatamodel'")
        return try Program.shell(
            "cd '\(demo.scratch.path)'; \(line)",
            environment: [
                "HOME": demo.scratch.path.string, "XDG_STATE_HOME": "\(demo.scratch.path)/state", "TZ": "UTC",
            ])
    }
}
