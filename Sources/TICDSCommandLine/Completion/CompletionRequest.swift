import ArgumentParser
import Rclone
import SystemCalls
import SystemPackage
import TICDSCore

/// What a shell sends when it asks for completions: the words up to the cursor.
struct CompletionRequest {
    /// The arguments before the one that is being typed, without the names of program and subcommand. A word whose value
    /// only the shell knows is empty.
    let before: [String]
    /// What has been typed of the last argument, without `--option=`.
    let typed: String
    let shell: CompletionShell?

    /// - Parameters:
    ///   - words: as the completion scripts pass them: the name of the program first, the word at the cursor last, with
    ///     the quotes as typed, except those that fish has removed.
    ///   - depth: how many of them name subcommands.
    init(words: [String], depth: Int, shell: CompletionShell?) {
        self.shell = shell
        let isFish = shell == .fish
        before = words.dropFirst(1 + depth).dropLast().map { word in
            isFish ? CompletionWord.expanded(word) : CompletionWord.value(word) ?? ""
        }
        var last = words.last.flatMap { CompletionWord.value($0, fish: isFish) } ?? ""
        if last.hasPrefix("--"), let sign = last.firstIndex(of: "=") {
            last = String(last[last.index(after: sign)...])
        }
        typed = last
    }

    /// The request for which this process was started.
    init(_ words: [String]) {
        // PROGRAM ---completion SUBCOMMAND ... -- ARGUMENT ...
        let depth = (CommandLine.arguments.firstIndex(of: "--") ?? 2) - 2
        self.init(words: words, depth: max(0, depth), shell: CompletionShell.requesting)
    }

    /// The value of an option that stands before the cursor.
    func value(of option: String) -> String? {
        for (position, word) in before.enumerated() {
            if word == option, position + 1 < before.count { return before[position + 1] }
            if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
        }
        return nil
    }

    /// The remote that one of the words names.
    var namedRemote: RemoteAddress? {
        if let named = value(of: "--remote") { return Self.remote(at: named) }
        // What follows an option may be its value: such words come last.
        var doubtful: [String] = []
        for (position, word) in before.enumerated() where !word.hasPrefix("-") {
            if position > 0, before[position - 1].hasPrefix("-") {
                doubtful.append(word)
            } else if let found = Self.remote(at: word) {
                return found
            }
        }
        return doubtful.lazy.compactMap(Self.remote).first
    }

    /// The remote that the command will look at.
    var remote: RemoteAddress? { namedRemote ?? Environment["TICDS_REMOTE"].flatMap(Self.remote) }

    private static func remote(at word: String) -> RemoteAddress? {
        if RcloneAddress.isAddress(word) { return RcloneAddress(word).map { .rclone($0) } }
        // try?: completion offers what it can
        guard !word.isEmpty, let path = try? FilePath(word).resolved(),
            (try? FileStatus.of(path))?.kind == .folder  // try?: the same
        else { return nil }
        // try?: completion offers what it can
        return (try? RemoteLocation.find(FilePath(word))).map { .folder($0) }
    }

    /// The password, if a file contains it. No command is run, and nobody is asked.
    var password: String? {
        let named = value(of: "--password-file").map { FilePath($0) }
        guard let path = named ?? Environment.path("TICDS_PASSWORD_FILE"),
            // try?: completion offers what it can
            let file = try? path.resolved(), (try? FileStatus.of(file))?.kind == .file,
            let bytes = try? PasswordSource.file(path).password()  // try?: completion offers what it can
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
