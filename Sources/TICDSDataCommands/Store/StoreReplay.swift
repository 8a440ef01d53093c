import ArgumentParser
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages

struct StoreReplay: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Rescues the newest state of a document: a whole store with all later change sets applied.",
        discussion: """
            Starts from the newest whole store that can be used, applies every change set that is not in it, in the \
            order in which they were sent, and writes a Core Data SQLite store that the app can open, with the \
            register of its sets beside it for ticds-store install. Only reads the remote.

            Examples:
              ticds-store replay ~/Dropbox/com.example.app --document Notebook --to Rescued.sqlite
              ticds-store replay REMOTE --to June.sqlite --until 2013-06-01 --model Notebook.momd
              ticds-store replay REMOTE --to Rescued.sqlite --from-sets --model Notebook.momd --without-client 4A11
            """)

    @OptionGroup var remote: RemoteOptions
    @OptionGroup var documents: DocumentOptions

    @Option(help: .value("file", "The store to write."), completion: .file())
    var to: String

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Option(
        help: .value(
            "model",
            "The managed object model of the app: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents "
                + "or elements file; or a folder in which to look for the model that fits."),
        completion: .file())
    var model: String?

    @Option(help: .value("time", "Only change sets and whole stores that were modified before this time."))
    var until: TimeArgument?

    @Option(
        name: .customLong("without-client"),
        help: .value("client", "Leave out the change sets of this client. May be given several times."),
        completion: LiveCompletion.clients.kind)
    var without: [String] = []

    @Option(
        help: .value("client", "Start from the whole store of this client and no other."),
        completion: LiveCompletion.clients.kind)
    var from: String?

    @Flag(help: "Start from no whole store, but build one from the change sets alone; needs --model.")
    var fromSets = false

    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if fromSets, from != nil { throw ValidationError("--from and --from-sets contradict each other.") }
        if fromSets, model == nil { throw ValidationError("--from-sets needs --model.") }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let open = try OpenRemote(remote.address, password, context)
        var replay = DocumentReplay(open: open, document: try open.document(documents))
        replay.model = model.map { Environment.path(argument: $0) }
        replay.choice = try choice(replay.document, open, context.style)
        let target = try ReplayTarget(RemoteAddress(argument: to).folder, replaces: force, remote: open.path)
        let result = try replay.write(to: target, context)
        for problem in result.problems { context.report(problem) }
        if !context.isSilent(result.status) { try result.report.print(context) }
        return result.status
    }

    private func choice(
        _ document: DocumentSnapshot, _ open: OpenRemote, _ style: TextStyle
    ) throws -> StartingStore.Choice {
        var choice = StartingStore.Choice()
        choice.setsAlone = fromSets
        choice.until = try until?.time(style)
        let clients = Set(document.clients.map(\.identifier)).union(document.wholeStores.map(\.client))
        for name in without {
            choice.without.insert(
                try open.client(name, option: "--without-client", among: clients.sorted()))
        }
        if let from { choice.client = try open.client(from, option: "--from", among: clients.sorted()) }
        return choice
    }
}
