import SystemCalls
import SystemPackage
import TICDSCore

/// What came of a plan.
struct PlanResult {
    enum State: String, CaseIterable {
        /// The plan has no actions.
        case nothing
        /// Shown or saved only.
        case planned
        case done
    }

    var plan: Plan
    var state: State
    /// Number in the journal.
    var operation: Int64?
    /// The file that the plan was written to.
    var savedPlan: FilePath?

    init(_ plan: Plan, _ state: State, operation: Int64? = nil, savedPlan: FilePath? = nil) {
        self.plan = plan
        self.state = state
        self.operation = operation
        self.savedPlan = savedPlan
    }
}

extension PlanResult {
    /// `ticds.operation/1`.
    static let schema = JSONSchema<(result: PlanResult, isDryRun: Bool, plan: JSONText)>(
        "ticds.operation/1", "Printed by every command that changes a remote, at its end."
    ) {
        $0("remote", "", { $0.result.plan.root })
        $0("dryRun", "True if the plan was only shown or saved.", { $0.isDryRun })
        $0("state", "`nothing` if the plan has no actions.", { $0.result.state })
        $0(
            "operation", "Number of the operation in the journal, once it is done.",
            as: .orNull(.number(from: 1)), { $0.result.operation })
        $0("savedPlan", "The file to which the plan was written.", { $0.result.savedPlan })
        $0("plan", "", as: .document("ticds.plan/1"), { $0.plan })
    }
}

extension SchemaFile {
    /// What the command line itself prints.
    public static let shared = [
        PlanResult.schema.file, progressSchema.file, LogFile.schema.file, ErrorReport.schema.file,
    ]
}
