import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSOperations

struct ClientDelete: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes a client from one document, from all, or from the application.",
        discussion: """
            Moves the client's change sets, whole store and recent sync in the document to the trash, and writes a \
            tombstone by which the client notices its deletion. Finishes a removal that was interrupted. Other \
            clients lose edits of this client that they have not fetched: warnings name these clients.

            Examples:
              ticds-client delete ~/Dropbox/com.example.app "Anna's iPad" --document Notebook
              ticds-client delete ~/Dropbox/com.example.app D28481A5 --all-documents --dry-run
              ticds-client delete ~/Dropbox/com.example.app D28481A5 --from-application --yes
            """)

    @Argument(
        help: .value("remote> <client", "The remote (or TICDS_REMOTE) and the client."),
        completion: LiveCompletion.clients.afterRemote)
    var arguments: [String]
    @OptionGroup var documents: DocumentOptions
    @Flag(help: "Delete the client from every document in which it has files.")
    var allDocuments = false
    @Flag(help: "Delete the client from every document, and from the application's clients.")
    var fromApplication = false
    @Flag(help: "If deviceInfo.plist is missing, write a tombstone that contains only the identifier.")
    var withoutDeviceInfo = false
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        let scopes = [documents.document != nil, allDocuments, fromApplication]
        if scopes.count(where: \.self) > 1 {
            throw ValidationError("Give one of --document, --all-documents and --from-application.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "CLIENT")
        let opened = try OpenRemote(path, password, context)
        // Copying a tombstone needs no password; making one does.
        let remote = try opened.planned(
            withoutDeviceInfo ? opened.keyring() : opened.keyringWithoutAsking())
        let client = try remote.reported.client(named: argument)
        let planner = ClientDeletionPlanner(remote, standIn: withoutDeviceInfo)
        let plan = try planner.plan(client, from: try scope(in: remote))
        return try PlanRunner(change, context, names: remote.clientNames).run(
            plan, on: opened.snapshot, snapshot: opened.snapshot)
    }

    private func scope(in remote: PlannedRemote) throws(FileProblem) -> ClientDeletionPlanner.Scope {
        if fromApplication { return .application }
        if allDocuments { return .allDocuments }
        return .document(try remote.reported.document(documents))
    }
}
