import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSOperations

struct JournalRecover: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Ends operations that a crash or a power failure interrupted.",
        discussion: """
            Completes them if possible, otherwise undoes them; afterwards the remote is in the state before \
            or after the operation, never in between.

            Examples:
              ticds-journal recover --dry-run
              ticds-journal recover ~/Dropbox/com.example.app
              ticds-journal recover ~/Dropbox/com.example.app --back
              ticds-journal recover ~/Dropbox/com.example.app --state /root/.local/state
            """)

    @OptionGroup var journal: JournalOptions

    @Flag(help: "Complete the operation, or refuse.")
    var forward = false

    @Flag(help: "Undo what was done.")
    var back = false

    @Flag(
        help:
            """
            Keep what was done, and leave in the trash what was removed; for operations that can be \
            neither completed nor undone.
            """
    )
    var leave = false

    @Option(
        help: .value(
            "folder",
            "Use the journal of another state home: the folder that XDG_STATE_HOME named when the operation "
                + "began, such as ~/.local/state of another user."), completion: .directory)
    var state: String?

    @Flag(name: .dryRun, help: "List what was interrupted, and change nothing.")
    var isDryRun = false

    @OptionGroup var waiting: LockWaitOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if [forward, back, leave].count(where: { $0 }) > 1 {
            throw ValidationError("--forward, --back and --leave contradict each other.")
        }
    }

    private var direction: OperationRecovery.Direction {
        forward ? .forward : back ? .back : leave ? .leave : .automatic
    }

    static let schema = JSONSchema<
        (isDryRun: Bool, direction: OperationRecovery.Direction, remotes: [JournalEntries])
    >("ticds.recovery/1", "Printed by ticds-journal(1) `recover`.") {
        $0("dryRun", "", { $0.isDryRun })
        $0("direction", "", { $0.direction })
        $0(
            "remotes", "The operations that had not been ended, oldest first, as they have ended.",
            { $0.remotes }
        )
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        var ended: [(state: RemoteState, operations: [OperationRecord])] = []
        for state in try states() {
            let operations = try recover(state, context)
            if !operations.isEmpty { ended.append((state, operations)) }
        }
        let remotes = ended.map { JournalEntries(state: $0, operations: $1) }
        try context.print((isDryRun, direction, remotes), Self.schema, at: isDryRun ? nil : .success) {
            text in
            let table = OperationTable(colour: context.colour(), style: context.style)
            if ended.isEmpty { text.line("Nothing was interrupted.") }
            for (state, operations) in ended { table.show(operations, of: state, to: &text) }
        }
        return .success
    }

    /// The journals to check. Journals whose remote is missing come last, since a different journal may lead to it.
    private func states() throws -> [RemoteState] {
        let home = state.map { Environment.path(argument: $0).appending("ticds") }
        let states: [RemoteState]
        let own = try home ?? Environment.stateHome
        if let root = try journal.named(in: own)?.root {
            states = try RemoteState.all(of: root, in: own)
            if states.isEmpty, let home {
                throw FileProblem(
                    .missing, path: home, "there is no journal of this remote", expected: "one of \(root)",
                    advice: "Name the folder that contains the folder ticds with the journals")
            }
        } else {
            states = try RemoteState.all(in: own)
        }
        // try?: only orders them
        let placed = states.map { (state: $0, isThere: (try? FileStatus.of($0.root)) != nil) }
        return placed.filter(\.isThere).map(\.state) + placed.filter { !$0.isThere }.map(\.state)
    }

    private func recover(_ state: RemoteState, _ context: CommandContext) throws(FileProblem)
        -> [OperationRecord]
    {
        if isDryRun { return try OperationRecovery.unfinished(state) }
        // A remote storage is contacted only if necessary.
        if journal.remote == nil, state.isElsewhere, try OperationRecovery.unfinished(state).isEmpty {
            return []
        }
        return try PlanProgress("recovering", context).run { (watch) throws(FileProblem) in
            try OperationRecovery.recover(
                state, OpenRemote.writable(at: state.root), direction, lockWait: waiting.seconds,
                watch: watch)
        }
    }
}
