import Foundation
import SystemPackage
import Testing

/// The examples in the manual and in the help are commands that the programs understand.
@Suite struct ExampleTests {
    @Test(arguments: ManualTests.programs)
    func isUnderstood(program: String) throws {
        let examples = try ManualPage("\(program).1").examples + HelpDump.of(program).examples
        let commands = Set(examples.flatMap(Self.commands)).sorted()
        #expect(!commands.isEmpty)
        let scratch = try Scratch()
        try scratch.shell("ticds demo demo --change-sets 12")
        for command in commands {
            let place = command.replacing(/\/(srv|mnt|var|tmp)\//) { "'\(scratch.path)'/\($0.1)/" }
            let result = try Program.shell(
                "cd '\(scratch.path)'; \(place)",
                environment: ["HOME": scratch.path.string, "XDG_STATE_HOME": "\(scratch.path)/state"])
            #expect(![64, 126, 127].contains(result.status), "\(command): \(result.errors)")
            #expect((0...130).contains(result.status), "\(command): \(result.errors)")
        }
    }

    /// The lines that a page shows below a command equal the lines that the command prints on the demonstration remote.
    @Test(arguments: ManualTests.programs.dropFirst())
    func printsWhatThePageShows(program: String) throws {
        let displays = try ManualPage("\(program).1").shownExamples
        #expect(displays.count >= 2)
        let shell = ReaderShell(scratch: try Scratch())
        #expect(try shell.run("ticds demo demo && ticds demo damaged --damage").status == 0)
        for step in displays.flatMap(Recipe.steps) {
            let result = try shell.run(step.command)
            #expect(![2, 64, 127].contains(result.status), "\(step.command): \(result.errors)")
            let printed = (result.output + result.errors).split(separator: "\n").map(ReaderShell.plain)
            for line in step.output where !line.isEmpty {
                #expect(printed.contains(ReaderShell.plain(line)), "\(step.command): \(line)")
            }
        }
    }

    @Test func takesCommandsOutOfLines() {
        let line =
            #"0 3 * * * ticds-verify ~/a --only "x;y" | jq '.a|.b' && ticds changes dump b >c; ls ticds"#
        #expect(Self.commands(line) == [#"ticds-verify ~/a --only "x;y""#, "ticds changes dump b"])
    }

    /// The ticds commands in a line: from the name of a program to the end of the command, with regard to quotes.
    private static func commands(_ line: String) -> [String] {
        var commands = [""]
        var quote: Character?
        for letter in line {
            if let open = quote {
                if letter == open { quote = nil }
            } else if letter == "'" || letter == "\"" {
                quote = letter
            } else if "|&;<>()".contains(letter) {
                commands.append("")
                continue
            }
            commands[commands.count - 1].append(letter)
        }
        return commands.compactMap { command in
            let text = command.trimmingCharacters(in: .whitespaces)
            guard
                let found = text.firstMatch(
                    of: /^(?:[0-9]+ [0-9]+ [0-9*]+ \* [0-9*]+ +)?(ticds(?:-[a-z]+)? .*)/)
            else { return nil }
            return String(found.1)
        }
    }
}
