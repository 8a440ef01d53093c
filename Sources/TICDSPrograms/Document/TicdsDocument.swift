import ArgumentParser
import TICDSCommandLine

struct TicdsDocument: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-document",
        abstract: "Creates, deletes and restores the documents of a remote.",
        discussion: """
            A document is one store that the clients synchronise. Deleting a document moves all of it to the trash \
            and leaves a tombstone for the clients.

            Examples:
              ticds-document create ~/Dropbox/com.example.app Notebook --description "My notes"
              ticds-document delete ~/Dropbox/com.example.app "Old notes" --dry-run
              ticds-document restore ~/Dropbox/com.example.app "Old notes"
            """,
        version: SuiteVersion.current,
        subcommands: [CreateDocument.self, DeleteDocument.self, RestoreDocument.self])
}
