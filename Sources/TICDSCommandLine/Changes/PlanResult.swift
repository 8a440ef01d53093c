import SystemCalls
import SystemPackage
import TICDSCore

/// What came of a plan.
struct PlanResult {
    enum State: String {
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

extension JSONWriter {
    /// The document of the schema `ticds.operation/1`.
    mutating func document(_ result: PlanResult, isDryRun: Bool) throws(FileProblem) {
        begin("ticds.operation/1")
        field("remote", result.plan.root)
        field("dryRun", isDryRun)
        field("state", result.state.rawValue)
        field("operation", result.operation)
        field("savedPlan", result.savedPlan)
        try field("plan", result.plan)
        end()
    }
}
