import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSFleet

struct FleetApply: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Carries out the plans of a run, a few remotes first.",
        discussion: """
            Shows the review and asks. Then it carries out the plans of a share of the remotes, the canaries; if one fails \
            unexpectedly, it stops. Then come the others. Each plan is carried out by ticds-journal apply, under the lock \
            of its remote; a plan that no longer fits is refused by itself, which is no failure of the run.

            Examples:
              ticds-fleet apply plan-vacuum --canary 1
              ticds-fleet apply plan-vacuum --yes --max-failures 2%
            """)

    @OptionGroup var planned: PlannedRunArgument
    @OptionGroup var engine: EngineOptions
    @Option(help: .value("share", "Carry out the plans of this many remotes first: N or N%. Default: 5%."))
    var canary: CountOrPercent?
    @Option(
        help: .value(
            "limit", "Stop with more unexpected failures than this number or percentage: N or N%. Default: 0."
        ))
    var maxFailures: CountOrPercent?
    @Option(
        help: .value(
            "limit",
            "Refuse plans that remove more change sets of a document than this number or percentage: N or N%. Default: 50%."
        ))
    var maxDelete: CountOrPercent?
    @Flag(name: .yes, help: "Carry out the plans without asking.")
    var saysYes = false
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        var run = try planned.open()
        let review = try PlanReview(run)
        let waiting = try FleetWorker.waiting(in: run, .applied)
        if waiting.isEmpty {
            try context.print((review, run), PlanReview.schema, at: .success) { $0.line("Nothing to do.") }
            return .success
        }
        if !engine.isDryRun {
            var text = OutputBuffer.preface()
            FleetReview.show(review, run, to: &text, context.style)
            if !saysYes {
                try Confirmation.ask(
                    "Carry out \(Quantities.count(waiting.count, "plan"))?", preface: text.collectedText,
                    about: run.folder)
            }
            try run.set(maxFailures: maxFailures?.text, maxDelete: maxDelete?.text)
        }
        let canaries = FleetSelection.sampled(waiting, canaryCount(of: waiting.count))
        if !engine.isDryRun, !canaries.isEmpty {
            let outcome = try FleetWorking(run, context, .changed).work(
                [.whole], .applied, jobs: engine.jobs ?? context.workers, on: canaries)
            if !context.quiet, !context.json {
                Messages.line(
                    "canaries: \(Quantities.count(outcome.ran + outcome.unchanged - outcome.failed, "plan")) carried out, \(Quantities.count(outcome.unexpected)) failed, \(Quantities.count(outcome.failed - outcome.unexpected)) refused"
                )
            }
            if outcome.unexpected > 0 || outcome.wasInterrupted {
                _ = try FleetStatus(run, .applied).show(context)
                return FleetWorking.status(outcome, run) ?? .failed
            }
        }
        return try FleetExecution(run, engine, context).begin(.applied)
    }

    /// The number of remotes that come first: at least one, unless the share is 0.
    private func canaryCount(of all: Int) -> Int {
        let share = canary ?? .percent(5)
        if [.count(0), .percent(0)].contains(share) { return 0 }
        return min(all, max(1, share.count(of: all)))
    }
}
