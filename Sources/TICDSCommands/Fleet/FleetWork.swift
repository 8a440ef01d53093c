import ArgumentParser
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSFleet

struct FleetWork: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Does a shard of a run that was prepared. Engines call it.",
        discussion: """
            Without --shard, the number of the shard comes from the environment of the job: SLURM_ARRAY_TASK_ID, \
            PARALLEL_SEQ, or JOB_COMPLETION_INDEX. Outside of a job it does the whole run. Ends with 5 if a remote has no \
            result, so that the engine sees it.

            Examples:
              ticds-fleet work verify --shard 3/8
              ticds-fleet work /srv/runs/verify --jobs 4
            """)

    @Argument(help: .value("run", "The folder of the run, or its name."), completion: .directory)
    var run: String
    @Option(help: .value("i/n", "The shard, and the number of shards."))
    var shard: Shard?
    @Option(help: .value("count", "Work on this many remotes at a time. Default: one for each core."))
    var jobs: Int?
    @Option(
        help:
            "What is done with each remote: the command of the run, or carrying out its plan, or taking that back."
    )
    var stage = FleetRun.Stage.envelopes
    @Option(
        help:
            "Which results to renew: those of remotes that changed or are to be tried again, also those that would fail again, or all."
    )
    var again = FleetWorker.Again.changed
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let jobs, !(1...4_096).contains(jobs) {
            throw ValidationError("--jobs takes a number from 1 to 4,096.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let run = try FleetRun(try FleetRun.folder(named: run))
        let part = shard ?? Shard.ofEnvironment(count: run.order.shards) ?? .whole
        let outcome = try FleetWorking(run, context, again).work([part], stage, jobs: jobs ?? context.workers)
        if !context.quiet {
            Messages.line(
                "shard \(part.text): \(Quantities.count(outcome.remotes, "remote")), \(Quantities.count(outcome.ran)) ran, \(Quantities.count(outcome.unchanged)) unchanged, \(Quantities.count(outcome.failed)) failed"
            )
        }
        return FleetWorking.status(outcome, run) ?? (outcome.failed == 0 ? .success : .partial)
    }
}
