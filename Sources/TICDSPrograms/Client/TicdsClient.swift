import ArgumentParser
import TICDSCommandLine

struct TicdsClient: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-client",
        abstract: "Shows, deletes and restores the clients of a remote.",
        discussion: """
            A client is one installation of an app on one device. Deleting a client moves its files to the trash; \
            when it runs again, it finds its tombstone.

            Examples:
              ticds-client show ~/Dropbox/com.example.app "Anna's iPad"
              ticds-client delete ~/Dropbox/com.example.app "Anna's iPad" --from-application --dry-run
              ticds-client restore ~/Dropbox/com.example.app "Anna's iPad" --document Notebook
            """,
        version: SuiteVersion.current,
        subcommands: [ShowClient.self, DeleteClient.self, RestoreClient.self])
}
