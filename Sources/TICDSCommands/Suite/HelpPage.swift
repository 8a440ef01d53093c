import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSVerification

/// `ticds help [COMMAND]`: the manual page, or some of its recipes; otherwise the command's own help.
struct HelpPage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help",
        abstract: "Shows the manual page of a command or topic.",
        usage: "ticds help [<command> [<subcommand>]]",
        discussion: """
            Examples:
              ticds help inspect
              ticds help store replay
              ticds help snapshot
              ticds help recipes undo
              ticds help TICDS-0612
            """)

    @Argument(
        help:
            "A command (inspect, changes ...), a topic (json), or the code of a finding. Without one: the suite as a whole.",
        completion: LiveCompletion.words {
            Dispatcher(own: RootCommand.ownNames).allNames + ManualPages.topics
        }.kind)
    var command: String?

    @Argument(
        help: .value(
            "subcommand",
            "A subcommand: its help is shown instead of the page. After recipes: words of the title of a recipe, which is "
                + "shown alone."))
    var words: [String] = []

    func run() throws {
        let dispatcher = Dispatcher(own: RootCommand.ownNames)
        guard let command = self.command.map(Self.plain), !dispatcher.own.contains(command) else {
            if let page = ManualPages.page("ticds") { ManualPages.show(page) }
            return try RootCommand().run()
        }
        let isRecipe = command == Self.recipes || !dispatcher.allNames.contains(command)
        let title = command == Self.recipes ? words : [command] + words
        if isRecipe, !words.isEmpty, let page = ManualPages.page(on: Self.recipes) {
            try showRecipes(about: title, in: page, isMeant: command == Self.recipes)
        }
        if words.count > 1 { CommandRunner.endForUsage("'\(words[1])' is one word too many.") }
        let subcommand = words.first
        if subcommand == nil, let page = ManualPages.page(on: command) { ManualPages.show(page) }
        if subcommand == nil, Catalogue.kind(command) != nil {
            show("verify", ["explain", command])
        }
        let owners = subcommand == nil ? Dispatcher.owners(of: command) : []
        if owners.count == 1, !dispatcher.allNames.contains(command) {
            show(owners[0], [command, "--help"])
        }
        let name = dispatcher.resolve(command, besides: subcommand == nil ? ManualPages.topics : []) {
            subcommand == nil ? Self.recipes(about: command) : []
        }
        if ManualPages.topics.contains(name) {
            guard let page = ManualPages.page(on: name) else {
                CommandRunner.endForUsage(
                    "the manual, to which \(name) belongs, is not installed beside this program. In the sources of ticds, "
                        + "make install does it.")
            }
            ManualPages.show(page)
        }
        if subcommand == nil, let page = ManualPages.page(Dispatcher.prefix + name) { ManualPages.show(page) }
        show(name, (subcommand.map { [Self.subcommand($0, of: name)] } ?? []) + ["--help"])
    }

    /// The subcommand that the word is, or begins; ends the process if there is none. A program of others gets the word.
    private static func subcommand(_ word: String, of name: String) -> String {
        guard let program = CommandTable.program(of: name) else { return word }
        let names = program.root.configuration.subcommands.compactMap { $0.configuration.commandName }
        do throws(ValidationError) {
            guard !names.isEmpty else { throw ValidationError("ticds-\(name) has no subcommands.") }
            return try CommandName.whole(word, among: names + ["help"], kind: "subcommand")
        } catch {
            let owners = Dispatcher.owners(of: word).map { "ticds help \($0) \(word)" }
            CommandRunner.endForUsage(
                owners.isEmpty
                    ? error.message
                    : "ticds-\(name) has no subcommand '\(word)'. Did you mean \(owners.joined(separator: " or "))?"
            )
        }
    }

    private static let recipes = "recipes"

    /// The command that shows the recipes with this word in their titles; nothing without such a recipe.
    private static func recipes(about word: String) -> [String] {
        guard let page = ManualPages.page(on: recipes),
            let source = try? ManualPages.source(of: page),  // try?: the error about the word counts
            Recipes(source).source(about: [word]) != nil
        else { return [] }
        return ["ticds help recipes \(ShellWord.quoted(Array(word.utf8)))"]
    }

    /// Shows the recipes with these words in their titles, and ends the process; returns if there is none.
    /// - Parameter isMeant: whether the user asked for a recipe, so that the process also ends without one.
    private func showRecipes(about title: [String], in page: FilePath, isMeant: Bool) throws {
        let recipes = Recipes(try ManualPages.source(of: page))
        if let source = recipes.source(about: title, isMeant: isMeant) { ManualPages.show(source: source) }
        guard isMeant else { return }
        CommandRunner.endForUsage(
            "no recipe contains '\(title.joined(separator: " "))'. The recipes: "
                + recipes.titles.map { "\"\($0)\"" }.joined(separator: ", "))
    }

    /// The name of a page without what texts put around it, as in `ticds-json(5)`.
    private static func plain(_ name: String) -> String {
        var name = name[...]
        if name.hasPrefix(Dispatcher.prefix) { name = name.dropFirst(Dispatcher.prefix.count) }
        if ["(1)", "(5)", "(7)"].contains(where: name.hasSuffix) { name = name.dropLast(3) }
        return String(name)
    }

    /// Continues as a ticds command.
    private func show(_ name: String, _ arguments: [String]) -> Never {
        if let program = CommandTable.program(of: name) {
            CommandRunner.main(program.root, arguments: arguments)
        }
        guard let program = ExecutablePath.find(Dispatcher.prefix + name) else {
            CommandRunner.endForUsage("there is no command '\(name)'.")
        }
        let reason = ExecutablePath.exec(program, arguments)
        CommandRunner.endForFailure(
            FileProblem(.unreadable, path: program, "the program cannot be run", found: "\(reason)"))
    }
}
