import ArgumentParser
import TICDSCommandLine

struct TicdsVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-verify",
        abstract: "Checks a remote, and shows which clients each finding affects.",
        usage: """
            ticds-verify [remote] REMOTE [--level names|headers|contents|deep]
            ticds-verify [remote] REMOTE --repair [--dry-run] [--only CODE] [--ignore CODE]
            ticds-verify file FILE ...
            ticds-verify explain [CODE ...]
            """,
        discussion: """
            Checks every file of a remote and shows for each finding which clients are affected, how, and \
            what to do. Never writes into the remote, except with --repair: that repairs what it can, with a \
            plan that it shows first and that can be undone.

            Examples:
              ticds-verify ~/Dropbox/com.example.app
              ticds-verify ~/Dropbox/com.example.app --level deep --document Notebook
              ticds-verify ~/Dropbox/com.example.app --as-client "Anna's iPhone"
              ticds-verify ~/Dropbox/com.example.app --repair --dry-run
              ticds-verify file 0384211423.261394-DF5C0156.syncchg
              ticds-verify explain TICDS-0201
            """,
        version: SuiteVersion.current,
        subcommands: [VerifyRemote.self, VerifyFiles.self, ExplainFindings.self],
        defaultSubcommand: VerifyRemote.self)
}
