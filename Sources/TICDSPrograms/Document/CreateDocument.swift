import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct CreateDocument: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Creates a document, complete but empty.",
        discussion: """
            The identifier is the one that the app uses for the document; clients that open the document find it and \
            register. If a document with that identifier was deleted, all clients that had it start anew when they \
            open it, including the original device, as in the framework: they lose edits that they have not sent.

            Examples:
              ticds-document create ~/Dropbox/com.example.app Notebook --description "My notes"
              ticds-document create ~/Dropbox/com.example.app Notebook --description "My notes" --client "Anna's Mac"
            """)

    @Argument(
        help: ArgumentHelp(
            "The remote (or TICDS_REMOTE) and the new document's identifier.",
            valueName: "remote> <identifier"),
        completion: LiveCompletion.nothing.afterRemote)
    var arguments: [String]
    @Option(help: ArgumentHelp("The name that the app shows.", valueName: "text"))
    var description: String
    @Option(
        help: ArgumentHelp(
            "The client that counts as the creator: its identifier, the beginning of it, or its description; may be left out if there is only one.",
            valueName: "name"),
        completion: LiveCompletion.clients.kind)
    var client: String?
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let (path, rest) = try RemoteOptions.separate(arguments, before: 1, named: "IDENTIFIER")
        let opened = try OpenRemote(path, password)
        let remote = try opened.planned(opened.keyring())
        let document = DocumentCreationPlanner.NewDocument(
            identifier: RemoteName(rest[0]), description: description, originalDevice: try device(in: remote))
        let plan = try DocumentCreationPlanner(remote).plan(document)
        return try ChangeRunner(change, output).run(plan, on: opened.snapshot, snapshot: opened.snapshot)
    }

    private func device(in remote: PlannedRemote) throws(FileProblem) -> RemoteName {
        if let client { return try remote.client(named: client, option: "--client") }
        let registered = remote.report.clients.filter(\.isRegistered)
        let items = registered.map {
            NamedItem(identifier: $0.identifier.text, description: $0.description)
        }
        let names = NameResolver(noun: "client", option: "--client", remote: remote.root, items: items)
        return try remote.client(named: try names.only().identifier, option: "--client")
    }
}
