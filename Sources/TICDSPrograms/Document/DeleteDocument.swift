import ArgumentParser
import TICDSCommandLine
import TICDSCore

struct DeleteDocument: SuiteCommand {
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
        help: ArgumentHelp("The remote (or TICDS_REMOTE) and the document.", valueName: "remote> <document"),
        completion: LiveCompletion.documents.afterRemote)
    var arguments: [String]
    @Flag(
        name: .customLong("without-document-info"),
        help: "If documentInfo.plist is missing, write a tombstone that contains only the identifier.")
    var isWithoutDocumentInfo = false
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let (path, rest) = try RemoteOptions.separate(arguments, before: 1, named: "DOCUMENT")
        let opened = try OpenRemote(path, password)
        // Copying a tombstone needs no password; making one does.
        let remote = try opened.planned(
            isWithoutDocumentInfo ? opened.keyring() : opened.keyringWithoutAsking())
        let planner = DocumentDeletionPlanner(remote, standIn: isWithoutDocumentInfo)
        let plan = try planner.plan(try remote.document(named: rest[0]))
        // Everything goes; that is what was asked for.
        return try ChangeRunner(change, output).run(plan, on: opened.snapshot, snapshot: nil)
    }
}
