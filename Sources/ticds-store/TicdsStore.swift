import ArgumentParser
import TICDSCommandLine

@main
struct TicdsStore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-store",
        abstract: "Reads Core Data stores.",
        discussion: """
            Nothing is ever written beside a store or into a remote.

            Examples:
              ticds-store dump Notebook.sqlite
              ticds-store dump Notebook.storedata --model Notebook.momd --json
            """,
        version: SuiteVersion.current,
        subcommands: [DumpStore.self, ReplayStore.self])

    static func main() { CommandRunner.main(Self.self) }
}
