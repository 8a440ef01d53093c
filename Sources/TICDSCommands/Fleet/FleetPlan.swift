import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSFleet

struct FleetPlan: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Makes a saved plan of a changing command for each remote, and changes nothing.",
        discussion: """
            The command and its options are those of a program of the suite, without the remote: vacuum, verify --repair, \
            client delete, document delete and the like. review sums the plans up, apply carries them out.

            Examples:
              ticds-fleet plan vacuum --leftovers
              ticds-fleet plan --tag customers verify --repair --only TICDS-0201
            """)

    @OptionGroup var options: FleetRunOptions
    @Option(
        help: .value(
            "run",
            "The folder of the run, or a name for it below the state folder. Default: the name of the command after plan-, such as plan-vacuum."
        ), completion: .directory)
    var to: String?
    @OptionGroup var output: OutputOptions

    func validate() throws { try options.showHelp(of: Self.self) }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        try options.begin(isChanging: true, named: to, context)
    }
}
