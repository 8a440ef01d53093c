import ArgumentParser
import TICDSCommandLine

struct TicdsChanges: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-changes",
        abstract: "Shows, searches and compares change sets.",
        discussion: """
            A change set is one file of edits that a client uploaded. The program never writes into the remote.

            Examples:
              ticds-changes list ~/Dropbox/com.example.app
              ticds-changes dump ~/Dropbox/com.example.app --document Notebook --entity Note
              ticds-changes dump --json 0405432101.123456-E621E1F8.syncchg | jq .type
              ticds-changes log ~/Dropbox/com.example.app 4A11-8E1D
            """,
        version: SuiteVersion.current,
        subcommands: [
            ListChangeSets.self, DumpChanges.self, LogObject.self, SearchChanges.self, CountChanges.self,
            DiffChanges.self,
        ])
}
