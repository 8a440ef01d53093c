import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct DocumentCreate: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Creates a document, complete but empty.",
        discussion: """
            The identifier is the one that the app uses for the document; clients that open the document find it and \
            register. If a document with that identifier was deleted, all clients that had it start again when they \
            open it, including the original device, as in the framework: they lose edits that they have not sent.

            Examples:
              ticds-document create ~/Dropbox/com.example.app Notebook --description "My notes"
              ticds-document create ~/Dropbox/com.example.app Notebook --description "My notes" --client "Anna's Mac"
            """)

    @Argument(
        help: .value(
            "remote> <identifier", "The remote (or TICDS_REMOTE) and the new document's identifier."),
        completion: LiveCompletion.nothing.afterRemote)
    var arguments: [String]
    @Option(help: .value("text", "The name that the app shows."))
    var description: String
    @Option(
        help: .value(
            "name",
            "The client that counts as the creator: its identifier, the beginning of it, or its "
                + "description; may be left out if there is only one."),
        completion: LiveCompletion.clients.kind)
    var client: String?
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "IDENTIFIER")
        let opened = try OpenRemote(path, password, context)
        let remote = try opened.planned(opened.keyring())
        let document = DocumentCreationPlanner.NewDocument(
            identifier: RemoteName(argument), description: description, originalDevice: try device(in: remote)
        )
        let plan = try DocumentCreationPlanner(remote).plan(document)
        return try PlanRunner(change, context, names: remote.clientNames).run(
            plan, on: opened.snapshot, snapshot: opened.snapshot)
    }

    private func device(in remote: PlannedRemote) throws(FileProblem) -> RemoteName {
        if let client { return try remote.reported.client(named: client, option: "--client") }
        let items = remote.report.clients.filter { $0.isRegistered == true }.map {
            NamedItem($0.identifier, $0.description)
        }
        return try NameResolver(
            noun: "client", option: "--client", remote: remote.root, items: .all(items)
        ).only().identifier
    }
}
