import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct DocumentDelete: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes a document with everything in it.",
        discussion: """
            Moves change sets, whole stores and everything else of the document to the trash, and writes a tombstone \
            for the clients. The apps' own documents on the devices are not touched.

            Examples:
              ticds-document delete ~/Dropbox/com.example.app "Old notes" --dry-run
              ticds-document delete ~/Dropbox/com.example.app "Old notes" --yes
            """)

    @Argument(
        help: .value("remote> <document", "The remote (or TICDS_REMOTE) and the document."),
        completion: LiveCompletion.documents.afterRemote)
    var arguments: [String]
    @Flag(help: "If documentInfo.plist is missing, write a tombstone that contains only the identifier.")
    var withoutDocumentInfo = false
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "DOCUMENT")
        let opened = try OpenRemote(path, password, context)
        // Copying a tombstone needs no password; making one does.
        let remote = try opened.planned(
            withoutDocumentInfo ? opened.keyring() : opened.keyringWithoutAsking())
        let planner = DocumentDeletionPlanner(remote, standIn: withoutDocumentInfo)
        let plan = try planner.plan(try remote.reported.document(named: argument))
        // No limit applies, since the user requested the removal of everything.
        return try PlanRunner(change, context, names: remote.clientNames).run(
            plan, on: opened.snapshot, snapshot: nil)
    }
}
