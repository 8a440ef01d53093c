package import ArgumentParser

/// A shell's request for completions of the word at the cursor. A completion script starts the program that the user
/// types as `PROGRAM ---complete SHELL WORD ...`, with the words of the line after the program, and the word at the
/// cursor last.
package struct CompletionQuestion {
    package let shell: CompletionShell
    /// The values of the words before the cursor. A word whose value only the shell knows is empty.
    package var words: [String]
    /// The typed part of the last word.
    package let typed: String

    package init(_ shell: CompletionShell, _ words: [String], typed: String) {
        self.shell = shell
        self.words = words
        self.typed = typed
    }

    /// - Parameter arguments: the arguments of the process, the name of the program first. The words have the quotes as
    ///   the user typed them, except that fish removes the quotes of whole words.
    /// - Returns: nil if the arguments are a different request.
    package init?(_ arguments: [String]) {
        guard arguments.count > 3, arguments[1] == "---complete",
            let shell = CompletionShell(rawValue: arguments[2])
        else { return nil }
        let isFish = shell == .fish
        let words = arguments[3..<(arguments.count - 1)].map { word in
            isFish ? CompletionWord.expanded(word) : CompletionWord.value(word) ?? ""
        }
        let last = arguments[arguments.count - 1]
        self.init(shell, words, typed: CompletionWord.value(last, fish: isFish) ?? last)
    }

    /// The value that is being typed after the sign of `--option=value`, and the option.
    var typedValue: (option: String, value: String)? {
        guard typed.hasPrefix("--"), let sign = typed.firstIndex(of: "=") else { return nil }
        return (String(typed[..<sign]), String(typed[typed.index(after: sign)...]))
    }
}
