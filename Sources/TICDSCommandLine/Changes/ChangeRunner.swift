import SystemCalls
import SystemPackage
public import TICDSCore

/// The one way in which a command changes a remote: show the plan, ask, carry it out, tell the result.
public struct ChangeRunner {
    private let options: ChangeOptions
    private let output: OutputOptions

    public init(_ options: ChangeOptions, _ output: OutputOptions) {
        self.options = options
        self.output = output
    }

    /// Shows the plan, asks unless `--yes` was given, carries it out, and prints the result; with `--json` one document
    /// `ticds.operation/1`. A plan without actions prints "Nothing to do" and succeeds.
    /// - Parameters:
    ///   - basis: the remote that the plan was made from: the content of all that it concerns must be here, but for
    ///     what `--allow-missing` names. Nil where whoever made the plan has asked for that.
    ///   - snapshot: what `--max-delete` counts from; nil where no limit applies.
    ///   - recoder: for plans that encrypt or decrypt.
    ///   - undoing: the operation that the plan takes back.
    public func run(
        _ plan: Plan, on basis: RemoteSnapshot?, snapshot: RemoteSnapshot?,
        recoder: (any ContentRecoder)? = nil, undoing: Int64? = nil
    ) throws -> ExitStatus {
        try basis?.refuseAbsence(from: plan, allowing: options.allowedMissing)
        if plan.actions.isEmpty {
            try report(PlanResult(plan, .nothing), "Nothing to do.")
        } else if let file = options.savedPlan {
            warnOfLimit(plan, snapshot)
            let path = try SavedPlan.write(plan, named: file)
            let advice = "To carry it out: ticds-journal apply \(ShellWord.quoted(path))"
            try report(PlanResult(plan, .planned, savedPlan: path), "Nothing was changed. \(advice)")
        } else if options.isDryRun {
            warnOfLimit(plan, snapshot)
            try report(PlanResult(plan, .planned), "Nothing was changed.")
        } else {
            try show(plan)
            if let snapshot { try options.limit.check(plan, snapshot) }
            if !options.saysYes { try confirm(plan) }
            let number = try carryOut(plan, recoder, undoing)
            LogFile.add(.info, "done as operation \(number): \(plan.summary), in \(plan.root)")
            try report(PlanResult(plan, .done, operation: number), doneText(plan, number))
        }
        return .success
    }

    private func warnOfLimit(_ plan: Plan, _ snapshot: RemoteSnapshot?) {
        guard let snapshot else { return }
        do throws(FileProblem) {
            try options.limit.check(plan, snapshot)
        } catch {
            output.warn("it will be refused: \(error.problem). \(error.advice ?? "")")
        }
    }

    /// Shows the plan before the question, or for the record.
    private func show(_ plan: Plan) throws {
        if output.json || output.quiet && options.saysYes { return }
        var text = output.text()
        view(plan).show(to: &text)
        text.line()
        try text.flush()
    }

    private func view(_ plan: Plan, isForStandardOutput: Bool = true) -> PlanView {
        PlanView(
            plan, output, keepsTrash: !options.hasNoTrash, isForStandardOutput: isForStandardOutput)
    }

    private func confirm(_ plan: Plan) throws(FileProblem) {
        var preface = OutputBuffer(nil)
        if output.json || !Terminal.isTerminal(.standardOutput) {
            view(plan, isForStandardOutput: false).show(to: &preface)
        }
        try Confirmation.ask("Do this?", preface: preface.collectedText, about: plan.root)
    }

    private func carryOut(
        _ plan: Plan, _ recoder: (any ContentRecoder)?, _ undoing: Int64?
    ) throws(FileProblem) -> Int64 {
        let home = try Environment.stateHome
        let archives = try RemoteState.knownArchives(in: plan.root, stateHome: home)
        let state = archives ?? RemoteState(root: plan.root, stateHome: home)
        let executor = Executor(
            state, keepsTrash: !options.hasNoTrash, lockWait: options.waiting.seconds, recoder: recoder
        )
        output.inform("journal and trash: \(state.folder.escaped)")
        return try ChangeWatch("changing", output).run { (watch) throws(FileProblem) in
            try executor.run(plan, undoing: undoing, watch: watch)
        }
    }

    private func doneText(_ plan: Plan, _ number: Int64) -> String {
        let takesAway = plan.actions.contains { action in
            switch action.change {
            case .moveToTrash, .replaceFile: true
            case .makeFolder, .writeFile, .writeTree, .adopt, .setTime, .restore: false
            }
        }
        if options.hasNoTrash, takesAway { return "Done. It cannot be undone (operation \(number))." }
        return "Done. To undo it: ticds-journal undo \(ShellWord.quoted(plan.root)) \(number)"
    }

    /// Prints how it ended; of what was only planned, the plan, too.
    private func report(_ result: PlanResult, _ sentence: String) throws {
        if output.json {
            let isDryRun = options.isDryRun || options.savedPlan != nil
            return try output.print((result, isDryRun, try JSONText(result.plan)), PlanResult.schema)
        }
        var text = output.text()
        if result.state == .planned || result.state == .nothing, !(output.quiet && result.savedPlan != nil) {
            view(result.plan).show(to: &text)
            text.line()
        }
        text.line(sentence)
        try text.flush()
    }
}
