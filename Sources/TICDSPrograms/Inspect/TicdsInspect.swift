import ArgumentParser
import TICDSCommandLine

struct TicdsInspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-inspect",
        abstract: "Shows what is in a remote.",
        discussion: """
            Reads names, sizes and times, and the small files that describe clients and documents. The \
            program never writes into the remote and needs no password; it names what it could not read \
            without one.

            Examples:
              ticds-inspect status ~/Dropbox/com.example.app
              ticds-inspect clients ~/Dropbox/com.example.app --document Notebook
              ticds-inspect stores ~/Dropbox/com.example.app --json
            """,
        version: SuiteVersion.current,
        subcommands: [
            ShowStatus.self, ShowTree.self, ShowDocuments.self, ShowClients.self, ShowStores.self,
            ShowTimeline.self, WriteReport.self,
        ])
}
