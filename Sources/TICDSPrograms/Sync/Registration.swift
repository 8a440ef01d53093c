import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// Registers the client of a replica: the one change of a remote that is not part of a synchronisation.
struct Registration {
    private let output: OutputOptions
    private let lockWait: Int64

    /// - Parameter lockWait: seconds to wait for another program of the suite.
    init(_ output: OutputOptions, lockWait: Int64) {
        self.output = output
        self.lockWait = lockWait
    }

    /// Shows the plan, and asks unless that is not wanted.
    func confirm(_ plan: Plan, saysYes: Bool) throws(FileProblem) {
        if saysYes { return }
        var preface = OutputBuffer(nil)
        PlanView(plan, output, isForStandardOutput: false).show(to: &preface)
        preface.line()
        try Confirmation.ask("Do this?", preface: preface.collectedText, about: plan.root)
    }

    /// Carries the plan out; the number of the operation, nil where there was nothing to do.
    /// - Throws: what the executor throws, with the advice to try again, since the replica is there already.
    func carryOut(_ plan: Plan, for replica: FilePath) throws(FileProblem) -> Int64? {
        if plan.actions.isEmpty { return nil }
        let state = RemoteState(root: plan.root, stateHome: try Environment.stateHome)
        let executor = Executor(state, lockWait: lockWait)
        do throws(FileProblem) {
            return try ChangeWatch("registering", output).run { (watch) throws(FileProblem) in
                try executor.run(plan, watch: watch)
            }
        } catch {
            var problem = error
            let run =
                "The replica is not registered: ticds-sync run \(ShellWord.quoted(replica)) registers it"
            problem.advice = problem.advice.map { "\($0). \(run)" } ?? run
            throw problem
        }
    }
}
