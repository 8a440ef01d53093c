public import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Finds options that are given twice although they take one value. The parser silently keeps the last value, although
/// the user meant something by the first.
public enum RepeatedOptions {
    /// The message for the first option with one value that is given twice; nil if there is none. Reads the definitions
    /// of options only if some option is given twice.
    public static func problem<Root: ParsableCommand>(_ arguments: [String], of root: Root.Type) -> String? {
        let repeated = repeatedNames(arguments)
        guard !repeated.isEmpty else { return nil }
        let single = singleValued(of: root, arguments)
        return repeated.first(where: single.contains).map {
            "The option \($0) is given twice, but takes one value."
        }
    }

    /// The names that occur twice or more in the arguments, in their order. Values never begin with a dash.
    private static func repeatedNames(_ arguments: [String]) -> [String] {
        var seen: Set<String> = []
        var repeated: [String] = []
        for argument in arguments {
            if argument == "--" { break }
            guard argument.hasPrefix("-"), argument.count > 1 else { continue }
            let name = String(argument.prefix { $0 != "=" })
            if !seen.insert(name).inserted { repeated.append(name) }
        }
        return repeated
    }

    private struct Definitions: Decodable {
        struct Command: Decodable {
            var commandName: String
            var subcommands: [Command]?
            var defaultSubcommand: String?
            var arguments: [Argument]?
        }

        struct Argument: Decodable {
            struct Name: Decodable {
                var name: String
            }

            var kind: String
            var isRepeating: Bool
            var names: [Name]?
        }

        var command: Command
    }

    /// The options with one value of the command that the arguments name.
    private static func singleValued<Root: ParsableCommand>(
        of root: Root.Type, _ arguments: [String]
    ) -> Set<String> {
        let bytes = Data(root._dumpHelp().utf8)
        // try?: the parser's own text; without it nothing is known to be repeated
        guard let definitions = try? JSONDecoder().decode(Definitions.self, from: bytes) else { return [] }
        var command = definitions.command
        var words = arguments.prefix { $0 != "--" }.filter { !$0.hasPrefix("-") }[...]
        var found = names(of: command)
        while let subcommands = command.subcommands, !subcommands.isEmpty {
            let named = words.firstIndex { word in subcommands.contains { $0.commandName == word } }
            let name = named.map { words[$0] } ?? command.defaultSubcommand
            guard let next = subcommands.first(where: { $0.commandName == name }) else { break }
            if let named { words = words[(named + 1)...] }
            command = next
            found.formUnion(names(of: command))
        }
        return found
    }

    private static func names(of command: Definitions.Command) -> Set<String> {
        let single = (command.arguments ?? []).filter { $0.kind == "option" && !$0.isRepeating }
        return Set(single.flatMap { $0.names ?? [] }.map { ($0.name.count == 1 ? "-" : "--") + $0.name })
    }
}
