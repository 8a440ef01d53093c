public import ArgumentParser
import Base
import Synchronization
package import SystemCalls
package import SystemPackage
package import TICDSCore
public import TICDSOperations
import TICDSStorages

extension NameSpecification {
    /// The option that shows a plan and changes nothing, as in make(1).
    package static let dryRun: NameSpecification = [.customLong("dry-run"), .customShort("n")]
    /// The option that carries out a plan without a question.
    package static let yes: NameSpecification = [.customLong("yes"), .customShort("y")]
}

/// Options for carrying out a plan; every command that changes a remote has them.
package struct PlanOptions: ParsableArguments, Sendable {
    @Flag(name: .dryRun, help: "Show what would be done, and change nothing.")
    package var isDryRun = false

    @Flag(name: .yes, help: "Carry out the plan without asking.")
    package var saysYes = false

    @Option(
        name: .customLong("save-plan"),
        help: .value(
            "file", "Write the plan to a new file, and change nothing. ticds-journal apply carries it out."),
        completion: .file())
    package var savedPlan: String?

    @Option(
        help: .value(
            "limit",
            "Refuse to remove more change sets of a document than this number or percentage: N or N%. "
                + "Default: 50%."))
    package var maxDelete: CountOrPercent?

    @Option(
        name: .customLong("allow-missing"),
        help: .value(
            "name",
            "Go on without a file that is missing or whose content is not on this machine: its name, or its "
                + "path inside the remote. May be given several times."))
    package var allowed: [String] = []

    @Flag(
        name: .customLong("no-trash"),
        help: "Delete permanently instead of moving to the trash. This cannot be undone.")
    package var hasNoTrash = false

    @OptionGroup package var waiting: LockWaitOptions

    package init() {}

    package func validate() throws {
        if saysYes, savedPlan != nil {
            throw ValidationError("--save-plan changes nothing, so --yes has no meaning with it.")
        }
    }

    /// Whether the command acts, and does not only show a plan: it then prints nothing with `--quiet`.
    package var doesNotShow: Bool { savedPlan != nil || saysYes && !isDryRun }

    /// Names, or paths inside the remote, of files that may be absent.
    package var allowedMissing: Set<String> { Set(allowed) }

    /// The largest number of change sets that a plan may remove.
    package var limit: DeletionLimit { maxDelete.map { DeletionLimit($0) } ?? .standard }
}

/// `N` or `N%`.
extension CountOrPercent: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
    public static var allValueStrings: [String] { [] }
}

/// The only way in which a command changes a remote: show the plan, ask, carry it out, report the result.
package struct PlanRunner {
    private let options: PlanOptions
    private let context: CommandContext
    private let names: ClientNames
    private let makesRoom: Bool
    private let printed: [PlanNote]
    private let nothing: String?
    private let further: String?

    /// - Parameters:
    ///   - names: the descriptions of the clients, for the sums of the plan. Read them before the refusal of what could not
    ///     be read.
    ///   - makesRoom: whether the user wants to free space: the result then says what the trash takes, and what empties it.
    ///   - printed: notes that the command has printed itself, at greater length; people do not get them again.
    ///   - nothing: the sentence that people get in place of a plan without actions; nil shows the plan.
    ///   - further: what else people can do, printed behind the result of a plan that was carried out.
    package init(
        _ options: PlanOptions, _ context: CommandContext, names: ClientNames = ClientNames(),
        makesRoom: Bool = false, printed: [PlanNote] = [], nothing: String? = nil, further: String? = nil
    ) {
        self.options = options
        self.context = context
        self.names = names
        self.makesRoom = makesRoom
        self.printed = printed
        self.nothing = nothing
        self.further = further
    }

    /// Shows the plan, asks unless `--yes` was given, carries it out, and prints the result; with `--json` one document
    /// `ticds.operation/1`. A plan without actions prints "Nothing to do" and succeeds; it is saved like any other.
    /// With `--dry-run` a plan above the limit ends with the status of its refusal.
    /// - Parameters:
    ///   - basis: the listing from which the plan was made. The runner refuses if files that the plan concerns are not
    ///     local, except those that `--allow-missing` names. Nil if the planner has checked that.
    ///   - snapshot: the listing whose change sets `--max-delete` counts; nil if no limit applies.
    ///   - recoder: for plans that encrypt or decrypt.
    ///   - undoing: the operation that the plan undoes.
    package func run(
        _ plan: Plan, on basis: RemoteSnapshot?, snapshot: RemoteSnapshot?,
        recoder: (any ContentRecoder)? = nil, undoing: Int64? = nil
    ) throws -> ExitStatus {
        try basis?.refuseAbsence(from: plan, allowing: options.allowedMissing)
        let storage = try OpenRemote.writable(at: plan.root)
        let plan = storage.feasible(plan)
        return try run(plan, snapshot) { () throws(FileProblem) in
            let number = try carryOut(plan, storage, recoder, undoing)
            context.logDone("done as operation \(number): \(plan.summary), in \(plan.root)")
            return number
        }
    }

    /// Runs a plan that is not carried out by moves, and is not in a journal.
    /// - Parameter perform: carries the plan out.
    func run(
        _ plan: Plan, by perform: (ExecutionWatch) throws(FileProblem) -> Void
    ) throws -> ExitStatus {
        try run(plan, nil) { () throws(FileProblem) in
            try PlanProgress("changing", context).run { (watch) throws(FileProblem) in try perform(watch) }
            context.logDone("done: \(plan.summary), in \(plan.root)")
            return nil
        }
    }

    /// - Parameter perform: carries the plan out, and returns the number of the operation.
    private func run(
        _ plan: Plan, _ snapshot: RemoteSnapshot?, _ perform: () throws(FileProblem) -> Int64?
    ) throws -> ExitStatus {
        if plan.actions.isEmpty {
            try warnOfInterruption(plan.root)
            let path = try options.savedPlan.map { (file) throws(FileProblem) in
                try SavedPlan.write(plan, named: file)
            }
            let saved = path.map { ["The plan without actions is in \($0.escaped)."] } ?? []
            let sentences = [nothing ?? "Nothing to do."] + saved
            try report(PlanResult(plan: plan, state: .nothing, savedPlan: path), sentences)
        } else if let file = options.savedPlan {
            var plan = plan
            // Without a snapshot, the user requested the removal of everything.
            if snapshot == nil {
                plan.limit = DeletionLimit(.percent(100))
            } else if options.maxDelete != nil {
                plan.limit = options.limit
            }
            _ = warnOfLimit(plan, snapshot, "ticds-journal apply refuses this plan")
            let path = try SavedPlan.write(plan, named: file)
            try report(
                PlanResult(plan: plan, state: .planned, savedPlan: path),
                ["Nothing was changed. To carry it out: ticds-journal apply \(ShellWord.quoted(path))"])
        } else if options.isDryRun {
            let status = warnOfLimit(plan, snapshot)
            // Another user may have write permission.
            if let problem = WriteObstacle.first(of: plan) {
                context.warn(
                    "without --dry-run this plan is refused: \(problem.path): \(problem.problem) (\(problem.found ?? "")). "
                        + "\(problem.advice ?? "")")
            }
            try report(PlanResult(plan: plan, state: .planned), ["Nothing was changed."])
            return status
        } else {
            try show(plan)
            if let snapshot { try limit(of: plan).check(plan, snapshot) }
            if let problem = WriteObstacle.first(of: plan) { throw problem }
            if !options.saysYes { try confirm(plan) }
            let number = try perform()
            try report(
                PlanResult(plan: plan, state: .done, operation: number),
                [doneText(plan, number)] + trashText(plan) + [further].compactMap(\.self))
        }
        return .success
    }

    /// Warns of an interrupted operation, which may be the reason why there is nothing to do, and has left unneeded
    /// files.
    private func warnOfInterruption(_ root: FilePath) throws(FileProblem) {
        // try?: HOME is not set, so that there is no journal
        guard let home = try? Environment.stateHome,
            let first = try OperationRecovery.unfinished(Self.state(at: root, home)).first
        else { return }
        context.warn(
            "operation \(first.number) is unfinished; if it is not running, run: "
                + "ticds-journal recover \(ShellWord.quoted(root))")
    }

    /// The largest number of change sets that a plan may remove: from the options, otherwise from the saved plan.
    private func limit(of plan: Plan) -> DeletionLimit {
        options.maxDelete == nil ? plan.limit ?? .standard : options.limit
    }

    /// Warns of a plan that removes more than the limit allows.
    /// - Returns: the status with which the execution of the plan would end for this reason; `success` if it is within
    ///   the limit.
    package func warnOfLimit(
        _ plan: Plan, _ snapshot: RemoteSnapshot?,
        _ consequence: String = "without --dry-run this plan is refused"
    ) -> ExitStatus {
        guard let snapshot else { return .success }
        do throws(FileProblem) {
            try limit(of: plan).check(plan, snapshot)
            return .success
        } catch {
            context.warn("\(consequence): \(error.problem). \(error.advice ?? "")")
            return ExitStatus(error.kind)
        }
    }

    /// Shows the plan before the question, or for the record.
    private func show(_ plan: Plan) throws {
        if context.json || context.quiet && options.saysYes { return }
        var text = context.text()
        view(plan).show(to: &text)
        text.line()
        try text.flush()
    }

    private func view(_ plan: Plan, isForStandardOutput: Bool = true) -> PlanView {
        var plan = plan
        plan.notes.removeAll(where: printed.contains)
        return PlanView(
            plan, context, names: names, keepsTrash: !options.hasNoTrash,
            isForStandardOutput: isForStandardOutput)
    }

    private func confirm(_ plan: Plan) throws(FileProblem) {
        var preface = OutputBuffer.preface()
        if context.json || !Terminal.isTerminal(.standardOutput) {
            view(plan, isForStandardOutput: false).show(to: &preface)
        }
        try Confirmation.ask("Do this?", preface: preface.collectedText, about: plan.root)
    }

    private func carryOut(
        _ plan: Plan, _ storage: any WritableStorage, _ recoder: (any ContentRecoder)?, _ undoing: Int64?
    ) throws(FileProblem) -> Int64 {
        let state = try Self.state(at: plan.root, try Environment.stateHome)
        let executor = Executor(
            state, storage, keepsTrash: !options.hasNoTrash, lockWait: options.waiting.seconds,
            recoder: recoder)
        context.inform("journal and trash: \(state.folder.escaped)")
        return try PlanProgress("changing", context).run { (watch) throws(FileProblem) in
            try executor.run(plan, undoing: undoing, watch: watch)
        }
    }

    /// The journal of a remote, or of a folder of archives.
    package static func state(at root: FilePath, _ home: FilePath) throws(FileProblem) -> RemoteState {
        try RemoteState.knownArchives(in: root, stateHome: home) ?? RemoteState(root: root, stateHome: home)
    }

    private func doneText(_ plan: Plan, _ number: Int64?) -> String {
        guard let number else {
            return "Done. It cannot be undone by the journal; rclone purge removes it."
        }
        let takesAway = plan.actions.contains { action in
            switch action.kind {
            case .moveToTrash, .replaceFile: true
            case .makeFolder, .writeFile, .writeTree, .adopt, .setTime, .restore: false
            }
        }
        if options.hasNoTrash, takesAway { return "Done. It cannot be undone (operation \(number))." }
        return "Done. To undo it: ticds-journal undo \(ShellWord.quoted(plan.root)) \(number)"
    }

    /// The size of the trash of the remote, and the command that empties it; empty if the plan frees no space, or the
    /// trash is empty or on a storage.
    private func trashText(_ plan: Plan) throws(FileProblem) -> [String] {
        guard makesRoom, !options.hasNoTrash, !StorageSchemes.isAddress(plan.root.string),
            let journal = try Journal.read(Self.state(at: plan.root, try Environment.stateHome))
        else { return [] }
        let bytes = try journal.operations().reduce(Int64(0)) { $0 +| $1.trash.bytes }
        if bytes == 0 { return [] }
        return [
            "The trash of this remote takes \(context.style.size(bytes)). To free them permanently: "
                + "ticds-journal prune \(ShellWord.quoted(plan.root)) --larger-than 0"
        ]
    }

    /// Prints the result, after the plan if nothing was changed.
    private func report(_ result: PlanResult, _ sentences: [String]) throws {
        if context.json {
            let isDryRun = options.isDryRun || options.savedPlan != nil
            return try context.print((result, isDryRun, try JSONText(result.plan)), PlanResult.schema)
        }
        if context.quiet, options.doesNotShow || result.state == .nothing { return }
        var text = context.text()
        if result.state == .planned || result.state == .nothing && nothing == nil {
            view(result.plan).show(to: &text)
            text.line()
        }
        for sentence in sentences { text.line(sentence) }
        try text.flush()
    }
}

/// Shows the progress of a change of a remote, and makes an interrupt roll it back.
package final class PlanProgress: Sendable {
    private let bar: Mutex<Progress?>
    private let hasReported = Atomic(false)
    private let context: CommandContext

    /// - Parameter label: the activity, such as "changing".
    package init(_ label: String, _ context: CommandContext) {
        bar = Mutex(Progress(label, context))
        self.context = context
    }

    /// Runs `body` with a watch for the executor. The first SIGINT, SIGTERM or SIGHUP during the run asks it to stop;
    /// the second ends the process, and leaves the rest to `ticds-journal recover`.
    package func run<Result>(
        _ body: (ExecutionWatch) throws(FileProblem) -> Result
    ) throws(FileProblem) -> Result {
        defer { bar.withLock { $0 = nil } }
        let watch = ExecutionWatch(
            progress: { self.show($0, of: $1) }, isInterrupted: { self.isInterrupted },
            warn: { self.context.warn($0) })
        return try Interruption.catching { () throws(FileProblem) in try body(watch) }
    }

    private func show(_ done: Int, of total: Int) {
        bar.withLock { $0?.update(ProgressState(Int64(done), of: Int64(total), .actions)) }
    }

    private var isInterrupted: Bool {
        guard Interruption.isWanted else { return false }
        if !hasReported.exchange(true, ordering: .relaxed), !context.quiet {
            bar.withLock { $0 = nil }
            defer { bar.withLock { $0 = Progress("undoing", context) } }
            Messages.line(
                "interrupted; undoing what was done. A second interrupt ends the command at once; then run: "
                    + "ticds-journal recover")
        }
        return true
    }
}

/// The question before a change.
package enum Confirmation {
    /// Asks on the terminal, and returns if the answer is yes.
    /// - Parameters:
    ///   - preface: whole lines that the user must read first and that are not on the terminal yet.
    ///   - path: the path that the command is about to change.
    /// - Throws: `.refused` if the answer is no, or there is no terminal.
    package static func ask(_ question: TerminalText, preface: TerminalText, about path: FilePath)
        throws(FileProblem)
    {
        switch TerminalQuestion.ask(question, preface: preface) {
        case true?: return
        case false?:
            throw FileProblem(
                .refused, path: path, "not confirmed, so nothing was changed",
                advice: "Answer y, or give --yes")
        case nil:
            throw FileProblem(
                .refused, path: path, "there is no terminal to ask on, so nothing was changed",
                advice:
                    "Look at the plan with --dry-run first; to carry it out without a question, give --yes")
        }
    }
}
