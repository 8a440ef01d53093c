import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct CreateDocument: SuiteCommand {
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

    func execute() throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "IDENTIFIER")
        let opened = try OpenRemote(path, password)
        let remote = try opened.planned(opened.keyring())
        let document = DocumentCreationPlanner.NewDocument(
            identifier: RemoteName(argument), description: description, originalDevice: try device(in: remote)
        )
        let plan = try DocumentCreationPlanner(remote).plan(document)
        return try PlanRunner(change, output, names: remote.clientNames).run(
            plan, on: opened.snapshot, snapshot: opened.snapshot)
    }

    private func device(in remote: PlannedRemote) throws(FileProblem) -> RemoteName {
        if let client { return try remote.reported.client(named: client, option: "--client") }
        let items = remote.report.clients.filter { $0.isRegistered == true }.map {
            NamedItem($0.identifier, $0.description)
        }
        return try NameResolver(
            noun: "client", option: "--client", remote: remote.root, items: items,
            unread: remote.report.unread
        ).only().identifier
    }
}

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
        help: .value("remote> <document", "The remote (or TICDS_REMOTE) and the document."),
        completion: LiveCompletion.documents.afterRemote)
    var arguments: [String]
    @Flag(help: "If documentInfo.plist is missing, write a tombstone that contains only the identifier.")
    var withoutDocumentInfo = false
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "DOCUMENT")
        let opened = try OpenRemote(path, password)
        // Copying a tombstone needs no password; making one does.
        let remote = try opened.planned(
            withoutDocumentInfo ? opened.keyring() : opened.keyringWithoutAsking())
        let planner = DocumentDeletionPlanner(remote, standIn: withoutDocumentInfo)
        let plan = try planner.plan(try remote.reported.document(named: argument))
        // No limit: the user asked for the removal of everything.
        return try PlanRunner(change, output, names: remote.clientNames).run(
            plan, on: opened.snapshot, snapshot: nil)
    }
}

struct RestoreDocument: SuiteCommand {
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

    func execute() throws -> ExitStatus {
        let (path, argument) = try RemoteOptions.separate(arguments, named: "DOCUMENT")
        let opened = try OpenRemote(path, password)
        let remote = try opened.planned(opened.keyringWithoutAsking())
        let document = try document(argument, in: remote, opened)
        let trash = try opened.trashed([[RemoteLayout.document(document)]])
        let planner = DocumentRestorePlanner(remote, trash: trash)
        let status = try PlanRunner(change, output, names: remote.clientNames).run(
            try planner.plan(document), on: opened.snapshot, snapshot: opened.snapshot)
        return status == .success && planner.leavesTrash(document) ? .partial : status
    }

    /// A document that exists, one that has a tombstone, or, by its whole identifier, one that is only in the trash.
    private func document(
        _ name: String, in remote: PlannedRemote, _ opened: OpenRemote
    ) throws(FileProblem) -> RemoteName {
        let names = NameResolver(
            noun: "document", option: nil, remote: remote.root,
            items: remote.reported.namedDocuments + remote.reported.namedDeletedDocuments,
            unread: remote.report.unread)
        do throws(FileProblem) {
            return try names.item(name).identifier
        } catch {
            let identifier = RemoteName(name)
            if error.kind == .unknownName { return identifier }
            // The name may be a description that only lacks the password.
            guard error.kind == .encrypted,
                try !opened.trashed([[RemoteLayout.document(identifier)]]).isEmpty
            else { throw error }
            return identifier
        }
    }
}
