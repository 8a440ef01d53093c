import ArgumentParser
import TICDSCommandLine
import TICDSCore

struct RestoreClient: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Makes a deleted client a member of a document again.",
        discussion: """
            Removes the tombstone and restores the client's folders with what the trash still has of them. If the \
            trash has nothing, it creates the folders empty: the client continues, but edits that others had not \
            fetched are lost.

            Examples:
              ticds-client restore ~/Dropbox/com.example.app "Anna's iPad" --document Notebook
              ticds-client restore ~/Dropbox/com.example.app D28481A5 --document Notebook --dry-run
            """)

    @Argument(
        help: ArgumentHelp("The remote (or TICDS_REMOTE) and the client.", valueName: "remote> <client"),
        completion: LiveCompletion.deletedClients.afterRemote)
    var arguments: [String]
    @OptionGroup var documents: DocumentOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let (path, rest) = try RemoteOptions.separate(arguments, before: 1, named: "CLIENT")
        let opened = try OpenRemote(path, password)
        let remote = try opened.planned(opened.keyringWithoutAsking())
        let document = try remote.document(documents)
        let client = try remote.client(named: rest[0])
        let trash = try opened.trashed(ClientRestorePlanner.places(of: client, in: document))
        let plan = try ClientRestorePlanner(remote, trash: trash).plan(client, in: document)
        return try ChangeRunner(change, output).run(plan, on: opened.snapshot, snapshot: opened.snapshot)
    }
}
