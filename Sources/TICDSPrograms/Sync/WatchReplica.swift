import ArgumentParser
import SystemCalls
import TICDSCommandLine

struct WatchReplica: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Synchronises whenever something has changed, here or in the remote.",
        discussion: """
            Runs once at the start, then whenever clients have sent something or the store was edited, until a signal \
            ends it. Where the system does not report changes, as on network drives, it looks again at each interval.

            Examples:
              ticds-sync watch Notes
              ticds-sync watch Notes --interval 5m --exec 'make -C reports'
              ticds-sync watch Notes --once && echo "something has changed"
            """)

    @OptionGroup var replica: ReplicaOptions

    @Option(
        help: ArgumentHelp(
            "Run a command line with /bin/sh after each synchronisation; TICDS_SETS_APPLIED and other variables show what was done.",
            valueName: "command"), completion: .commandLine)
    var exec: String?

    @Option(
        help: ArgumentHelp(
            "Look at everything again after this time, such as 5m. Default: 60s.", valueName: "time"))
    var interval: DurationArgument?

    @Flag(help: "End after the first synchronisation that was caused by a change.")
    var once = false

    @OptionGroup var settings: RunSettings
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let interval, !(1...86_400).contains(interval.seconds) {
            throw ValidationError("--interval takes a time from 1s to 24h.")
        }
    }

    func execute() throws -> ExitStatus {
        let folder = try replica.folder
        return try Interruption.catching {
            var watcher = ReplicaWatcher(
                folder, settings, password, output, interval: interval?.seconds ?? 60, command: exec)
            return try watcher.run(once: once)
        }
    }
}
