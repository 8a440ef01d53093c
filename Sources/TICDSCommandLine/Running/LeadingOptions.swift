import ArgumentParser

/// Options of every command before the name of the command, as in `ticds --json verify REMOTE`.
package enum LeadingOptions {
    /// A command that has only these options.
    struct Every: ParsableCommand {
        @OptionGroup var output: OutputOptions
    }

    /// Options that replace a command.
    private static let others: Set = [
        "-h", "--help", "--help-hidden", "--version", "--generate-completion-script",
    ]

    /// The number of first words that are such options and their values.
    package static func count(in arguments: [String]) -> Int {
        guard let first = arguments.first, first.hasPrefix("-"), !others.contains(first),
            let definitions = CommandDefinitions(of: Every.self, [])
        else { return 0 }
        let valued = definitions.singleValued
        let names = definitions.optionNames.subtracting(others)
        var count = 0
        while count < arguments.count {
            let word = arguments[count]
            if valued.contains(word) {
                count += 2
            } else if names.contains(word)
                || word.firstIndex(of: "=").map({ valued.contains(String(word[..<$0])) }) == true
            {
                count += 1
            } else {
                break
            }
        }
        return min(count, arguments.count)
    }

    /// The arguments with these options moved after the first following word, if that is a subcommand's name or its
    /// beginning.
    static func moved(_ arguments: [String], of root: any ParsableCommand.Type) -> [String] {
        let names = root.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !names.isEmpty else { return arguments }
        let count = count(in: arguments)
        guard count > 0, count < arguments.count else { return arguments }
        let word = arguments[count]
        let isName =
            root.configuration.defaultSubcommand == nil
            ? !word.hasPrefix("-") && !word.isEmpty : names.contains(word)
        guard isName, word != "help" else { return arguments }
        return [word] + arguments[..<count] + arguments[(count + 1)...]
    }
}
