import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine

/// `ticds COMMAND ...`: runs `ticds-COMMAND`, as git does, or one of the few commands of its own.
enum Ticds {
    static let name = "ticds"

    static func main() -> Never {
        let arguments = Dispatcher(own: TicdsCommand.ownNames).run(Array(CommandLine.arguments.dropFirst()))
        CommandRunner.main(TicdsCommand.self, arguments: arguments, delegates: { CompletionDelegate.all })
    }
}

/// What `ticds` itself can do.
struct TicdsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds",
        abstract: "Tools for the sync folders of TICoreDataSync.",
        usage: "ticds <command> [<arguments>]",
        discussion: """
            ticds COMMAND runs ticds-COMMAND. The beginning of a command's name is enough.

              ticds inspect status ~/Dropbox/MyApp
              ticds changes dump ~/Dropbox/MyApp --json
              ticds help inspect
            """,
        version: SuiteVersion.current,
        subcommands: [Demo.self, HelpPage.self, Version.self],
        helpNames: [.short, .long])

    /// The names of the subcommands above.
    static var ownNames: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

    func run() {
        var text = OutputBuffer(.standardOutput)
        for line in Self.helpMessage().split(separator: "\n", omittingEmptySubsequences: false) {
            text.line(String(line))
        }
        let names = Programs.names(beginningWith: Dispatcher.prefix).map {
            $0.dropFirst(Dispatcher.prefix.count)
        }
        if !names.isEmpty { text.line("COMMANDS: \(names.joined(separator: ", "))") }
    }
}

/// Finds the program that the first argument means, and replaces this process by it.
struct Dispatcher {
    /// What the names of the programs of the suite begin with.
    static let prefix = "ticds-"

    /// The commands that `ticds` has itself.
    let own: [String]

    /// The arguments to continue with if `ticds` has the command itself. Otherwise does not return.
    func run(_ arguments: [String]) -> [String] {
        guard let name = arguments.first, !name.hasPrefix("-"), !own.contains(name) else { return arguments }
        if let program = Programs.find(Self.prefix + name) { exec(program) }
        let command = resolve(name)
        if own.contains(command) { return [command] + arguments.dropFirst() }
        if let program = Programs.find(Self.prefix + command) { exec(program) }
        return arguments
    }

    /// The one command that begins with `name`; ends the process if there is none, or several.
    func resolve(_ name: String) -> String {
        let names = allNames
        if names.contains(name) { return name }
        let fitting = names.filter { $0.hasPrefix(name) }
        if let only = fitting.first, fitting.count == 1 { return only }
        CommandRunner.endForUsage(fitting.isEmpty ? unknown(name, among: names) : ambiguous(name, fitting))
    }

    /// Everything that can follow `ticds`, sorted.
    var allNames: [String] {
        let programs = Programs.names(beginningWith: Self.prefix).map {
            String($0.dropFirst(Self.prefix.count))
        }
        return Set(programs + own).sorted()
    }

    private func exec(_ program: FilePath) -> Never {
        let arguments = (2..<max(2, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }
        let reason = Programs.exec(program, arguments.map { UnsafePointer($0) })
        CommandRunner.endForFailure(
            FileProblem(.unreadable, path: program, "the program cannot be run", found: "\(reason)"))
    }

    private func ambiguous(_ name: String, _ fitting: [String]) -> String {
        "the command '\(escapedText(name))' can mean \(fitting.joined(separator: ", "))"
    }

    private func unknown(_ name: String, among names: [String]) -> String {
        let near = names.filter { EditDistance.between(name, $0) <= max(1, $0.count / 3) }
        let advice =
            near.isEmpty
            ? "The commands are: \(names.joined(separator: ", "))"
            : "Did you mean \(near.joined(separator: " or "))"
        return "there is no command '\(escapedText(name))'. \(advice)\(near.isEmpty ? "." : "?")"
    }
}

extension CompletionDelegate {
    /// The programs of the suite beside this one, for the completion script.
    static var all: [CompletionDelegate] {
        guard let folder = Programs.ownFolder else { return [] }
        return Programs.names(beginningWith: Dispatcher.prefix, in: [folder]).map { name in
            CompletionDelegate(
                name: String(name.dropFirst(Dispatcher.prefix.count)),
                abstract: Suite.programs.first { $0.name == name }?.root.configuration.abstract
                    ?? abstract(ofForeign: folder.appending(name)))
        }
    }

    /// The overview in the help of a program that is not of the suite.
    private static func abstract(ofForeign program: FilePath) -> String {
        let heading = "OVERVIEW: "
        let help = ShellCommand.text(of: program, "--help")
        guard help.hasPrefix(heading) else { return "" }
        let lines = help.dropFirst(heading.count).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.prefix { !$0.isEmpty }.joined(separator: " ")
    }
}

/// The distance between two words.
enum EditDistance {
    /// The number of letters to insert, remove, change, or swap with a neighbour to get from one to the other.
    static func between(_ one: String, _ other: String) -> Int {
        let (from, to) = (Array(one.prefix(40)), Array(other.prefix(40)))
        var beforeLast: [Int] = []
        var last = Array(0...to.count)
        for row in 0..<from.count {
            var next = [row + 1]
            for column in 0..<to.count {
                let changed = last[column] + (from[row] == to[column] ? 0 : 1)
                var best = min(changed, last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, from[row] == to[column - 1], from[row - 1] == to[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                next.append(best)
            }
            (beforeLast, last) = (last, next)
        }
        return last[to.count]
    }
}
