import ArgumentParser
import Testing

@testable import TICDSCommandLine
@testable import TICDSCommands

/// The programs' answers to shells, compared with their help.
@Suite struct CompletionAnswerTests {
    private static let shells: [CompletionShell] = [.bash, .zsh, .fish]

    /// The lines for a program's words; the last word is the typed one.
    private func lines(_ program: String, _ words: [String], _ shell: CompletionShell = .bash) throws
        -> [String]
    {
        let question = CompletionQuestion(shell, words.dropLast(), typed: try #require(words.last))
        guard program != "ticds" else { return Ticds.completions(question) }
        return CompletionAnswer(question, of: try #require(CommandTable.program(of: command(program))).root)
            .lines
    }

    private func values(_ program: String, _ words: [String], _ shell: CompletionShell = .bash) throws
        -> [String]
    {
        try lines(program, words, shell).map { String($0.prefix { $0 != "\t" }) }
    }

    /// The name of a program as a command of `ticds`.
    private func command(_ program: String) -> String { String(program.dropFirst("ticds-".count)) }

    /// The words for each command of a program, and its description.
    private func commands(_ program: String) throws -> [(words: [String], command: HelpDump.Command)] {
        let dump = try HelpDump.of(program)
        return dump.usableCommands.map { (dump.hasSubcommands ? [$0.commandName] : [], $0) }
    }

    @Test(arguments: ManualTests.programs)
    func everyVisibleOptionIsOffered(program: String) throws {
        for (words, command) in try commands(program) {
            for shell in Self.shells {
                let offered = try lines(program, words + ["-"], shell)
                let expected = command.options.flatMap { option in
                    option.typedNames.map { name in
                        shell == .zsh && option.kind == "option" && name.hasPrefix("--") ? name + "=" : name
                    }
                }
                #expect(
                    Set(offered.map { $0.prefix { $0 != "\t" } }) == Set(expected.map { $0[...] }), "\(words)"
                )
                #expect(offered.count == expected.count)
                let isExplained = offered.allSatisfy { !$0.hasSuffix("\t") }
                #expect(isExplained == (shell != .bash), "\(words): \(offered)")
            }
        }
    }

    @Test(arguments: ManualTests.programs)
    func everySubcommandIsOffered(program: String) throws {
        guard program != "ticds", try HelpDump.of(program).hasSubcommands else { return }
        let names = try commands(program).flatMap(\.words)
        for shell in Self.shells {
            let offered = try values(program, [""], shell).filter { !$0.hasPrefix("/") }
            #expect(offered == names + ["help"])
            #expect(try values(program, ["help", ""], shell) == names + ["help"])
        }
    }

    @Test func everyCommandIsOffered() throws {
        let offered = try values("ticds", [""])
        let programs = ManualTests.programs.filter { $0 != "ticds" }.map(command)
        #expect(Set(offered).isSuperset(of: programs + ["demo", "help", "version"]))
        #expect(try lines("ticds", ["vac"], .fish) == ["vacuum\t\(TicdsVacuum.configuration.abstract)"])
    }

    /// Values are offered after the option as well as in the same word.
    @Test(arguments: ManualTests.programs)
    func valuesOfEveryOptionAreOffered(program: String) throws {
        for (words, command) in try commands(program) {
            for option in command.options where option.kind == "option" {
                #expect(option.completionKind?.shellCommand == nil, "no script runs such a command")
                for name in option.typedNames {
                    let expected: [String]
                    if let words = option.completionKind?.list?.values {
                        expected = words
                    } else if let endings = option.completionKind?.file?.extensions {
                        expected = [(["/files"] + endings).joined(separator: " ")]
                    } else if option.completionKind?.directory != nil {
                        expected = ["/directories"]
                    } else {
                        continue
                    }
                    #expect(try values(program, words + [name, ""]) == expected, "\(words) \(name)")
                    guard name.hasPrefix("--") else { continue }
                    #expect(try values(program, words + [name + "="], .zsh) == expected, "\(words) \(name)")
                    let whole = expected.map { $0.hasPrefix("/") ? $0 : "\(name)=\($0)" }
                    #expect(try values(program, words + [name + "="], .fish) == whole, "\(words) \(name)")
                }
            }
        }
    }

    @Test(arguments: ManualTests.programs)
    func dispatchedCommandHasTheSameAnswers(program: String) throws {
        guard program != "ticds" else { return }
        for words in try commands(program).flatMap({ [$0.words + ["-"], $0.words + [""]] }) {
            #expect(try lines("ticds", [command(program)] + words) == lines(program, words), "\(words)")
        }
    }

    @Test func givenOptionIsNotOfferedAgain() throws {
        let offered = try values(
            "ticds-verify", ["remote", "--json", "--level=deep", "--ignore", "TICDS-0701", "-"])
        #expect(!offered.contains("--json") && !offered.contains("--level"))
        #expect(offered.contains("--ignore") && offered.contains("--quiet"))
    }

    @Test func valueIsTakenForNoOption() throws {
        #expect(try values("ticds-verify", ["--level", "--js"]) == [])
        #expect(try values("ticds-verify", ["remote", "--log-file", "remote", "--lev"]) == ["--level"])
    }

    @Test func terminatorEndsOptions() throws {
        #expect(try values("ticds-verify", ["remote", "--", "-"]).allSatisfy { !$0.hasPrefix("-") })
        #expect(try values("ticds-vacuum", [".", "--", ""]) == [])
        #expect(try values("ticds-archive", ["list", "--", ""]).count == 1)
    }

    @Test func argumentsFollowTheirOrder() throws {
        #expect(try values("ticds-archive", ["extract", ""])[0].hasPrefix("/files zst"))
        #expect(try values("ticds-archive", ["extract", "a.tar.zst", ""]) == ["/directories"])
        #expect(try values("ticds-archive", ["extract", "a.tar.zst", "folder", ""]).contains("--document"))
        #expect(
            try values("ticds-archive", ["find", "a.tar.zst", "b.tar.zst", ""])[0].hasPrefix("/files zst"))
    }

    @Test func passedCommandHasItsOwnOptions() throws {
        #expect(try values("ticds-fleet", ["run", "--eng"]) == ["--engine", "--engine-option"])
        #expect(try values("ticds-fleet", ["run", "--engine", "local", "verify", "--eng"]) == [])
    }

    @Test func optionsBeforeTheSubcommandAreRead() throws {
        #expect(try values("ticds", ["--json", "--log-file", "x", "insp", "stat"]) == ["status"])
        #expect(try values("ticds", ["--js"]) == ["--json"])
        #expect(try values("ticds", ["--log-file", ""]) == ["/files"])
        #expect(try values("ticds-inspect", ["--json", "status", "--js"]) == [])
        #expect(try values("ticds-inspect", ["--json", "--qui"]) == ["--quiet"])
    }

    @Test func beginningOfANameIsEnough() throws {
        #expect(try values("ticds", ["insp", "stat", "--docu"]) == ["--document"])
        #expect(try values("ticds", ["dem", "--change"]) == ["--change-sets"])
        #expect(try values("ticds", ["d", ""]) == [] && values("ticds", ["inspect", "st", ""]) == [])
        // A program with a default command needs complete names.
        #expect(try values("ticds-verify", ["expl", "--lev"]) == ["--level"])
        #expect(try values("ticds-verify", ["explain", "--lev"]) == [])
    }

    @Test func unknownWordsHaveNoCompletions() throws {
        #expect(
            try values("ticds", ["nothing", ""]) == [] && values("ticds-inspect", ["nothing", "-"]) == [])
        #expect(try values("ticds-verify", ["--nothing="]) == [])
    }
}
