import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine

/// `ticds help [COMMAND]`: the manual page, otherwise the command's own help.
struct HelpPage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help",
        abstract: "Shows the manual page of a command or topic.",
        usage: "ticds help [<command> [<subcommand>]]",
        discussion: """
            Examples:
              ticds help inspect
              ticds help store replay
            """)

    @Argument(
        help: "A command (inspect, changes ...) or a topic (json). Without one: the suite as a whole.",
        completion: LiveCompletion.words {
            Dispatcher(own: RootCommand.ownNames).allNames + ManualPages.topics
        }.kind)
    var command: String?

    @Argument(help: "A subcommand: its help is shown instead of the page.")
    var subcommand: String?

    func run() throws {
        let dispatcher = Dispatcher(own: RootCommand.ownNames)
        guard let command, !dispatcher.own.contains(command) else {
            if let page = ManualPages.page("ticds") { ManualPages.show(page) }
            return try RootCommand().run()
        }
        if subcommand == nil, let page = ManualPages.page(on: command) { ManualPages.show(page) }
        let name = dispatcher.resolve(command, besides: subcommand == nil ? ManualPages.topics : [])
        if ManualPages.topics.contains(name), let page = ManualPages.page(on: name) { ManualPages.show(page) }
        if subcommand == nil, let page = ManualPages.page(Dispatcher.prefix + name) { ManualPages.show(page) }
        guard let program = ExecutablePath.find(Dispatcher.prefix + name) else {
            return try RootCommand().run()
        }
        let reason = ExecutablePath.exec(program, (subcommand.map { [$0] } ?? []) + ["--help"])
        CommandRunner.endForFailure(
            FileProblem(.unreadable, path: program, "the program cannot be run", found: "\(reason)"))
    }
}
