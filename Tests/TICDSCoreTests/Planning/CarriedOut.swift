import SystemCalls
import SystemPackage
import TICDSCore
import TestSupport

/// Carries plans out with a state home of its own.
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

    /// Takes an operation back.
    func undo(_ number: Int64, of root: FilePath) throws {
        let journal = try Journal.read(state(of: root))
        guard let plan = try journal?.undoPlan(of: number) else { return }
        _ = try Executor(state(of: root)).run(plan, undoing: number)
    }
}

extension Plan {
    /// What is done, one word and one path an action.
    var steps: [String] {
        actions.map { action in
            let word =
                switch action.change {
                case .makeFolder: "make"
                case .writeFile: "write"
                case .writeTree: "tree"
                case .replaceFile: "replace"
                case .setTime: "time"
                case .moveToTrash: "trash"
                case .restore: "restore"
                }
            return "\(word) \(action.change.path)"
        }
    }
}
