import ArgumentParser

/// A program to which the completion script of `ticds` delegates: `inspect` for `ticds-inspect`.
package struct CompletionDelegate: Sendable {
    /// What follows the name of the dispatching program.
    package let name: String
    package let abstract: String

    package init(name: String, abstract: String) {
        self.name = name
        self.abstract = abstract
    }
}

/// The completion script of a program: what the argument parser generates, followed by functions that replace some of the
/// generated ones. These pass words as they were typed, never run what is in a name, print no errors, know the subcommand
/// that may be left out, and let each shell look for files in its own way.
struct CompletionScript {
    /// The name of the program.
    let name: String
    let subcommands: [String]
    /// The subcommand that may be left out.
    let standard: String?
    /// The programs to which this one delegates.
    let delegates: [CompletionDelegate]
    private let generated: [Substring]

    private static let option = "--generate-completion-script"
    /// The subcommand that the parser adds to all programs that have some.
    private static let help = "help"

    /// The script that the arguments ask for; nil if they ask for something else.
    static func requested<Root: ParsableCommand>(
        of root: Root.Type, _ arguments: [String], _ delegates: () -> [CompletionDelegate]
    ) -> String? {
        guard arguments.count == 2, arguments[0] == option,
            let shell = CompletionShell(rawValue: arguments[1])
        else { return nil }
        return CompletionScript(root, shell, delegates()).lines(for: shell).joined(separator: "\n")
    }

    private init<Root: ParsableCommand>(
        _ root: Root.Type, _ shell: CompletionShell, _ delegates: [CompletionDelegate]
    ) {
        let configuration = root.configuration
        let own = configuration.subcommands.compactMap { $0.configuration.commandName }
        name = configuration.commandName ?? root._commandName
        subcommands = own.filter { $0 != Self.help } + [Self.help]
        standard = configuration.defaultSubcommand?.configuration.commandName
        self.delegates = delegates
        let lines = root.completionScript(for: shell).split(separator: "\n", omittingEmptySubsequences: false)
        generated = own.contains(Self.help) ? Self.withoutSecondHelp(lines) : lines
    }

    private func lines(for shell: CompletionShell) -> [Substring] {
        switch shell {
        case .bash: inserting(bash, in: generated, before: "complete -o filenames -F")
        case .zsh:
            inserting(zsh, in: generated.map(Self.allowingEqualSign), before: "if [[ \"${funcstack[1]}\"")
        default: generated.map { renamed(Self.offeringSuffixes($0, name)) } + [fish[...]]
        }
    }

    /// The script with the function for the whole program under another name, and `text` before the last line that
    /// begins with `mark`.
    private func inserting(_ text: String, in script: [Substring], before mark: String) -> [Substring] {
        var lines = script
        if let position = lines.firstIndex(of: "_\(name)() {") { lines[position] = "__\(name)_own() {" }
        lines.insert(text[...], at: lines.lastIndex { $0.hasPrefix(mark) } ?? lines.count)
        return lines
    }

    /// Removes the `help` that the parser adds to a program which has its own.
    private static func withoutSecondHelp(_ lines: [Substring]) -> [Substring] {
        var seen: Set<Substring> = []
        var isSecond = false
        return lines.filter { line in
            if line.hasSuffix("() {") { isSecond = !seen.insert(line).inserted }
            defer { if line == "}" { isSecond = false } }
            return !isSecond && !line.contains("Show subcommand help information.")
        }
    }

    /// For zsh: `--option=value` beside `--option value`.
    private static func allowingEqualSign(_ line: Substring) -> Substring {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("'--") || text.hasPrefix("'*--"), text.contains("]:"),
            let bracket = line.firstIndex(of: "[")
        else { return line }
        return line[..<bracket] + "=" + line[bracket...]
    }

    /// For fish: replaces the parser's search for files with certain endings, which finds none in other folders.
    private static func offeringSuffixes(_ line: Substring, _ name: String) -> Substring {
        guard let start = line.firstRange(of: "fa '(set -l exts "),
            let end = line.firstRange(of: ";for p in ")
        else { return line }
        let endings = line[start.upperBound..<end.lowerBound].split(separator: " ").map { ending in
            "." + ending.filter { $0 != "'" && $0 != "\\" }
        }
        let list = endings.joined(separator: " ")
        return line[..<start.lowerBound] + "fka '(__\(name)_complete_files \(list))'"
    }

    /// For fish: renames two functions of a program that delegates, which are wrapped.
    private func renamed(_ line: Substring) -> Substring {
        let beginning = "function __\(name)_should_offer_completions_for_"
        guard !delegates.isEmpty, line.hasPrefix(beginning) else { return line }
        return "function __\(name)_own_" + line.dropFirst(beginning.count)
    }

    /// A script in which names replace the words in capitals.
    func filled(_ script: String) -> String {
        let words = (subcommands + ["--version", "-h", "--help"]).joined(separator: "|")
        return script.replacing("SUBCOMMANDS", with: words).replacing("STANDARD", with: standard ?? "")
            .replacing("PROGRAM", with: name)
    }
}
