import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct DeleteClient: SuiteCommand {
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
        help: ArgumentHelp("The remote (or TICDS_REMOTE) and the client.", valueName: "remote> <client"),
        completion: LiveCompletion.clients.afterRemote)
    var arguments: [String]
    @OptionGroup var documents: DocumentOptions
    @Flag(
        name: .customLong("all-documents"),
        help: "Delete the client from every document in which it has files.")
    var isFromAllDocuments = false
    @Flag(
        name: .customLong("from-application"),
        help: "Delete the client from every document, and from the application's clients.")
    var isFromApplication = false
    @Flag(
        name: .customLong("without-device-info"),
        help: "If deviceInfo.plist is missing, write a tombstone that contains only the identifier.")
    var isWithoutDeviceInfo = false
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        let scopes = [documents.document != nil, isFromAllDocuments, isFromApplication]
        if scopes.count(where: \.self) > 1 {
            throw ValidationError("Give one of --document, --all-documents and --from-application.")
        }
    }

    func execute() throws -> ExitStatus {
        let (path, rest) = try RemoteOptions.separate(arguments, before: 1, named: "CLIENT")
        let opened = try OpenRemote(path, password)
        // Copying a tombstone needs no password; making one does.
        let remote = try opened.planned(
            isWithoutDeviceInfo ? opened.keyring() : opened.keyringWithoutAsking())
        let client = try remote.client(named: rest[0])
        let planner = ClientDeletionPlanner(remote, standIn: isWithoutDeviceInfo)
        let plan = try planner.plan(client, from: try scope(in: remote))
        return try ChangeRunner(change, output).run(plan, on: opened.snapshot, snapshot: opened.snapshot)
    }

    private func scope(in remote: PlannedRemote) throws(FileProblem) -> ClientDeletionPlanner.Scope {
        if isFromApplication { return .application }
        if isFromAllDocuments { return .allDocuments }
        return .document(try remote.document(documents))
    }
}
