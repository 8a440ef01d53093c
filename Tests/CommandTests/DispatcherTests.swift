import Foundation
import Testing

@Suite struct DispatcherTests {
    @Test(arguments: ["inspect", "changes", "store"])
    func runsTheProgramOfThatName(command: String) throws {
        let direct = try Program.run("ticds-\(command)", ["--version"])
        let through = try Program.run("ticds", [command, "--version"])
        #expect(direct.status == 0)
        #expect(through.status == 0)
        #expect(!direct.output.isEmpty)
        #expect(through.output == direct.output)
    }

    /// Output, messages and exit status equal those of the program itself.
    @Test func passesEverythingOn() throws {
        let demo = try DemoRemote(.damaged)
        for words in [
            ["inspect", "status", demo.path], ["changes", "stats", demo.path],
            ["inspect", "status", "/nowhere"],
            ["changes", "search", demo.path, "no such thing"], ["inspect", "status"],
        ] {
            let direct = try Program.run("ticds-\(words[0])", Array(words.dropFirst()))
            let through = try Program.run("ticds", words)
            #expect(through.status == direct.status, "\(words)")
            #expect(through.bytes == direct.bytes, "\(words)")
            #expect(through.errors == direct.errors, "\(words)")
        }
    }

    @Test func helpFindsSubcommandsAndFindings() throws {
        let snapshot = try Program.run("ticds", ["help", "snapshot"])
        #expect(snapshot.status == 0 && snapshot.output.contains("USAGE: ticds-remote snapshot"))
        for code in ["TICDS-0612", "0612", "612"] {
            let finding = try Program.run("ticds", ["help", code])
            #expect(finding.status == 0 && finding.output.hasPrefix("TICDS-0612: "), "\(finding)")
        }
        let json = try Program.run("ticds", ["help", "json"])
        for name in ["ticds-json", "ticds-json(5)", "json(5)"] {
            #expect(
                try Program.run("ticds", ["help", name]).output == json.output && json.status == 0, "\(name)")
        }
        let backup = try Program.run("ticds", ["help", "backup"])
        #expect(backup.status == 64 && backup.errors.contains("there is no command"), "\(backup.errors)")
        let undo = try Program.run("ticds", ["undo", "remote"])
        #expect(undo.status == 64 && undo.errors.contains("ticds journal undo"), "\(undo.errors)")
    }

    @Test func acceptsTheBeginningOfAName() throws {
        let result = try Program.run("ticds", ["insp", "--version"])
        #expect(result.status == 0)
        #expect(result.output.contains("0.1.0"))
        #expect(try Program.run("ticds", ["vers"]).output.hasPrefix("ticds "))
    }

    @Test func acceptsTheBeginningOfASubcommand() throws {
        let demo = try DemoRemote(changeSets: 2)
        let whole = try Program.run("ticds-inspect", ["status", demo.path])
        for words in [["insp", "stat", demo.path], ["inspect", "sta", demo.path]] {
            let result = try Program.run("ticds", words)
            #expect(result.status == 0 && result.output == whole.output, "\(words): \(result.errors)")
        }
        // A first argument of the default subcommand stays unchanged.
        let verify = try Program.run("ticds-verify", ["expl"])
        #expect(verify.status == 2 && verify.errors.contains("expl"), "\(verify.errors)")
    }

    @Test(arguments: [
        (["changes", "serach", "x"], "there is no subcommand 'serach'. Did you mean search?"),
        (["changes", "d"], "the subcommand 'd' can mean dump, diff"),
        (["journal", "zzz"], "The subcommands are: list, show, "),
        (["changes", "\u{1B}[31m"], "there is no subcommand '\\u{1B}[31m'"),
    ])
    func unknownSubcommands(words: [String], message: String) throws {
        let result = try Program.run("ticds", words)
        #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.hasPrefix("ticds-\(words[0]): "))
        let json = try Program.run("ticds", words + ["--json"])
        #expect(json.status == 64 && json.errors.contains(#""kind":"usage""#), "\(json.errors)")
    }

    /// Every ticds program is in the overview once, with its purpose, and no line is longer than a screen.
    @Test func overview() throws {
        let overview = try Program.run("ticds", []).output
        let lines = overview.split(separator: "\n")
        for program in ManualTests.programs where program != "ticds" {
            let entries = lines.filter { $0.hasPrefix("  \(program.dropFirst("ticds-".count)) ") }
            #expect(entries.count == 1, "\(program): \(entries)")
        }
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(overview)")
        #expect(try Program.run("ticds", ["--help"]).output == overview)
        #expect(!overview.contains("Programs of others"))
        let scratch = try Scratch()
        try scratch.script("ticds-zeta", "")
        let path = ["PATH": "\(scratch.path):/usr/bin:/bin"]
        let mine = try Program.run("ticds", [], environment: path).output
        #expect(mine.hasSuffix("Programs of others: ticds-zeta\n"), "\(mine)")
    }

    @Test func helpOfASubcommand() throws {
        let direct = try Program.run("ticds-store", ["replay", "--help"])
        for words in [["store", "replay"], ["sto", "rep"]] {
            let result = try Program.run("ticds", ["help"] + words)
            #expect(result.status == 0 && result.output == direct.output, "\(words): \(result.errors)")
        }
        #expect(try Program.run("ticds-store", ["help", "rep"]).output == direct.output)
    }

    @Test(arguments: [
        (["verify", "reset"], "has no subcommand 'reset'. Did you mean ticds help integrity reset?"),
        (["verify", "zzz"], "there is no subcommand 'zzz'. The subcommands are: remote, file, "),
        (["vacuum", "zzz"], "ticds-vacuum has no subcommands."),
    ])
    func helpNamesSubcommandsThatDoNotExist(words: [String], message: String) throws {
        let result = try Program.run("ticds", ["help"] + words)
        #expect(result.status == 64 && result.output == "", "\(result.output)")
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func wordsOfItsTitleShowOneRecipe() throws {
        for words in [["recipes", "reset"], ["recipes", "Reset", "a", "client"], ["reset", "a", "client"]] {
            let recipe = try Program.run("ticds", ["help"] + words)
            #expect(recipe.status == 0 && recipe.errors == "", "\(words): \(recipe.errors)")
            #expect(recipe.output.hasPrefix("  Reset a client\n"), "\(words): \(recipe.output)")
            #expect(recipe.output.contains("ticds-client delete reset"))
            #expect(!recipe.output.contains("The devices disagree") && !recipe.output.contains("SEE ALSO"))
        }
        let alone = try Program.run("ticds", ["help", "rescue"])
        #expect(
            alone.status == 64 && alone.errors.contains("Did you mean ticds help recipes rescue?"),
            "\(alone.errors)")
        let two = try Program.run("ticds", ["help", "recipes", "folders"]).output
        #expect(two.contains("Look after many folders") && two.contains("\n\n  Look after an account with"))
        let letters = try Program.run("ticds", ["help", "recipes", "backup"]).output
        #expect(letters.contains("Back up, and keep") && letters.contains("Put one file back"), "\(letters)")
        let seen = try Program.run("ticds", ["help", "recipes", "old", "edits", "come", "back"]).output
        #expect(seen.hasPrefix("  A conflicted copy\n"), "\(seen)")
        let text = try Program.run("ticds", ["help", "recipes", "D8ED76C2"])
        #expect(text.status == 0 && text.output.contains("D8ED76C2"), "\(text.errors)")
        let none = try Program.run("ticds", ["help", "recipes", "zzzz"])
        #expect(none.status == 64 && none.errors.contains("\"Undo a mistake\""), "\(none.errors)")
        let unknown = try Program.run("ticds", ["help", "zzzz", "client"])
        #expect(unknown.status == 64 && !unknown.errors.contains("recipe has"), "\(unknown.errors)")
        let long = try Program.run("ticds", ["help", "store", "replay", "more"])
        #expect(long.status == 64 && long.errors.contains("'more' is one word too many"), "\(long.errors)")
    }

    @Test func theExecutableAloneDoesTheSame() throws {
        let scratch = try Scratch()
        let demo = try DemoRemote(changeSets: 2)
        try scratch.shell("mkdir bin; cp -L '\(Program.folder.path)/ticds' bin/ticds")
        let (program, path) = ("\(scratch.path)/bin/ticds", ["PATH": "/usr/bin:/bin"])
        for words in [
            ["help", "store", "rep"], ["help", "612"], ["help", "snapshot"], ["help", "store"],
            ["inspect", "stat", demo.path], ["insp", "--json", "status", demo.path],
        ] {
            let alone = try Program.launch(program, words, environment: path, seconds: 60)
            let direct =
                words == ["help", "store"]
                ? try Program.run("ticds-store", ["--help"]) : try Program.run("ticds", words)
            #expect(alone.status == direct.status && alone.bytes == direct.bytes, "\(words): \(alone.errors)")
            #expect(alone.errors == direct.errors, "\(words)")
        }
        let manual = try Program.launch(program, ["help", "recipes"], environment: path, seconds: 60)
        #expect(manual.status == 64 && manual.errors.contains("make install"), "\(manual.errors)")
    }

    @Test func suggestsTheNearestName() throws {
        let result = try Program.run("ticds", ["inspcet"])
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("Did you mean inspect?"))
    }

    @Test func listsTheCommandsForAnUnknownName() throws {
        let result = try Program.run("ticds", ["zzzz"])
        #expect(result.status == 64)
        #expect(result.errors.contains("changes, "))
    }

    @Test func refusesAnAmbiguousBeginning() throws {
        let scratch = try Scratch()
        for name in ["ticds-zeta", "ticds-zebra"] { try scratch.script(name, "echo \"$0: $1\"") }
        let path = ["PATH": "\(scratch.path):/usr/bin:/bin"]
        let ambiguous = try Program.run("ticds", ["ze"], environment: path)
        #expect(ambiguous.status == 64)
        #expect(ambiguous.errors.contains("zebra, zeta"))
        let found = try Program.run("ticds", ["zeb", "an argument"], environment: path)
        #expect(found.output == "\(scratch.path)/ticds-zebra: an argument\n")
    }

    @Test func helpShowsTheManualPage() throws {
        let result = try Program.run("ticds", ["help", "inspect"])
        #expect(result.status == 0)
        #expect(result.output.contains("SYNOPSIS"))
    }

    @Test func versionTellsTheLibraries() throws {
        let result = try Program.run("ticds", ["version", "--json"])
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(document["schema"] as? String == "ticds.version/1")
        let libraries = try #require(document["libraries"] as? [String: String])
        #expect(libraries.keys.sorted() == ["libarchive", "libgcrypt", "sqlite", "swift"])
        #expect(libraries["sqlite"]?.hasPrefix("3.") == true)
    }

    /// One executable acts according to its name, whatever the kind of link.
    @Test func doesWhatItsNameSays() throws {
        let scratch = try Scratch()
        let inspect = Program.path("ticds-inspect")
        let executable = URL(filePath: inspect).resolvingSymlinksInPath().path
        let lines = [
            "ln -s '\(inspect)' other; ./other --help",
            "ln -s '\(inspect)' one; ln -s one two; ./two --help",
            "cp '\(executable)' ticds-inspect; ./ticds-inspect --help",
            "(exec -a strange '\(inspect)' --help)",
            "PATH='\(Program.folder.path)':$PATH; ticds-inspect --help",
        ]
        for line in lines {
            let help = try scratch.shell("cd \"$(mktemp -d -p .)\"; \(line)")
            #expect(help.contains("USAGE: ticds-inspect "), "\(line): \(help)")
        }
        // Under any other name it is ticds, and its messages contain the name by which it was called.
        let unknown = try Program.shell(
            "cd '\(scratch.path)'; cp '\(executable)' ticds-nothing; ./ticds-nothing --help; ./ticds-nothing tac"
        )
        #expect(unknown.output.contains("USAGE: ticds <command>"), "\(unknown.output)")
        #expect(unknown.status == 64 && unknown.errors.hasPrefix("ticds-nothing: "), "\(unknown.errors)")
    }
}
