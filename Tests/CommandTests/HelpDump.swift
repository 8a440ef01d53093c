import Foundation
import Synchronization

/// The description of a program's arguments (`--experimental-dump-help`).
struct HelpDump: Decodable {
    struct Name: Decodable {
        var name: String
    }

    /// The way in which a shell completes a value; other values come from the program.
    struct Completion: Decodable {
        struct List: Decodable { var values: [String] }
        struct File: Decodable { var extensions: [String] }
        struct Folder: Decodable {}
        struct ShellCommand: Decodable {}

        var list: List?
        var file: File?
        var directory: Folder?
        var shellCommand: ShellCommand?
    }

    struct Argument: Decodable {
        var kind: String
        var isRepeating: Bool
        var names: [Name]?
        var allValues: [String]?
        var defaultValue: String?
        var shouldDisplay: Bool
        var completionKind: Completion?

        /// The names in the form that a user types.
        var typedNames: [String] { (names ?? []).map { ($0.name.count > 1 ? "--" : "-") + $0.name } }

        /// The names in the form of a manual page: `-json` for `--json`, `q` for `-q`.
        var manualNames: [String] { (names ?? []).map { $0.name.count > 1 ? "-\($0.name)" : $0.name } }
    }

    struct Command: Decodable {
        var commandName: String
        var discussion: String?
        var arguments: [Argument]?
        var subcommands: [Command]?

        /// Options and flags, without positional arguments.
        var options: [Argument] { (arguments ?? []).filter { $0.names != nil && $0.shouldDisplay } }
    }

    var command: Command

    var hasSubcommands: Bool { command.subcommands?.isEmpty == false }

    /// The subcommands, or the program itself if it has none.
    var usableCommands: [Command] { hasSubcommands ? command.subcommands ?? [] : [command] }

    /// Lines of the help with an example call.
    var examples: [String] {
        ([command] + (command.subcommands ?? [])).flatMap { command in
            (command.discussion ?? "").components(separatedBy: "\n")
                .filter { $0.hasPrefix("  ticds") }.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The dump of a ticds program. The parser's own subcommand `help` is omitted.
    static func of(_ program: String) throws -> HelpDump {
        try known.withLock { known in
            if let dump = known[program] { return dump }
            let dump = try read(program)
            known[program] = dump
            return dump
        }
    }

    /// The cache, so that each program runs once.
    private static let known = Mutex<[String: HelpDump]>([:])

    private static func read(_ program: String) throws -> HelpDump {
        let text = try Program.run(program, ["--experimental-dump-help"]).output
        var dump = try JSONDecoder().decode(HelpDump.self, from: Data(text.utf8))
        let own = dump.command.subcommands?.dropLast { $0.commandName == "help" }
        dump.command.subcommands = own
        return dump
    }
}

extension Array {
    /// The array without the last element, if that is unwanted.
    fileprivate func dropLast(_ isUnwanted: (Element) -> Bool) -> [Element] {
        last.map(isUnwanted) == true ? Array(dropLast()) : self
    }
}
