import ArgumentParser
import SystemPackage
import TICDSCommandLine

/// `ticds COMMAND ...`: runs `ticds-COMMAND`, as git does, or one of the few commands of its own.
enum Ticds {
    static let name = "ticds"

    static func main() -> Never {
        let arguments = Dispatcher(own: TicdsCommand.ownNames).run(Array(CommandLine.arguments.dropFirst()))
        CommandRunner.main(TicdsCommand.self, arguments: arguments, delegates: { Delegates.all })
    }
}

/// What `ticds` itself can do.
struct TicdsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds",
        abstract: "Tools for the sync folders of TICoreDataSync.",
        usage: "ticds <command> [<arguments>]",
        discussion: """
            ticds COMMAND runs ticds-COMMAND. The beginning of a command's name is enough.

              ticds inspect status ~/Dropbox/MyApp
              ticds changes dump ~/Dropbox/MyApp --json
              ticds help inspect
            """,
        version: SuiteVersion.current,
        subcommands: [Demo.self, HelpPage.self, Version.self],
        helpNames: [.short, .long])

    /// The names of the subcommands above.
    static var ownNames: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

    func run() {
        var text = OutputBuffer(.standardOutput)
        for line in Self.helpMessage().split(separator: "\n", omittingEmptySubsequences: false) {
            text.line(String(line))
        }
        let names = Programs.names(beginningWith: Dispatcher.prefix).map {
            $0.dropFirst(Dispatcher.prefix.count)
        }
        if !names.isEmpty { text.line("COMMANDS: \(names.joined(separator: ", "))") }
    }
}
