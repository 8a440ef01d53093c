import ArgumentParser
import TICDSCommandLine

struct TicdsSync: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-sync",
        abstract: "Keeps a local SQLite copy of a document, and synchronises it as a client.",
        discussion: """
            A replica is a folder with the document's store, which any tool may edit between two runs. Each run sends \
            these edits to the other clients, and applies theirs.

            Examples:
              ticds-sync clone ~/Dropbox/com.example.app Notes --document Notebook
              sqlite3 Notes/Document.sqlite "UPDATE ZNOTE SET ZTITLE = 'Shopping' WHERE Z_PK = 7"
              ticds-sync run Notes
              ticds-sync watch Notes --exec 'make -C reports'
            """,
        version: SuiteVersion.current,
        subcommands: [
            CloneReplica.self, StatusOfReplica.self, CommitReplica.self, RunReplica.self, WatchReplica.self,
            LogReplica.self,
        ])
}
