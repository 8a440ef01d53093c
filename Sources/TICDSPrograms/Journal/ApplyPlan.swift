import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct ApplyPlan: SuiteCommand {
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
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let path = Environment.path(argument: file)
        var plan = try PlanFile.read(path)
        try Self.checkOrigin(of: plan, path)
        for file in plan.localFiles {
            plan.note(.warning, "The plan copies a file of this machine into the remote: \(file.escaped)")
        }
        let snapshot = try Self.snapshot(of: plan, path)
        return try ChangeRunner(change, output).run(plan, on: snapshot, snapshot: snapshot)
    }

    /// Refuses staged files, which only the command that made a plan may move into the remote: in a saved plan they
    /// could be any file of this machine.
    private static func checkOrigin(of plan: Plan, _ file: FilePath) throws(FileProblem) {
        guard let staged = plan.stagedEntries.first else { return }
        throw FileProblem(
            .refused, path: file, "a saved plan cannot move a file of this machine into the remote",
            found: "\(staged.path)", advice: "Run the command that made the plan")
    }

    /// The remote as it is now; nil if there is none, and the plan makes it.
    /// - Throws: `.refused` for a plan that would change a folder that is no remote.
    private static func snapshot(of plan: Plan, _ file: FilePath) throws(FileProblem) -> RemoteSnapshot? {
        if let storage = try OpenRemote.writable(at: plan.root) {
            return try RemoteSnapshot.take(storage.contents)
        }
        guard try FileStatus.ifPresent(plan.root) != nil else {
            if plan.actions.first?.change.path.names.isEmpty == true { return nil }
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
