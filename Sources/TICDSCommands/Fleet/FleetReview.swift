import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSFleet

struct FleetReview: SuiteCommand {
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

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let run = try planned.open()
        let review = try PlanReview(run)
        try context.print((review, run), PlanReview.schema) { Self.show(review, run, to: &$0, context.style) }
        return review.failed + review.missing == 0 ? .success : .partial
    }

    static func show(_ review: PlanReview, _ run: FleetRun, to text: inout OutputBuffer, _ style: TextStyle) {
        text.line(run.order.heading)
        text.line(
            "\(Quantities.count(review.planned, "remote")) with a plan, \(Quantities.count(review.nothing)) with nothing to do, \(Quantities.count(review.failed)) without a plan, \(Quantities.count(review.missing)) not planned yet"
        )
        let kinds = review.actions.sorted { $0.key < $1.key }.map {
            "\(Quantities.count($0.value)) \($0.key)"
        }
        if !kinds.isEmpty { text.line("Actions: \(kinds.joined(separator: ", "))") }
        if review.removed.count > 0 {
            text.line(
                "To the trash: \(Quantities.count(review.removed.count, "file")), \(style.size(review.removed.bytes))"
            )
        }
        for plan in review.largest where plan.removed.count > 0 {
            text.line(
                "  \(plan.identifier) \(plan.location.escaped): \(style.size(plan.removed.bytes)); \(plan.summary)"
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
