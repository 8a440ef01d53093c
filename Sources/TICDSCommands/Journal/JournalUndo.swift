import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct JournalUndo: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undoes an operation: every byte and every time is as it was.",
        discussion: """
            Refuses, with the reason, if the remote has changed since or the trash was emptied. An undo is \
            an operation, too, and can be undone.

            Examples:
              ticds-journal undo ~/Dropbox/com.example.app 12 --dry-run
              ticds-journal undo ~/Dropbox/com.example.app 12
              ticds-journal undo ~/Dropbox/com.example.app --last
            """)

    @OptionGroup var operation: OperationOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (state, number) = try operation.operation(of: "undo")
        let journal = try JournaledRemote.journal(state)
        let storage = try OpenRemote.writable(at: state.root)
        let plan = try UndoPlanner.plan(undoing: number, in: journal, storage)
        let names = ClientNames(readableIn: storage.contents)
        return try PlanRunner(change, context, names: names).run(
            plan, on: nil, snapshot: nil, undoing: number)
    }
}
