import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct TicdsVacuum: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-vacuum",
        abstract: "Removes change sets that no client needs any more.",
        discussion: """
            Removes a set only if every client and every whole store demonstrably has it and 30 days have \
            passed. Shows who holds back the rest, and since when. The sets move to the trash; ticds-journal \
            undo restores them.

            Examples:
              ticds-vacuum ~/Dropbox/com.example.app --dry-run
              ticds-vacuum ~/Dropbox/com.example.app --document Notebook --leftovers
              ticds-vacuum ~/Dropbox/com.example.app --ignore-client "Old iPad" --keep-within 90d
              ticds-vacuum ~/Dropbox/com.example.app --framework-rule --client "Anna's MacBook"
            """,
        version: SuiteVersion.current)

    @OptionGroup var remote: RemoteOptions
    @OptionGroup var rule: VacuumOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let open = try OpenRemote(remote.path, password)
        try open.refuseContradiction()
        let names = VacuumNames(open)
        let settings = try rule.settings(names, change)
        let vacuums = VacuumPlanner.analyse(
            open.snapshot, documents: try names.documents(rule.documents), settings,
            VacuumSources(open.storage))
        let isAnalysis = output.json && change.isDryRun && change.savedPlan == nil
        if isAnalysis {
            try VacuumJSON(names: names, settings: settings).write(vacuums, open, output)
        } else if !output.json, !(output.quiet && change.saysYes) {
            try VacuumView(names: names).write(vacuums, output)
        }
        let plan = try VacuumPlanner.plan(
            vacuums, open.snapshot, settings, root: try open.path.resolved() ?? open.path)
        if isAnalysis { return open.reportGaps(output) }
        try open.checkRead()
        return try ChangeRunner(change, output).run(plan, on: nil, snapshot: open.snapshot)
    }
}
