import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSFleet

/// The run of plans that a command works on.
struct PlannedRunArgument: ParsableArguments {
    @Argument(help: .value("run", "The folder of a run that plan made, or its name."), completion: .directory)
    var run: String

    func open() throws(FileProblem) -> FleetRun {
        let run = try FleetRun(try FleetRun.folder(named: run))
        guard run.order.isPlanning else {
            throw FileProblem(
                .refused, path: run.folder, "is a run of a reading command, and has no plans",
                found: run.order.typedCommand, advice: "Make plans with ticds-fleet plan")
        }
        return run
    }
}
