import ArgumentParser
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSFleet

struct FleetRunCommand: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a reading command over the remotes of the inventory.",
        discussion: """
            The command and its options are those of a program of the suite, without the remote: status, verify, \
            changes stats, store list, archive export and the like. In them {} stands for the remote, {id} for its \
            identifier. Options of the run come before the command. A repeated run leaves out remotes that have a result \
            and have not changed.

            Examples:
              ticds-fleet run status
              ticds-fleet run --tag customers --timeout 2m --max-failures 5% verify --level deep
              ticds-fleet run --engine slurm --shards 200 --dry-run changes stats
              ticds-fleet run archive export {} /srv/archives/{id}.tar.zst
            """)

    @OptionGroup var options: FleetRunOptions
    @Option(
        help: .value(
            "run",
            "The folder of the run, or a name for it below the state folder. Default: the name of the command, such as verify or changes-stats."
        ), completion: .directory)
    var to: String?
    @OptionGroup var output: OutputOptions

    func validate() throws { try options.showHelp(of: Self.self) }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        try options.begin(isChanging: false, named: to, context)
    }
}
