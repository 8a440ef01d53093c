import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine

/// `ticds COMMAND ...`: runs `ticds-COMMAND`, as git does, or one of its own few commands.
enum Ticds {
    static let name = "ticds"

    static func main() -> Never {
        let arguments = Dispatcher(own: RootCommand.ownNames).run(Array(CommandLine.arguments.dropFirst()))
        CommandRunner.main(RootCommand.self, arguments: arguments, hasWholeNames: true)
    }

    /// Lines that complete `ticds COMMAND ...`, like those for `ticds-COMMAND ...`.
    static func completions(_ question: CompletionQuestion) -> [String] {
        let dispatcher = Dispatcher(own: RootCommand.ownNames)
        let leading = LeadingOptions.count(in: question.words)
        guard leading < question.words.count else {
            let commands = dispatcher.candidates
            return CompletionAnswer(question, of: RootCommand.self, commands: commands).lines
        }
        let word = question.words[leading]
        guard !word.hasPrefix("-") else { return [] }
        var named = question
        if let program = CommandTable.program(of: word) {
            named.words.remove(at: leading)
            return CompletionAnswer(named, of: program.root).lines
        }
        // try?: an unknown name has no completions
        guard let name = try? CommandName.whole(word, among: dispatcher.allNames, kind: "command") else {
            return []
        }
        if dispatcher.own.contains(name) {
            named.words[leading] = name
            return CompletionAnswer(named, of: RootCommand.self).lines
        }
        guard let program = CommandTable.program(of: name) else { return [CompletionAnswer.files] }
        named.words.remove(at: leading)
        return CompletionAnswer(named, of: program.root).lines
    }
}

/// The root command of `ticds` itself.
struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds",
        abstract: "Tools for the sync folders of TICoreDataSync.",
        usage: "ticds <command> [<arguments>]",
        discussion: """
            What is in this folder, is it sound, and how do I get my data out of it?
              ticds inspect status ~/Dropbox/com.example.app
              ticds verify ~/Dropbox/com.example.app
              ticds store export ~/Dropbox/com.example.app --newest --model My.app --to csv

            \(CommandTable.overview)
            ticds COMMAND runs ticds-COMMAND; the beginning of a name is enough, also of a subcommand's. ticds help \
            COMMAND shows its manual page.
            """,
        version: SuiteVersion.current,
        subcommands: own,
        helpNames: [.short, .long])

    private static let own: [any ParsableCommand.Type] = [Demo.self, HelpPage.self, Version.self]

    /// The names of its subcommands. Every dispatch needs them, but not the overview above.
    static var ownNames: [String] { own.compactMap { $0.configuration.commandName } }

    func run() throws {
        var text = OutputBuffer(.standardOutput)
        for line in Self.helpMessage().split(separator: "\n", omittingEmptySubsequences: false) {
            text.line(String(line))
        }
        let strangers = ExecutablePath.names(beginningWith: Dispatcher.prefix).filter { name in
            !CommandTable.programs.contains { $0.name == name }
        }
        if !strangers.isEmpty {
            text.line("Programs of others: \(strangers.joined(separator: ", "))")
        }
        try text.flush()
    }
}

/// Finds the program for the first argument, and replaces this process by it.
struct Dispatcher {
    /// The beginning of the names of ticds programs.
    static let prefix = "ticds-"

    /// The commands of `ticds` itself.
    let own: [String]

    /// Returns the arguments to continue with if `ticds` itself has the command; otherwise does not return.
    func run(_ arguments: [String]) -> [String] {
        let leading = LeadingOptions.count(in: arguments)
        guard leading < arguments.count, !arguments[leading].hasPrefix("-") else { return arguments }
        let name = arguments[leading]
        if !own.contains(name), let program = ExecutablePath.find(Self.prefix + name) {
            exec(program, leading)
        }
        let command = own.contains(name) ? name : resolve(name)
        if !own.contains(command), let program = ExecutablePath.find(Self.prefix + command) {
            exec(program, leading)
        }
        let rest = arguments[..<leading] + arguments[(leading + 1)...]
        // Without the links of an installation, this process runs the command.
        if !own.contains(command), let program = CommandTable.program(of: command) {
            CommandRunner.main(program.root, arguments: Array(rest))
        }
        return [command] + rest
    }

    /// The only command that begins with `name`; ends the process if there is none, or several.
    /// - Parameters:
    ///   - topics: further names that are valid beside commands.
    ///   - suggestions: command lines that the user may have meant.
    func resolve(
        _ name: String, besides topics: [String] = [], suggestions: () -> [String] = { [] }
    ) -> String {
        do {
            return try CommandName.whole(
                name, among: allNames + topics, kind: topics.isEmpty ? "command" : "command or topic")
        } catch {
            let meant = Self.owners(of: name).map { "ticds \($0) \(name)" } + suggestions()
            if !meant.isEmpty {
                CommandRunner.endForUsage(
                    "there is no command '\(escapedText(name))'. Did you mean \(meant.joined(separator: " or "))?"
                )
            }
            let recipes = topics.isEmpty ? "" : " What to do in trouble: ticds help recipes."
            CommandRunner.endForUsage(error.message + recipes)
        }
    }

    /// The commands that have a subcommand of this name.
    static func owners(of subcommand: String) -> [String] {
        CommandTable.programs.filter { program in
            program.name.hasPrefix(prefix)
                && program.root.configuration.subcommands.contains {
                    $0.configuration.commandName == subcommand
                }
        }.map { String($0.name.dropFirst(prefix.count)) }
    }

    /// All words that can follow `ticds`, sorted.
    var allNames: [String] {
        let programs = CommandTable.programs.map(\.name) + ExecutablePath.names(beginningWith: Self.prefix)
        let names = programs.filter { $0.hasPrefix(Self.prefix) }.map {
            String($0.dropFirst(Self.prefix.count))
        }
        return Set(names + own).sorted()
    }

    /// All words that can follow `ticds`, each with its overview if it belongs to ticds.
    var candidates: [CompletionCandidate] {
        let own = CompletionAnswer.subcommands(of: RootCommand.self)
        return allNames.map { name in
            let note = CommandTable.program(of: name)?.root.configuration.abstract
            return own.first { $0.value == name } ?? CompletionCandidate(name, note: note)
        }
    }

    /// - Parameter leading: the number of arguments before the command's name.
    private func exec(_ program: FilePath, _ leading: Int) -> Never {
        let given = Environment.rawArguments.dropFirst()
        let arguments = given.prefix(leading) + given.dropFirst(leading + 1)
        let reason = ExecutablePath.exec(program, arguments.map { UnsafePointer($0) })
        CommandRunner.endForFailure(
            FileProblem(.unreadable, path: program, "the program cannot be run", found: "\(reason)"))
    }
}
