import SystemCalls
import SystemPackage
import TICDSStorages

/// A ticds command that a fleet runs over each of its remotes.
package struct FleetCommand: Sendable, Hashable {
    /// The program, such as `ticds-changes`.
    package let program: String
    /// Its arguments, with the subcommand; `{}` stands for the remote, `{id}` for its identifier, `{application}` for the
    /// name of its folder.
    package let arguments: [String]
    /// Whether the command takes a password.
    let takesPassword: Bool
    /// Whether the command can save a plan.
    package let isChanging: Bool
    /// Whether one process may run the command on many remotes: it only reads, starts no program, and prints its
    /// result.
    var sharesProcesses: Bool {
        !isChanging && !["archive", "remote"].contains(String(program.dropFirst("ticds-".count)))
            && arguments.first != "report"
            && !arguments.contains { $0.hasPrefix("--password-") || $0.hasPrefix("--log-file") }
            && Environment["TICDS_PASSWORD_COMMAND"] == nil
    }

    /// The reason why words are not a command of a fleet.
    package struct Refusal: Error, Hashable {
        /// The reason as a sentence.
        package let text: String

        package init(text: String) { self.text = text }
    }

    /// The reading commands, by the names of the programs; the word before a slash is the program's.
    private static let reading = [
        "inspect status", "inspect tree", "inspect documents", "inspect clients", "inspect stores",
        "inspect timeline", "inspect report", "inspect metrics", "verify", "verify remote", "changes list",
        "changes dump", "changes search", "changes log", "changes stats", "store list", "store check",
        "integrity show", "integrity check", "client show", "remote check-password", "archive export",
    ]
    /// The commands that make plans.
    private static let changing = [
        "verify", "verify remote", "vacuum", "client delete", "client restore", "document delete",
        "document restore", "document create", "integrity reset",
    ]
    /// Options that change a remote, or that the fleet passes itself.
    private static let refused = [
        "--repair", "--save-plan", "--yes", "-y", "--dry-run", "-n", "--json", "--quiet", "-q", "--progress",
        "--no-progress", "--verbose", "-v",
    ]

    /// The names of the commands that can be run, such as `inspect status`.
    package static func names(isChanging: Bool) -> [String] { isChanging ? changing : reading }

    /// The command for these words: `verify --level deep`, `changes stats`, `ticds-store list`. `status` alone belongs
    /// to `ticds-inspect`.
    package init(_ words: [String], isChanging: Bool) throws(Refusal) {
        var words = words
        guard var first = words.first, !first.isEmpty else { throw Refusal(text: "name a COMMAND") }
        if first.contains(" ") {
            throw Refusal(text: "'\(first)' is one word: give its words apart, without quotation marks")
        }
        if first.hasPrefix("ticds-") { first = String(first.dropFirst("ticds-".count)) }
        if first == "status" {
            words.insert("status", at: 1)
            first = "inspect"
        }
        let known = Self.names(isChanging: isChanging)
        let second = words.count > 1 ? "\(first) \(words[1])" : first
        let count = known.contains(second) && second != first ? 2 : 1
        guard known.contains(count == 2 ? second : first) else {
            throw Refusal(
                text: "\(first) is none of the commands that a fleet \(isChanging ? "plans" : "runs"): "
                    + known.filter { $0 != "verify remote" }.sorted().joined(separator: ", "))
        }
        let name = count == 2 ? second : first
        let options = Array(words.dropFirst(count))
        for option in options.prefix(while: { $0 != "--" }) {
            let isRepair = option == "--repair" && isChanging && first == "verify"
            if Self.refused.contains(option.split(separator: "=").first.map(String.init) ?? option), !isRepair
            {
                throw Refusal(
                    text:
                        "the option \(option) has no place in a command of a fleet; options of the run itself "
                        + "stand before the command")
            }
        }
        guard options.allSatisfy({ StorageSchemes.hidden(in: $0) == $0 }) else {
            throw Refusal(
                text:
                    "a run keeps its command, and no options of a storage, which may be secrets: describe the "
                    + "storage with rclone config, and name it: rclone:NAME:path")
        }
        if isChanging, first == "verify", !options.contains("--repair") {
            throw Refusal(text: "verify makes a plan with --repair only")
        }
        program = "ticds-\(first)"
        self.isChanging = isChanging
        takesPassword = name != "inspect tree" && name != "archive export" || options.contains("--decrypt")
        var arguments = count == 2 ? [words[1]] : []
        if first == "verify", count == 1 { arguments = ["remote"] }
        if !options.contains("{}") { arguments.append("{}") }
        self.arguments = arguments + options
        if name == "archive export" || name == "inspect report",
            !options.contains(where: { $0.contains("{id}") })
        {
            throw Refusal(
                text:
                    "\(name) writes a file for each remote: put {id} into its name, such as /srv/archives/{id}.tar.zst"
            )
        }
    }

    /// Its words, for comparison.
    package var words: [String] { [String(program.dropFirst("ticds-".count))] + arguments }

    /// The words as a person types them for a remote: "ticds verify REMOTE".
    static func typed(_ words: [String]) -> String {
        let isVerification = words.starts(with: ["verify", "remote"])
        let needed = isVerification ? words.prefix(1) + words.dropFirst(2) : words[...]
        let typed = needed.map { $0 == "{}" ? "REMOTE" : ShellWord.quoted(Array($0.utf8)) }
        return (["ticds"] + typed).joined(separator: " ")
    }

    /// The arguments for a remote, as bytes, since a path need not be UTF-8.
    /// - Parameter more: options after those of the command.
    func arguments(for remote: FleetRemote, _ more: [String] = []) -> [[UInt8]] {
        let password =
            takesPassword && !arguments.contains { $0.hasPrefix("--password-") }
            ? remote.password?.options ?? [] : []
        let own = arguments.map { argument -> [UInt8] in
            if argument == "{}" { return remote.location.bytes }
            let text = argument.replacing("{id}", with: remote.identifier)
                .replacing("{application}", with: remote.application.replacing("/", with: "_"))
            return Array(text.utf8)
        }
        return own + (["--json"] + password + more).map { Array($0.utf8) }
    }
}
