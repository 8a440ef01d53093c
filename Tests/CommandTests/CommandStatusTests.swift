import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// The documented exit statuses, command by command.
@Suite struct CommandStatusTests {
    @Test func findings() throws {
        let demo = try DemoRemote()
        let sets = try demo.changeSets
        #expect(try Program.run("ticds-changes", ["search", demo.path, "vegetarian"]).status == 0)
        let nothing = try Program.run("ticds-changes", ["search", demo.path, "nowhere to be found"])
        #expect(nothing.status == 1)
        #expect(nothing.bytes.isEmpty && nothing.errors.contains("no change that is still here contains"))
        let same = try Program.run("ticds-changes", ["diff", sets[0], sets[0]])
        #expect(same.status == 0 && same.bytes.isEmpty)
        let differing = try Program.run("ticds-changes", ["diff", sets[0], sets[1]])
        #expect(differing.status == 1 && !differing.bytes.isEmpty && differing.errors.isEmpty)
        let clients = try Program.run(
            "ticds-changes",
            ["diff", "Anna’s MacBook Pro", "Anna’s iPhone", "--remote", demo.path, "--document", "pantry"])
        #expect(clients.status == 1, "\(clients.errors)")
        #expect(clients.output.contains("  + "))
    }

    /// `changes diff` compares files, or clients of a remote; the error for a folder names the folder.
    @Test func changesOfFoldersAreNotCompared() throws {
        let demo = try DemoRemote(changeSets: 6)
        for (name, text) in [(demo.path, "is a remote"), ("\(demo.path)/Documents/pantry", "is a folder")] {
            let result = try Program.run("ticds-changes", ["diff", name, name])
            #expect(result.status == 2 && result.errors.contains("\(name): \(text) "), "\(result.errors)")
            #expect(result.errors.contains("--remote") && !result.errors.contains("disk"), "\(result.errors)")
        }
        let set = try Program.run("ticds-changes", ["recover", "\(demo.path)/Documents"])
        #expect(set.errors.contains("Name a file in it") && !set.errors.contains("disk"), "\(set.errors)")
        let fleet = try Program.run("ticds-verify", ["fleet"])
        #expect(fleet.status == 2 && fleet.errors.contains("ticds-fleet scan FOLDER"), "\(fleet.errors)")
    }

    @Test func failures() throws {
        let demo = try DemoRemote()
        let scratch = try Scratch()
        try scratch.shell("mkdir -p two/one/Documents two/other/Documents")
        let two = scratch.path.appending("two").string
        for (words, text) in [
            (["status", scratch.path.string], "is not a remote"),
            (["status", two], "contains several remotes"), (["status", two], "ticds-fleet scan \(two)"),
            (["status", "/nowhere"], "/nowhere: "), (["clients", demo.path, "--document", "zzz"], "\"zzz\""),
            (["clients", demo.path, "--client", "anna"], "anna"),
        ] {
            let result = try Program.run("ticds-inspect", words)
            #expect(result.status == 2, "\(words): \(result.errors)")
            #expect(result.bytes.isEmpty)
            #expect(
                result.errors.hasPrefix("ticds-inspect: /") && result.errors.contains(text),
                "\(result.errors)")
        }
        #expect(try Program.run("ticds-store", ["dump", demo.wholeStores[0], "--entity", "Zzz"]).status == 2)
        let log = try Program.run("ticds-changes", ["log", demo.path, "zzz"])
        #expect(log.status == 1)
        #expect(log.errors.contains("the text zzz"))
        for (option, status) in [(["--entity", "recipe"], 2), (["--since", "2999-01-01"], 1)]
            as [([String], Int32)]
        {
            let result = try Program.run("ticds-changes", ["log", demo.path, "salt"] + option)
            #expect(
                result.status == status && !result.errors.isEmpty,
                "\(option): \(result.output)\(result.errors)")
        }
    }

    /// Without a terminal no question is possible: commands that need no password work, the others report the missing
    /// password.
    @Test func passwords() throws {
        let demo = try DemoRemote(.encrypted, changeSets: 4)
        let wrong = ["--password-file", try demo.scratch.write("wrong", Array("not it".utf8))]
        let commands =
            ReadingCommand.all(on: demo.path)
            + ReadingCommand.all(onSets: try demo.changeSets, stores: [try demo.wholeStores[0]])
        for command in commands {
            let needsNone =
                ["ticds-inspect", "ticds-integrity"].contains(command.program)
                || command.program == "ticds-changes" && command.arguments == ["list", demo.path]
            let without = try command.run()
            if command.program == "ticds-verify", command.arguments[0] == demo.path {
                // The simulation continues, and reports that its outcome is unknown.
                let status: Int32 =
                    command.arguments.contains("--as-new-client")
                    ? 1 : Set(["names", "headers"]).isDisjoint(with: command.arguments) ? 4 : 0
                #expect(without.status == status && !without.bytes.isEmpty, "\(command.text)")
                continue
            }
            if command.program == "ticds-store", !["dump", "info", "history"].contains(command.arguments[0]) {
                // Data that is known without a password is still shown.
                #expect(without.status == 4 && !without.bytes.isEmpty, "\(command.text)")
                continue
            }
            #expect(
                without.status == (needsNone ? 0 : 4), "\(command.text): \(without.status) \(without.errors)")
            #expect(without.bytes.isEmpty != needsNone)
            if !needsNone { #expect(without.errors.contains("encrypted, and no password is given")) }
            if needsNone { continue }
            let result = try command.run(["--json"], password: wrong)
            #expect(result.status == 4, "\(command.text): \(result.status) \(result.errors)")
            #expect(result.bytes.isEmpty)
            #expect(result.errors.contains(#""kind":"wrongPassword""#), "\(result.errors)")
        }
        let hint = try Program.run("ticds-inspect", ["status", demo.path])
        #expect(hint.errors.contains("files not read: encrypted, and no password given"))
        #expect(!hint.output.contains("Family cookbook"))
        let opened = try Program.run("ticds-inspect", ["status", demo.path] + demo.passwordOptions)
        #expect(opened.output.contains("Family cookbook") && opened.errors.isEmpty)
        let fromEnvironment = try Program.run(
            "ticds-changes", ["stats", demo.path],
            environment: ["TICDS_PASSWORD_COMMAND": "printf '\(DemoRemote.password)'"])
        #expect(fromEnvironment.status == 0)
    }

    /// One damaged set among intact ones is reported, and the others are shown.
    @Test func partly() throws {
        let demo = try DemoRemote(.damaged, changeSets: 12)
        let sound = try DemoRemote(changeSets: 12)
        for words in [
            ["dump"], ["dump", "--json"], ["stats"], ["list", "--counts"], ["search", "vegetarian"],
        ] {
            let arguments =
                [words[0], demo.path] + (words[0] == "search" ? ["vegetarian"] : words.dropFirst())
            let result = try Program.run("ticds-changes", Array(arguments))
            #expect(result.status == 5, "\(words): \(result.errors)")
            #expect(!result.bytes.isEmpty)
            let (start, offset) =
                words.contains("--json")
                ? ("\"path\":\"\(demo.path)/", "\"offset\":") : ("ticds-changes: \(demo.path)/", "offset ")
            let named = result.errors.split(separator: "\n").filter { $0.contains(start) }
            #expect(named.count == 1 && named.first?.contains(offset) == true, "\(result.errors)")
        }
        let lines = try Program.run("ticds-changes", ["dump", demo.path, "--json"]).output.split(
            separator: "\n")
        let all = try Program.run("ticds-changes", ["dump", sound.path, "--json"]).output.split(
            separator: "\n")
        #expect(lines == all.filter { Set(lines).contains($0) })
        #expect(lines.count < all.count && lines.count > all.count / 2)
    }

    @Test(
        arguments: [
            ["ticds-inspect"], ["ticds-inspect", "status"], ["ticds-inspect", "odd"],
            ["ticds-changes", "dump"],
            ["ticds-changes", "diff", "one"], ["ticds-changes", "log"],
            ["ticds-changes", "search", "/a", "b", "c"],
            ["ticds-changes", "dump", "/usr", "--since", "tomorrow-ish"], ["ticds-store", "dump"],
            ["ticds-changes", "stats", "/usr", "--largest", "-1"], ["ticds-store", "dump", "a", "b"],
            ["ticds-changes", "dump", "/usr", "--password-file", "a", "--password-command", "b"],
            ["ticds", "demo"], ["ticds", "demo", "x", "--change-sets", "0"], ["ticds", "odd-command"],
        ])
    func usage(words: [String]) throws {
        let result = try Program.run(words[0], Array(words.dropFirst()))
        if words.count == 1 {
            #expect(result.status == 0 || result.status == 64)
            return
        }
        #expect(result.status == 64, "\(result.output)")
        #expect(result.bytes.isEmpty)
        let names = [words[0], "\(words[0]) \(words[1])"]
        #expect(names.contains { result.errors.hasPrefix($0 + ": ") }, "\(result.errors)")
    }

    /// The remote may come from the environment.
    @Test func remoteFromTheEnvironment() throws {
        let demo = try DemoRemote()
        let environment = ["TICDS_REMOTE": demo.path]
        for words in [
            ["ticds-inspect", "documents"], ["ticds-changes", "dump"], ["ticds-changes", "list"],
        ] {
            let direct = try Program.run(words[0], [words[1], demo.path])
            let through = try Program.run(words[0], [words[1]], environment: environment)
            #expect(through.status == 0)
            #expect(!direct.bytes.isEmpty && through.bytes == direct.bytes)
        }
        let search = try Program.run("ticds-changes", ["search", "vegetarian"], environment: environment)
        #expect(search.status == 0)
    }
}
