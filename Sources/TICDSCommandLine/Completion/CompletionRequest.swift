import TICDSOperations
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSStorages

/// A request for live completions: the words of a command up to the cursor.
struct CompletionRequest {
    /// The arguments before the one at the cursor. A word whose value only the shell knows is empty.
    let before: [String]
    /// The typed part of the last argument, without `--option=`.
    let typed: String

    /// - Parameter words: the arguments, the one at the cursor last.
    init(_ words: [String]) {
        before = Array(words.dropLast())
        typed = words.last ?? ""
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
        // A word after an option may be its value, so such words come last.
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

    /// The remote on which the command will work.
    var remote: RemoteAddress? { namedRemote ?? Environment["TICDS_REMOTE"].flatMap(Self.remote) }

    private static func remote(at word: String) -> RemoteAddress? {
        if let scheme = StorageSchemes.scheme(of: word) {
            return scheme.address(word).map { .elsewhere($0) }
        }
        // try?: completion offers what it can
        guard !word.isEmpty, let address = try? RemoteAddress(path: FilePath(word)) else { return nil }
        if address.archive != nil { return address }
        // try?: as above
        guard let path = try? FilePath(word).resolved(), (try? FileStatus.of(path))?.kind == .folder
        else { return nil }
        // try?: completion offers what it can
        return (try? RemoteLocation.find(FilePath(word))).map { .folder($0) }
    }

    /// The password, if a file contains it. Runs no command, and asks no question.
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
