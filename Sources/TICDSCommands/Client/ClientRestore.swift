import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSOperations

struct ClientRestore: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Makes a deleted client a member of a document again.",
        discussion: """
            Removes the tombstone and restores the client's folders with what the trash still has of them. If the \
            trash has nothing, it creates the folders empty: the client continues, but edits that others had not \
            fetched are lost. If a folder has come back meanwhile, the command restores what was in it, prints a \
            warning about names that are taken, and ends with 5.

            Examples:
              ticds-client restore ~/Dropbox/com.example.app "Anna's iPad" --document Notebook
              ticds-client restore ~/Dropbox/com.example.app D28481A5 --document Notebook --dry-run
            """)

    @Argument(
        help: .value("remote> <client", "The remote (or TICDS_REMOTE) and the client."),
        completion: LiveCompletion.deletedClients.afterRemote)
    var arguments: [String]
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "CLIENT")
        let opened = try OpenRemote(path, password, context)
        let remote = try opened.planned(opened.keyringWithoutAsking())
        let document = try remote.reported.document(documents)
        let client = try remote.reported.client(named: argument, removed: opened.removedClients())
        let trash = try opened.trashed(ClientRestorePlanner.places(of: client, in: document))
        let (plan, rest) = try ClientRestorePlanner(remote, trash: trash).planAndRest(client, in: document)
        let status = try PlanRunner(change, context, names: remote.clientNames).run(
            plan, on: opened.snapshot, snapshot: opened.snapshot)
        return status == .success && !rest.isEmpty ? .partial : status
    }
}
