import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct RemoteRemove: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Moves all remote data of an app to the trash.",
        discussion: """
            The plan says what each registered client will do. The clients keep their own data.

            Examples:
              ticds-remote remove ~/Dropbox/com.example.app --dry-run
              ticds-remote remove ~/Dropbox/com.example.app
              ticds-journal undo ~/Dropbox/com.example.app 12
            """)

    @OptionGroup var remote: RemoteOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let open = try OpenRemote(try remote.address, password, context)
        let plan = try RemoteRemovalPlanner.plan(
            of: open.listed(names: open.clientNames().whole), command: "ticds-remote remove")
        return try PlanRunner(change, context).run(plan, on: open.snapshot, snapshot: nil)
    }
}
