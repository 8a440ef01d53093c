import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct DocumentRestore: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restores a deleted document from the trash.",
        discussion: """
            Restores the document as it was, times included, and removes its tombstone. If it is no longer in the \
            trash, copy it from a back-up into Documents, and run this command to remove the tombstone.

            Examples:
              ticds-document restore ~/Dropbox/com.example.app "Old notes"
              ticds-document restore ~/Dropbox/com.example.app Notebook --dry-run
            """)

    @Argument(
        help: .value("remote> <document", "The remote (or TICDS_REMOTE) and the document."),
        completion: LiveCompletion.deletedDocuments.afterRemote)
    var arguments: [String]
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "DOCUMENT")
        let opened = try OpenRemote(path, password, context)
        let remote = try opened.planned(opened.keyringWithoutAsking())
        let document = try document(argument, in: remote, opened)
        let trash = try opened.trashed([[RemoteLayout.document(document)]])
        let planner = DocumentRestorePlanner(remote, trash: trash)
        let status = try PlanRunner(change, context, names: remote.clientNames).run(
            try planner.plan(document), on: opened.snapshot, snapshot: opened.snapshot)
        return status == .success && planner.leavesTrash(document) ? .partial : status
    }

    /// A document that exists, one that has a tombstone, or, by its complete identifier, one that is only in the trash.
    private func document(
        _ name: String, in remote: PlannedRemote, _ opened: OpenRemote
    ) throws(FileProblem) -> RemoteName {
        let names = NameResolver(
            noun: "document", option: nil, remote: remote.root,
            items: .all(remote.reported.namedDocuments.part + remote.reported.namedDeletedDocuments))
        do throws(FileProblem) {
            return try names.item(name).identifier
        } catch {
            let identifier = RemoteName(name)
            if error.kind == .unknownName { return identifier }
            // The name may be a description that cannot be read without the password.
            guard error.kind == .encrypted,
                try !opened.trashed([[RemoteLayout.document(identifier)]]).isEmpty
            else { throw error }
            return identifier
        }
    }
}
