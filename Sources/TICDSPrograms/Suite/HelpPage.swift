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
            Dispatcher(own: TicdsCommand.ownNames).allNames + ManualPages.topics
        }.kind)
    var command: String?

    @Argument(help: "A subcommand: its help is shown instead of the page.")
    var subcommand: String?

    func run() {
        let dispatcher = Dispatcher(own: TicdsCommand.ownNames)
        guard let command, !dispatcher.own.contains(command) else {
            if let page = ManualPages.page("ticds") { ManualPages.show(page) }
            return TicdsCommand().run()
        }
        if subcommand == nil, let page = ManualPages.page(on: command) { ManualPages.show(page) }
        let name = dispatcher.resolve(command)
        if subcommand == nil, let page = ManualPages.page(Dispatcher.prefix + name) { ManualPages.show(page) }
        guard let program = Programs.find(Dispatcher.prefix + name) else { return TicdsCommand().run() }
        let reason = Programs.exec(program, (subcommand.map { [$0] } ?? []) + ["--help"])
        CommandRunner.endForFailure(
            FileProblem(.unreadable, path: program, "the program cannot be run", found: "\(reason)"))
    }
}

/// Where manual pages lie, and the programs that show them.
enum ManualPages {
    private static let sections = ["1", "5", "7"]

    /// The page of this name: of the installed suite, otherwise of the source tree in which the program was built.
    static func page(_ name: String) -> FilePath? {
        guard let folder = Programs.ownFolder, !name.contains("/") else { return nil }
        let installed = folder.removingLastComponent().appending("share").appending("man")
        for section in sections {
            let file = "\(name).\(section)"
            for name in [file, "\(file).gz"] {
                let page = installed.appending("man\(section)").appending(name)
                if canRead(page) { return page }
            }
            if let page = inSourceTree(above: folder, file) { return page }
        }
        return nil
    }

    /// The topics of `ticds help` beside commands: the pages of sections 5 and 7.
    static let topics = [
        "archive-format", "config", "core-data-binary-store", "core-data-sqlite-store",
        "core-data-xml-store", "field-notes", "findings", "json", "protocol", "recipes", "remote-format",
        "remotes", "security",
    ].filter { page(on: $0) != nil }

    /// The page on a command or a topic; those on Core Data's stores are named without the suite.
    static func page(on topic: String) -> FilePath? {
        page(Dispatcher.prefix + topic) ?? (topic.hasPrefix("core-data-") ? page(topic) : nil)
    }

    /// Replaces the process by `man` or `mandoc`; returns if there is neither.
    static func show(_ page: FilePath) {
        if let manual = Programs.find("man") { _ = Programs.exec(manual, ["-l", page.string]) }
        if let mandoc = Programs.find("mandoc") { _ = Programs.exec(mandoc, ["-a", page.string]) }
    }

    /// The build folder lies a few levels below the package.
    private static func inSourceTree(above folder: FilePath, _ file: String) -> FilePath? {
        var level = folder
        for _ in 0..<5 {
            level = level.removingLastComponent()
            let page = level.appending("man").appending(file)
            if canRead(level.appending("Package.swift")), canRead(page) { return page }
        }
        return nil
    }

    private static func canRead(_ path: FilePath) -> Bool {
        // try?: as named
        guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
            return false
        }
        try? descriptor.close()  // try?: nothing was written
        return true
    }
}
