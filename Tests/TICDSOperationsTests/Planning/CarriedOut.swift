import SystemCalls
import SystemPackage
import TestSupport
import TICDSOperations

/// Carries plans out with a separate state home.
struct CarriedOut {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder(prefix: "ticds-state") }

    func state(of root: FilePath) -> RemoteState {
        RemoteState(root: root, stateHome: home.path.appending("ticds"))
    }

    @discardableResult
    func run(_ plan: Plan, recoder: (any ContentRecoder)? = nil) throws -> Int64 {
        try Executor(state(of: plan.root), recoder: recoder).run(plan)
    }

    /// Undoes an operation.
    func undo(_ number: Int64, of root: FilePath) throws {
        guard let journal = try Journal.read(state(of: root)) else { return }
        let plan = try UndoPlanner.plan(undoing: number, in: journal)
        _ = try Executor(state(of: root)).run(plan, undoing: number)
    }
}
