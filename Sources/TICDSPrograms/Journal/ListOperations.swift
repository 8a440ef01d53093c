import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct ListOperations: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists what was changed, newest first.",
        discussion: """
            TRASH is the size of what an operation removed and ticds-journal undo can still restore.

            Examples:
              ticds-journal list
              ticds-journal list ~/Dropbox/com.example.app --json
            """)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var output: OutputOptions

    static let schema = JSONSchema<[JournalEntries]>("ticds.journal/1", "Printed by ticds-journal(1) `list`.")
    {
        $0("remotes", "Operations and copies by remote.", \.self, JournalEntries.withCopies)
    }

    func execute() throws -> ExitStatus {
        var found: [(state: RemoteState, operations: [OperationRecord], copies: [UnfinishedCopy])] = []
        for state in try journal.states() {
            let copies = try UnfinishedCopy.all(of: state)
            if let journal = try Journal.read(state) {
                found.append((state, try journal.operations(), copies))
            } else if !copies.isEmpty {
                found.append((state, [], copies))
            }
        }
        if output.json {
            try output.print(found.map { JournalEntries(state: $0, operations: $1, copies: $2) }, Self.schema)
        } else {
            var text = output.text()
            let table = OperationTable(colour: output.colour())
            if found.isEmpty { text.line("Nothing has been changed yet.") }
            for (number, (state, operations, copies)) in found.enumerated() {
                if number > 0 { text.line() }
                table.show(operations, of: state, to: &text)
                table.showAdvice(operations, of: state, to: &text)
                table.show(copies, to: &text)
                table.showAdvice(copies, of: state, to: &text)
            }
            try text.flush()
        }
        return .success
    }
}
