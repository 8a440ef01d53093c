package import ArgumentParser
import FoundationEssentials
package import SystemPackage

/// The commands and options of a program, as its parser describes them. They are read for an error in the arguments,
/// and for completions.
package struct CommandDefinitions {
    struct Command: Decodable {
        var commandName: String
        var subcommands: [Command]?
        var defaultSubcommand: String?
        var arguments: [Argument]?
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            var name: String
            var isLong: Bool { name.count > 1 }
            /// The option with its dashes.
            var text: String { (isLong ? "--" : "-") + name }
        }

        /// The shell's completion of the value.
        enum Completion: Decodable {
            case words([String])
            case files(endings: [String])
            case folders
            /// The command itself finds values.
            case live

            private enum Key: CodingKey { case list, file, directory }
            private struct List: Decodable { var values: [String] }
            private struct File: Decodable { var extensions: [String] }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: Key.self)
                if values.contains(.directory) {
                    self = .folders
                } else if values.contains(.file) {
                    self = .files(endings: try values.decode(File.self, forKey: .file).extensions)
                } else if values.contains(.list) {
                    self = .words(try values.decode(List.self, forKey: .list).values)
                } else {
                    self = .live
                }
            }

            var isPath: Bool {
                switch self {
                case .files, .folders: true
                case .words, .live: false
                }
            }
        }

        var kind: String
        var isRepeating: Bool
        var shouldDisplay: Bool
        var parsingStrategy: String
        var names: [Name]?
        var completionKind: Completion?
        var abstract: String?
    }

    private struct Dump: Decodable {
        var command: Command
    }

    /// The program, and the subcommand that the arguments name.
    let commands: [Command]
    /// The words that call the subcommand: `ticds-client delete`.
    let name: String

    /// - Returns: nil if the parser gives no description.
    package init?(of root: any ParsableCommand.Type, _ arguments: [String]) {
        // try?: the parser's own text; without it nothing is known
        guard let dump = try? JSONDecoder().decode(Dump.self, from: Data(root._dumpHelp().utf8)) else {
            return nil
        }
        var commands = [dump.command]
        var name = dump.command.commandName
        var words = arguments.prefix { $0 != "--" }.filter { !$0.hasPrefix("-") }[...]
        while let subcommands = commands.last?.subcommands, !subcommands.isEmpty {
            let named = words.firstIndex { word in subcommands.contains { $0.commandName == word } }
            let wanted = named.map { words[$0] } ?? commands.last?.defaultSubcommand
            guard let next = subcommands.first(where: { $0.commandName == wanted }) else { break }
            if let named {
                words = words[(named + 1)...]
                name += " " + next.commandName
            }
            commands.append(next)
        }
        self.commands = commands
        self.name = name
    }

    var arguments: [Argument] { commands.flatMap { $0.arguments ?? [] } }

    /// The names of options with one value.
    var singleValued: Set<String> {
        let single = arguments.filter { $0.kind == "option" && !$0.isRepeating }
        return Set(single.flatMap { $0.names ?? [] }.map(\.text))
    }

    /// Makes the paths among the arguments absolute, so that they mean the same in every folder. Words with `:` before the
    /// first slash name a storage, and `-` a stream.
    package func absolute(_ words: [String], in folder: FilePath) -> [String] {
        let options = arguments.filter { $0.kind == "option" }
        let valued = Set(options.flatMap { $0.names ?? [] }.map(\.text))
        let paths = Set(
            options.filter { $0.completionKind?.isPath == true }.flatMap { $0.names ?? [] }.map(\.text))
        let positional = arguments.filter { $0.kind == "positional" }
        let arePaths = !positional.isEmpty && positional.allSatisfy { $0.completionKind?.isPath == true }
        func absolute(_ word: String) -> String {
            guard !word.isEmpty, word != "-", word != "{}", !word.hasPrefix("/"),
                word.prefix(while: { $0 != "/" }).contains(":") == false
            else { return word }
            return folder.pushing(FilePath(word)).lexicallyNormalized().string
        }
        var made: [String] = []
        var subcommands = commands.dropFirst().map(\.commandName)[...]
        var (option, isEnded) = (String?.none, false)
        for word in words {
            defer { option = !isEnded && option == nil && valued.contains(word) ? word : nil }
            if let option {
                made.append(paths.contains(option) ? absolute(word) : word)
            } else if !isEnded, word == subcommands.first {
                made.append(word)
                subcommands.removeFirst()
            } else if isEnded || !word.hasPrefix("-") || word == "-" {
                made.append(arePaths ? absolute(word) : word)
            } else if let sign = word.firstIndex(of: "="), paths.contains(String(word[..<sign])) {
                made.append(word[...sign] + absolute(String(word[word.index(after: sign)...])))
            } else {
                made.append(word)
                isEnded = word == "--"
            }
        }
        return made
    }

    /// The names of all options and flags.
    package var optionNames: Set<String> {
        Set(arguments.flatMap { $0.names ?? [] }.map(\.text)).union([
            "-h", "--help", "--help-hidden", "--version", "--generate-completion-script",
        ])
    }
}
