import ArgumentParser
import TICDSCommandLine

struct TicdsJournal: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-journal",
        abstract: "Lists and undoes changes of a remote, and recovers interrupted operations.",
        discussion: """
            Every command that changes a remote writes a journal outside it, and moves what it removes to a trash.

            Examples:
              ticds-journal list
              ticds-journal show ~/Dropbox/com.example.app 12
              ticds-journal undo ~/Dropbox/com.example.app 12
              ticds-journal recover ~/Dropbox/com.example.app
              ticds-journal apply plan.json
              ticds-journal prune --older-than 90d
            """,
        version: SuiteVersion.current,
        subcommands: [
            ListOperations.self, ShowOperation.self, ApplyPlan.self, UndoOperation.self,
            RecoverOperations.self, PruneTrash.self,
        ])
}
