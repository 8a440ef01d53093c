import ArgumentParser

/// Place of the cursor among the arguments of a command.
struct CompletionPlace {
    typealias Argument = CommandDefinitions.Argument

    let command: any ParsableCommand.Type
    /// The words before the cursor, without the name of the command.
    let words: [String]
    private let arguments: [Argument]
    /// The arguments that occur in the words.
    private var used: Set<Int> = []
    private var positionalWords = 0
    /// Whether no option can follow.
    private var isEnded = false
    /// The option whose value is at the cursor.
    private(set) var option: Argument?

    /// - Parameter root: the program of the command.
    init(_ command: any ParsableCommand.Type, of root: any ParsableCommand.Type, _ words: [String]) {
        self.command = command
        self.words = words
        var arguments = CommandDefinitions(of: command, [])?.arguments ?? []
        if command != root, !root.configuration.version.isEmpty { arguments.append(Self.version) }
        self.arguments = arguments
        for word in words { read(word) }
    }

    /// The option that all commands get from their program.
    private static let version = Argument(
        kind: "flag", isRepeating: false, shouldDisplay: true, parsingStrategy: "default",
        names: [Argument.Name(name: "version")], abstract: "Show the version.")

    private mutating func read(_ word: String) {
        if option != nil, !word.hasPrefix("-") || word == "-" {
            option = nil
        } else if !isEnded, word.hasPrefix("-"), word != "-" {
            option = nil
            isEnded = word == "--"
            guard let index = index(of: String(word.prefix { $0 != "=" })) else { return }
            used.insert(index)
            if arguments[index].kind == "option", !word.contains("=") { option = arguments[index] }
        } else {
            if positional?.argument.parsingStrategy == "allRemainingInput" { isEnded = true }
            positionalWords += 1
        }
    }

    /// The argument without a name at the cursor, and its number among such arguments; nil if no further one can
    /// follow.
    var positional: (argument: Argument, number: Int)? {
        let all = arguments.filter { $0.kind == "positional" }
        if positionalWords < all.count { return (all[positionalWords], positionalWords) }
        return all.last.flatMap { $0.isRepeating ? ($0, all.count - 1) : nil }
    }

    /// The option of this name that takes a value.
    func option(named name: String) -> Argument? {
        index(of: name).map { arguments[$0] }.flatMap { $0.kind == "option" && !isEnded ? $0 : nil }
    }

    /// The options that can follow: all visible ones, except those that are given and not repeatable.
    var options: [Argument] {
        guard !isEnded else { return [] }
        return arguments.enumerated().compactMap { index, argument in
            let isGiven = used.contains(index) && !argument.isRepeating
            return argument.kind != "positional" && argument.shouldDisplay && !isGiven ? argument : nil
        }
    }

    /// The candidates of an argument that the command itself completes. The parser finds it by its name.
    func live(_ name: String, typed: String) -> [String] {
        do {
            _ = try command.parseAsRoot(["---completion", "--", name, "0", "0"] + words + [typed])
            return []
        } catch {
            // The parser throws the answer.
            guard command.exitCode(for: error).isSuccess else { return [] }
            return command.message(for: error).split(separator: "\n").map(String.init)
        }
    }

    private func index(of name: String) -> Int? {
        arguments.firstIndex { $0.names?.contains { $0.text == name } == true }
    }
}
