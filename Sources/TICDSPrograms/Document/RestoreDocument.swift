import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore

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
        help: ArgumentHelp("The remote (or TICDS_REMOTE) and the document.", valueName: "remote> <document"),
        completion: LiveCompletion.deletedDocuments.afterRemote)
    var arguments: [String]
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let (path, rest) = try RemoteOptions.separate(arguments, before: 1, named: "DOCUMENT")
        let opened = try OpenRemote(path, password)
        let remote = try opened.planned(opened.keyringWithoutAsking())
        let document = try document(rest[0], in: remote)
        let trash = try opened.trashed([[RemoteLayout.document(document)]])
        let plan = try DocumentRestorePlanner(remote, trash: trash).plan(document)
        return try ChangeRunner(change, output).run(plan, on: opened.snapshot, snapshot: opened.snapshot)
    }

    /// A document that is there, one that has a tombstone, or, by its whole identifier, one that only the trash knows.
    private func document(_ name: String, in remote: PlannedRemote) throws(FileProblem) -> RemoteName {
        let deleted = remote.report.deletedDocuments.filter {
            remote.snapshot.document($0.identifier) == nil
        }
        let items = deleted.map { NamedItem(identifier: $0.identifier.text, description: $0.description) }
        let names = NameResolver(
            noun: "document", option: nil, remote: remote.root, items: remote.namedDocuments + items)
        do throws(FileProblem) {
            let found = try names.item(name).identifier
            let candidates = remote.report.documents.map(\.identifier) + deleted.map(\.identifier)
            return candidates.first { $0.text.utf8.elementsEqual(found.utf8) } ?? RemoteName(found)
        } catch  where error.kind == .unknownName {
            return RemoteName(name)
        }
    }
}
