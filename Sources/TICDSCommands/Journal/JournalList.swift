import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct JournalList: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists what was changed, newest first.",
        discussion: """
            A remote that was moved is found by its present path, with what was done at its earlier one.

            TRASH is the size of what an operation removed and ticds-journal undo can still restore. UNDO says \
            whether that is possible: as long as ticds-journal prune does not delete the trash, and the remote has not \
            changed in the same places. --sort orders the operations of a remote by the size of their trash or by their time.

            Examples:
              ticds-journal list
              ticds-journal list ~/Dropbox/com.example.app --json
              ticds-journal list --kind 'client delete' --since 30d
              ticds-journal list --sort size --limit 5
            """)

    @OptionGroup var journal: JournalOptions

    @Option(
        help: .value(
            "command",
            "Only what this command did: its name or the beginning of it, such as vacuum or 'client delete'."
        ),
        completion: .list([
            "archive", "client", "document", "integrity", "remote", "sync", "vacuum", "verify",
        ]))
    var kind: String?

    @OptionGroup var list: ListOptions

    @Flag(help: "List each run of ticds-sync. By default, runs that follow each other are one line.")
    var all = false
    @OptionGroup var output: OutputOptions

    static let schema = JSONSchema<[JournalEntries]>("ticds.journal/1", "Printed by ticds-journal(1) `list`.")
    {
        $0("remotes", "Operations and copies by remote.", \.self, JournalEntries.withCopies)
    }

    func validate() throws {
        if kind?.isEmpty == true {
            throw ValidationError("--kind: every command begins with the empty text.")
        }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        // Refuses a time that the clocks skip, even without a journal.
        _ = try list.span.range(context.style)
        var found: [(entry: JournalEntries, undoable: Set<Int64>, note: String?)] = []
        for state in try journal.states() {
            let copies = try UnfinishedCopy.all(of: state)
            if let journal = try Journal.read(state) {
                let chosen = try list.chosen(journal.operations().filter(isWanted), context.style) {
                    ($0.trash.bytes, $0.started)
                }
                let operations = chosen.entries
                var undoable: Set<Int64> = []
                let isHere = try state.isElsewhere || FileStatus.ifPresent(state.root) != nil
                if !context.json, state.movedFrom == nil, isHere {
                    for operation in operations where try journal.mayUndo(operation) {
                        undoable.insert(operation.number)
                    }
                }
                found.append(
                    (
                        JournalEntries(state: state, operations: operations, copies: copies), undoable,
                        chosen.note()
                    ))
            } else if !copies.isEmpty {
                found.append((JournalEntries(state: state, operations: [], copies: copies), [], nil))
            }
        }
        try context.print(found.map(\.entry), Self.schema) { text in
            if found.allSatisfy({ $0.entry.operations.isEmpty && $0.entry.copies.isEmpty }) {
                let isNarrowed = !found.isEmpty && (kind != nil || list.isNarrowed)
                return text.line(EmptyList.sentence("operation", isNarrowed: isNarrowed))
            }
            for (number, (entry, undoable, note)) in found.enumerated() {
                if number > 0 { text.line() }
                show(entry, undoable, note, to: &text, context)
            }
        }
        return .success
    }

    private func isWanted(_ operation: OperationRecord) -> Bool {
        guard let kind else { return true }
        return operation.command.hasPrefix(kind) || operation.command.hasPrefix(Dispatcher.prefix + kind)
    }

    private func show(
        _ entry: JournalEntries, _ undoable: Set<Int64>, _ note: String?, to text: inout OutputBuffer,
        _ context: CommandContext
    ) {
        let table = OperationTable(colour: context.colour(), style: context.style)
        let groups =
            all || list.order.sort != nil
            ? entry.operations.map { [$0] } : OperationTable.folded(entry.operations)
        table.show(groups, undoable: undoable, of: entry.state, to: &text)
        if let note { text.line("  \(note)") }
        if let place = entry.state.movedFrom, !entry.operations.isEmpty {
            text.line("  Done while the folder was \(place). They can be undone once it is there again.")
        }
        table.showAdvice(entry.operations, of: entry.state, to: &text)
        table.show(entry.copies, to: &text)
        table.showAdvice(entry.copies, of: entry.state, to: &text)
    }
}
