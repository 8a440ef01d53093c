import Foundation
import Synchronization

/// What a program tells about its arguments (`--experimental-dump-help`).
struct HelpDump: Decodable {
    struct Name: Decodable {
        var name: String
    }

    /// How a shell completes a value: one of these; others are looked up by the program.
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

        /// As a user types them.
        var typedNames: [String] { (names ?? []).map { ($0.name.count > 1 ? "--" : "-") + $0.name } }

        /// As a manual page writes them: `-json` for `--json`, `q` for `-q`.
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

    /// The subcommands, or the program itself where it has none.
    var usableCommands: [Command] { hasSubcommands ? command.subcommands ?? [] : [command] }

    /// Lines of the help that show how a command is called.
    var examples: [String] {
        ([command] + (command.subcommands ?? [])).flatMap { command in
            (command.discussion ?? "").components(separatedBy: "\n")
                .filter { $0.hasPrefix("  ticds") }.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The dump of a program of the suite. The parser's own subcommand `help` is left out.
    static func of(_ program: String) throws -> HelpDump {
        try known.withLock { known in
            if let dump = known[program] { return dump }
            let dump = try read(program)
            known[program] = dump
            return dump
        }
    }

    /// Each program is asked once.
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
    /// Without the last element, if that is as told.
    fileprivate func dropLast(_ isUnwanted: (Element) -> Bool) -> [Element] {
        last.map(isUnwanted) == true ? Array(dropLast()) : self
    }
}
