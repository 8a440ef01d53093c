import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore
import TICDSSync

struct SyncRun: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Synchronises: applies what the other clients sent, and sends local edits.",
        discussion: """
            Applies all change sets that are not in the store yet in one transaction, then uploads the edits of the \
            store as one change set. Whatever happens, the next run knows which sets were applied.

            Examples:
              ticds-sync run Notes
              ticds-sync run Notes --pull-only --dry-run
              ticds-sync run Notes --conflicts newest --on-bad-set skip
            """)

    @OptionGroup var replica: ReplicaOptions

    @Flag(name: .customLong("pull-only"), help: "Apply what the others sent, and send nothing.")
    var pullsOnly = false

    @Flag(name: .customLong("push-only"), help: "Send local edits, and fetch nothing.")
    var pushesOnly = false

    @Flag(name: .dryRun, help: "Show what would be done, and change nothing.")
    var isDryRun = false

    @OptionGroup var settings: RunSettings
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if pullsOnly, pushesOnly {
            throw ValidationError("--pull-only and --push-only contradict each other.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        var open = try OpenReplica(try replica.folder, lockWait: settings.lockWait, password, context)
        var options = settings.options
        options.isDryRun = isDryRun
        options.direction = pullsOnly ? .pull : pushesOnly ? .push : .both
        var remote = try open.remote()
        if !isDryRun { remote = try open.registered(remote, settings.lockWait) }
        let result = SyncResult(open, remote, options)
        let report = try result.run()
        let status = result.status(report)
        if isDryRun || !context.isSilent(status) { try result.print(report, context) }
        return status
    }
}
