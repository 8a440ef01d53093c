import ArgumentParser
import TICDSCommandLine

struct TicdsArchive: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-archive",
        abstract: "Backs up remotes as archives, verifies the archives and restores from them.",
        usage: "ticds-archive export REMOTE FILE | list FILE | verify FILE | import FILE REMOTE [OPTIONS]",
        discussion: """
            Examples:
              ticds-archive export ~/Dropbox/com.example.app app.tar.zst
              ticds-archive verify app.tar.zst
              ticds-archive import app.tar.zst /srv/sync/com.example.app
            """,
        version: SuiteVersion.current,
        subcommands: [ExportArchive.self, ListArchive.self, VerifyArchive.self, ImportArchive.self])
}
