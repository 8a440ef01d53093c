import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a program understands, as its parser describes it; read only when something is wrong with the arguments.
struct CommandDefinitions {
    struct Command: Decodable {
        var commandName: String
        var subcommands: [Command]?
        var defaultSubcommand: String?
        var arguments: [Argument]?
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            var name: String
            /// With its dashes.
            var text: String { (name.count == 1 ? "-" : "--") + name }
        }

        var kind: String
        var isRepeating: Bool
        var names: [Name]?
    }

    private struct Dump: Decodable {
        var command: Command
    }

    /// The program, and the subcommand that the arguments name.
    let commands: [Command]
    /// The words by which the subcommand is called: `ticds-client delete`.
    let name: String

    /// - Returns: nil if the parser describes nothing.
    init?(of root: any ParsableCommand.Type, _ arguments: [String]) {
        // try?: the parser's own text; without it nothing is known
        guard let dump = try? JSONDecoder().decode(Dump.self, from: Data(root._dumpHelp().utf8)) else {
            return nil
        }
        var commands = [dump.command]
        var name = dump.command.commandName
        var words = arguments.prefix { $0 != "--" }.filter { !$0.hasPrefix("-") }[...]
        while let subcommands = commands.last?.subcommands, !subcommands.isEmpty {
            let named = words.firstIndex { word in subcommands.contains { $0.commandName == word } }
            let wanted = named.map { words[$0] } ?? commands.last?.defaultSubcommand
            guard let next = subcommands.first(where: { $0.commandName == wanted }) else { break }
            if let named {
                words = words[(named + 1)...]
                name += " " + next.commandName
            }
            commands.append(next)
        }
        self.commands = commands
        self.name = name
    }

    private var arguments: [Argument] { commands.flatMap { $0.arguments ?? [] } }

    /// The names of options with one value.
    var singleValued: Set<String> {
        let single = arguments.filter { $0.kind == "option" && !$0.isRepeating }
        return Set(single.flatMap { $0.names ?? [] }.map(\.text))
    }

    /// The names of all options and flags.
    var optionNames: Set<String> {
        Set(arguments.flatMap { $0.names ?? [] }.map(\.text)).union([
            "-h", "--help", "--help-hidden", "--version", "--generate-completion-script",
        ])
    }
}
