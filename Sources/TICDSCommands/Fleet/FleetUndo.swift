import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSFleet

struct FleetUndo: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Takes back what apply did, on each remote.",
        discussion: """
            Undoes the operation of each remote by its journal, which lies on the machine that carried the plan out. A \
            remote that has changed since is refused, and stays as it is.

            Examples:
              ticds-fleet undo plan-vacuum
              ticds-fleet undo plan-vacuum --yes
            """)

    @OptionGroup var planned: PlannedRunArgument
    @OptionGroup var engine: EngineOptions
    @Flag(name: .yes, help: "Undo without asking.")
    var saysYes = false
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let run = try planned.open()
        let waiting = try FleetWorker.waiting(in: run, .undone)
        if waiting.isEmpty {
            let status = try FleetStatus(run, .undone)
            return context.isSilent(status.status) ? .success : try status.show(context)
        }
        if !engine.isDryRun, !saysYes {
            try Confirmation.ask(
                "Undo the operations of \(Quantities.count(waiting.count, "remote"))?", preface: "",
                about: run.folder)
        }
        return try FleetExecution(run, engine, context).begin(.undone)
    }
}
