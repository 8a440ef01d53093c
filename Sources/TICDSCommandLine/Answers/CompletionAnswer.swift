package import ArgumentParser
import Base
import SystemCalls

/// Answer to a shell that asks for completions: lines for its script.
///
/// A line has a value, a tab and an explanation, or it tells the script which values the shell itself completes:
/// `/directories`, `/files`, `/files ENDING ...` or `/commands`. Values of `--option=value` come without the option,
/// except for fish, which replaces whole words. For zsh, which removes the sign again, an option that takes a value
/// ends with `=`.
package struct CompletionAnswer {
    /// The line for files of any kind.
    package static let files = "/files"

    package private(set) var lines: [String] = []
    private let question: CompletionQuestion

    /// Answers with the candidates for a line of the program `root`.
    package init(_ question: CompletionQuestion, of root: any ParsableCommand.Type) {
        self.question = question
        let configuration = root.configuration
        let words = question.words
        let leading = configuration.subcommands.isEmpty ? 0 : LeadingOptions.count(in: words)
        if configuration.subcommands.isEmpty {
            add(at: CompletionPlace(root, of: root, words))
        } else if leading < words.count {
            add(for: words[leading], behind: leading, of: root)
        } else {
            add(Self.subcommands(of: root), orArgumentsOf: configuration.defaultSubcommand, of: root)
        }
    }

    /// Answers for a line of the program `root` that names no command yet: with its commands, or with an option that
    /// every command has.
    package init(
        _ question: CompletionQuestion, of root: any ParsableCommand.Type, commands: [CompletionCandidate]
    ) {
        self.question = question
        add(commands, orArgumentsOf: nil, of: root)
    }

    /// The subcommands of a program, with their overviews.
    package static func subcommands(of root: any ParsableCommand.Type) -> [CompletionCandidate] {
        let shown = root.configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
        let named = shown.compactMap { command in
            command.commandName.map { CompletionCandidate($0, note: command.abstract) }
        }
        let hasHelp = named.contains { $0.value == help }
        return hasHelp ? named : named + [CompletionCandidate(help, note: "Shows the help of a subcommand.")]
    }

    /// The subcommand that the parser adds to all programs with subcommands.
    private static let help = "help"

    /// Adds candidates for a line whose word after options of every command may name a subcommand.
    private mutating func add(for word: String, behind leading: Int, of root: any ParsableCommand.Type) {
        let configuration = root.configuration
        let others = Array(question.words[..<leading] + question.words[(leading + 1)...])
        let names = configuration.subcommands.compactMap { $0.configuration.commandName } + [Self.help]
        let isWhole = configuration.defaultSubcommand != nil
        // try?: an unknown name has no completions
        let found = isWhole ? word : (try? CommandName.whole(word, among: names, kind: "subcommand"))
        if let command = configuration.subcommands.first(where: { $0.configuration.commandName == found }) {
            add(at: CompletionPlace(command, of: root, others))
        } else if found == Self.help {
            if others.isEmpty { add(described: Self.subcommands(of: root)) }
        } else if let standard = configuration.defaultSubcommand {
            add(at: CompletionPlace(standard, of: root, question.words))
        }
    }

    /// Adds candidates for a line without the name of a command: the commands, and the arguments of the default
    /// command. Without a default command, options of every command.
    private mutating func add(
        _ commands: [CompletionCandidate], orArgumentsOf standard: (any ParsableCommand.Type)?,
        of root: any ParsableCommand.Type
    ) {
        if standard == nil, question.words.isEmpty, !question.typed.hasPrefix("-") {
            return add(described: commands)
        }
        let place = CompletionPlace(standard ?? LeadingOptions.Every.self, of: root, question.words)
        let isCommand = place.option == nil && !question.typed.hasPrefix("-")
        if isCommand { add(described: commands) }
        if !isCommand || standard != nil { add(at: place) }
    }

    /// Adds the arguments of a command, or its options.
    private mutating func add(at place: CompletionPlace) {
        if let option = place.option {
            add(option, at: place, typed: question.typed)
        } else if let (name, value) = question.typedValue {
            guard let option = place.option(named: name) else { return }
            add(option, at: place, typed: value)
            guard question.shell == .fish else { return }
            lines = lines.map { $0.hasPrefix("/") ? $0 : "\(name)=\($0)" }
        } else if question.typed.hasPrefix("-") {
            addOptions(at: place)
        } else {
            if let (argument, number) = place.positional {
                add(argument, "positional@\(number)", at: place, typed: question.typed)
            }
            if lines.isEmpty, question.typed.isEmpty { addOptions(at: place) }
        }
    }

    /// Adds the values of an argument.
    /// - Parameter name: the name by which the parser finds an argument without a name of its own.
    private mutating func add(
        _ argument: CompletionPlace.Argument, _ name: String? = nil, at place: CompletionPlace, typed: String
    ) {
        switch argument.completionKind {
        case nil: break
        case .folders: lines.append("/directories")
        case .files(let endings): lines.append(([Self.files] + endings).joined(separator: " "))
        case .words(let words): lines += words.map { CompletionCandidate($0) }.lines(typed: typed)
        case .live:
            if let name = name ?? argument.names?.first?.text { lines += place.live(name, typed: typed) }
        }
    }

    /// Adds the options that can follow, each with its overview.
    private mutating func addOptions(at place: CompletionPlace) {
        for option in place.options {
            for name in option.names ?? [] where name.text.hasPrefix(question.typed) {
                let sign = question.shell == .zsh && option.kind == "option" && name.isLong ? "=" : ""
                lines.append("\(name.text)\(sign)\t\(explanation(option.abstract))")
            }
        }
    }

    private mutating func add(described candidates: [CompletionCandidate]) {
        lines += candidates.map { CompletionCandidate($0.value, note: explanation($0.note)) }
            .lines(typed: question.typed)
    }

    /// The explanation of a candidate that help also describes: bash would show each in a line, and fill screens.
    private func explanation(_ text: String?) -> String {
        question.shell == .bash ? "" : escapedText(text ?? "")
    }
}
