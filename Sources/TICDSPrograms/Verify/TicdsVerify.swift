import ArgumentParser
import TICDSCommandLine

struct TicdsVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-verify",
        abstract: "Checks a remote, and says which clients will choke on what.",
        usage: """
            ticds-verify [remote] REMOTE [--level names|headers|contents|deep]
            ticds-verify [remote] REMOTE --repair [--dry-run] [--only CODE] [--ignore CODE]
            ticds-verify file FILE ...
            ticds-verify explain [CODE ...]
            """,
        discussion: """
            Judges every file of a remote and tells, for each finding, whom it concerns, how, and what to do. Nothing is
            ever written into the remote, except with --repair: then what can be mended is, as a plan that is shown first
            and can be undone.

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
