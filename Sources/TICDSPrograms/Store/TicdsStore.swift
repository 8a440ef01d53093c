import ArgumentParser
import TICDSCommandLine

struct TicdsStore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-store",
        abstract: "Lists, reads, checks and moves Core Data stores.",
        discussion: """
            Only install changes a remote, with a plan that can be undone. The program never writes beside a store.

            Examples:
              ticds-store dump Notebook.sqlite
              ticds-store dump Notebook.storedata --model Notebook.momd --json
              ticds-store list ~/Dropbox/com.example.app
              ticds-store replay ~/Dropbox/com.example.app --to rescued.sqlite
            """,
        version: SuiteVersion.current,
        subcommands: [
            ListStores.self, DumpStore.self, CheckStore.self, ExtractStore.self, ExportStore.self,
            CompareStores.self, InstallStore.self, ReplayStore.self,
        ])
}
