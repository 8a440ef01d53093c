import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSStorages

struct JournalApply: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Carries out a plan that was saved with --save-plan, exactly.",
        discussion: """
            Refuses and changes nothing if an entry is no longer as the plan saw it.

            Examples:
              ticds-client delete ~/Dropbox/com.example.app iPhone --save-plan plan.json
              ticds-journal apply plan.json
            """)

    @Argument(help: .value("file", "The saved plan."), completion: .file())
    var file: String
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let path = Environment.path(argument: file)
        var plan = try PlanFile.read(path)
        try Self.checkOrigin(of: plan, path)
        let state = try PlanRunner.state(at: plan.root, Environment.stateHome)
        try Self.refuseRepetition(of: plan, path, state, context.style)
        for file in plan.localFiles {
            plan.note(.warning, "The plan copies a file of this machine into the remote: \(file.escaped)")
        }
        let snapshot = try Self.snapshot(of: plan, path)
        let storage = try OpenRemote.writable(at: plan.root)
        // A dry run also reports that the remote is no longer as in the plan.
        if change.savedPlan == nil { try Executor(state, storage).check(storage.feasible(plan)) }
        let names = ClientNames(readableIn: storage.contents)
        return try PlanRunner(change, context, names: names).run(plan, on: snapshot, snapshot: snapshot)
    }

    /// Refuses staged files, which only the command that made a plan may move into the remote: in a saved plan they
    /// could be any local file.
    private static func checkOrigin(of plan: Plan, _ file: FilePath) throws(FileProblem) {
        guard let staged = plan.stagedEntries.first else { return }
        throw FileProblem(
            .refused, path: file, "a saved plan cannot move a file of this machine into the remote",
            found: "\(staged.path)", advice: "Run the command that made the plan")
    }

    /// Refuses a plan that was carried out and not undone: its preconditions no longer hold, and the reason is known.
    private static func refuseRepetition(
        of plan: Plan, _ file: FilePath, _ state: RemoteState, _ style: TextStyle
    ) throws(FileProblem) {
        guard let journal = try Journal.read(state) else { return }
        let saved = try FileStatus.of(file).modified
        for record in try journal.operations()
        where record.state == .done && record.undoneBy == nil && record.summary == plan.summary
            && record.actions == plan.actions.count && record.command == plan.command
            && saved <= record.finished ?? record.started
        {
            guard try journal.plan(of: record.number).actions == plan.actions else { continue }
            throw FileProblem(
                .refused, path: file, "this plan was carried out already, as operation \(record.number)",
                found: "done at \(style.second(record.finished ?? record.started))",
                advice:
                    "To undo it: ticds-journal undo \(ShellWord.quoted(plan.root)) \(record.number). For what is "
                    + "there now, make a new plan")
        }
    }

    /// The remote as it is now; nil if it does not exist, and the plan makes it.
    /// - Throws: `.refused` for a plan that would change a folder that is not a remote.
    private static func snapshot(of plan: Plan, _ file: FilePath) throws(FileProblem) -> RemoteSnapshot? {
        if case .elsewhere = try RemoteAddress(argument: plan.root.string) {
            return try RemoteSnapshot.take(OpenRemote.writable(at: plan.root).contents)
        }
        guard try FileStatus.ifPresent(plan.root) != nil else {
            if plan.actions.first?.kind.path.names.isEmpty == true { return nil }
            throw FileProblem(
                .refused, path: plan.root, "the remote of this plan does not exist here",
                advice: "Make the plan again where the remote is now")
        }
        let home = try Environment.stateHome
        if try RemoteState.knownArchives(in: plan.root, stateHome: home) != nil { return nil }
        let found = try RemoteLocation.find(plan.root)
        guard found == plan.root, try found.resolved() == found else {
            throw FileProblem(
                .refused, path: file, "the folder of the plan is not that of the remote",
                expected: "\(try found.resolved() ?? found)", found: "\(plan.root)",
                advice: "Make the plan again with --save-plan")
        }
        return try RemoteSnapshot.take(LocalStorage(root: found))
    }
}
