import ArgumentParser
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSFleet

struct PlanFleet: SuiteCommand {
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

    func execute() throws -> ExitStatus {
        try options.begin(isChanging: true, named: to, output)
    }
}

/// The run of plans that a command works on.
struct PlannedRunArgument: ParsableArguments {
    @Argument(help: .value("run", "The folder of a run that plan made, or its name."), completion: .directory)
    var run: String

    func open() throws(FileProblem) -> FleetRun {
        let run = try FleetRun(try FleetRun.folder(named: run))
        guard run.order.isPlanning else {
            throw FileProblem(
                .refused, path: run.folder, "is a run of a reading command, and has no plans",
                found: run.order.command.joined(separator: " "), advice: "Make plans with ticds-fleet plan")
        }
        return run
    }
}

struct ReviewFleet: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Sums up the plans of a run: what goes, how much, and which remotes refuse and why.",
        discussion: """
            Reads the saved plans, and changes nothing.

            Examples:
              ticds-fleet review plan-vacuum
              ticds-fleet review plan-vacuum --json
            """)

    @OptionGroup var planned: PlannedRunArgument
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let run = try planned.open()
        let review = try PlanReview(run)
        try output.print((review, run), PlanReview.schema) { Self.show(review, run, to: &$0) }
        return review.failed + review.missing == 0 ? .success : .partial
    }

    static func show(_ review: PlanReview, _ run: FleetRun, to text: inout OutputBuffer) {
        text.line("\(run.order.name): \(run.order.command.joined(separator: " "))")
        text.line(
            "\(Quantities.count(review.planned, "remote")) with a plan, \(Quantities.count(review.nothing)) with nothing to do, \(Quantities.count(review.failed)) without a plan, \(Quantities.count(review.missing)) not planned yet"
        )
        let kinds = review.actions.sorted { $0.key < $1.key }.map {
            "\(Quantities.count($0.value)) \($0.key)"
        }
        if !kinds.isEmpty { text.line("Actions: \(kinds.joined(separator: ", "))") }
        if review.removed.count > 0 {
            text.line(
                "To the trash: \(Quantities.count(review.removed.count, "file")), \(Quantities.size(review.removed.bytes))"
            )
        }
        for plan in review.largest where plan.removed.count > 0 {
            text.line(
                "  \(plan.identifier) \(plan.location.escaped): \(Quantities.size(plan.removed.bytes)); \(plan.summary)"
            )
        }
        if !review.warnings.isEmpty { text.line("Warnings:") }
        for warning in review.warnings {
            text.line(
                "  \(Quantities.count(warning.remotes, "remote")), such as \(warning.example): \(warning.text)"
            )
        }
        if !review.refusals.isEmpty { text.line("Without a plan:") }
        for refusal in review.refusals {
            text.line(
                "  \(Quantities.count(refusal.remotes, "remote")), such as \(refusal.example): \(refusal.text)"
            )
        }
    }
}

struct ApplyFleet: SuiteCommand {
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

    func execute() throws -> ExitStatus {
        var run = try planned.open()
        let review = try PlanReview(run)
        let waiting = try FleetWorker.waiting(in: run, .applied)
        if waiting.isEmpty {
            try output.print((review, run), PlanReview.schema, at: .success) { $0.line("Nothing to do.") }
            return .success
        }
        if !engine.isDryRun {
            var text = OutputBuffer(nil)
            ReviewFleet.show(review, run, to: &text)
            if !saysYes {
                try Confirmation.ask(
                    "Carry out \(Quantities.count(waiting.count, "plan"))?", preface: text.collectedText,
                    about: run.folder)
            }
            try run.set(maxFailures: maxFailures?.text, maxDelete: maxDelete?.text)
        }
        let canaries = FleetSelection.sampled(waiting, canaryCount(of: waiting.count))
        if !engine.isDryRun, !canaries.isEmpty {
            let outcome = try FleetWorking(run, output, .changed).work(
                [.whole], .applied, jobs: engine.jobs ?? Cores.count, on: canaries)
            if !output.quiet, !output.json {
                Messages.line(
                    "canaries: \(Quantities.count(outcome.ran + outcome.unchanged - outcome.failed, "plan")) carried out, \(Quantities.count(outcome.unexpected)) failed, \(Quantities.count(outcome.failed - outcome.unexpected)) refused"
                )
            }
            if outcome.unexpected > 0 || outcome.wasInterrupted {
                _ = try FleetStatus(run, .applied).show(output)
                return FleetWorking.status(outcome, run) ?? .failed
            }
        }
        return try FleetExecution(run, engine, output).begin(.applied)
    }

    /// How many of so many come first: at least one, unless the share is 0.
    private func canaryCount(of all: Int) -> Int {
        let share = canary ?? .percent(5)
        if [.count(0), .percent(0)].contains(share) { return 0 }
        return min(all, max(1, share.count(of: all)))
    }
}

struct UndoFleet: SuiteCommand {
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

    func execute() throws -> ExitStatus {
        let run = try planned.open()
        let waiting = try FleetWorker.waiting(in: run, .undone)
        if waiting.isEmpty {
            let status = try FleetStatus(run, .undone)
            return output.isSilent(status.status) ? .success : try status.show(output)
        }
        if !engine.isDryRun, !saysYes {
            try Confirmation.ask(
                "Undo the operations of \(Quantities.count(waiting.count, "remote"))?", preface: "",
                about: run.folder)
        }
        return try FleetExecution(run, engine, output).begin(.undone)
    }
}
