import ArgumentParser
import TICDSCommandLine

struct TicdsIntegrity: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-integrity",
        abstract: "Shows, checks and resets the integrity keys of documents.",
        usage: "ticds-integrity show|check|reset REMOTE [--document NAME]",
        discussion: """
            Each document has one file in IntegrityKey whose name is the key. A client that finds a key \
            other than the one it remembers throws away the edits that it has not sent yet, and loads the \
            whole store anew.

            Examples:
              ticds-integrity show ~/Dropbox/com.example.app
              ticds-integrity check ~/Dropbox/com.example.app && echo sound
              ticds-integrity reset ~/Dropbox/com.example.app --document Notebook --dry-run
            """,
        version: SuiteVersion.current,
        subcommands: [ShowKeys.self, CheckKeys.self, ResetKey.self])
}
