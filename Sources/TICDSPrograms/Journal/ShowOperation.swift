import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct ShowOperation: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows one operation: who, when, and every action.",
        discussion: """
            Examples:
              ticds-journal show ~/Dropbox/com.example.app 12
              TICDS_REMOTE=~/Dropbox/com.example.app ticds-journal show 12 --json
            """)

    @OptionGroup var operation: OperationOptions
    @OptionGroup var output: OutputOptions

    static let schema = JSONSchema<(state: RemoteState, record: OperationRecord, plan: JSONText)>(
        "ticds.journalEntry/1", "Printed by ticds-journal(1) `show`."
    ) {
        $0("remote", "", { $0.state.root })
        $0.include(OperationRecord.fields, { $0.record })
        $0("plan", "", as: .document("ticds.plan/1"), { $0.plan })
    }

    func execute() throws -> ExitStatus {
        let (state, number) = try operation.operation()
        let journal = try JournaledRemote.journal(state)
        let plan = try journal.plan(of: number)
        let record = try journal.operation(number)
        if output.json {
            try output.print((state, record, try JSONText(plan)), Self.schema)
        } else {
            var text = output.text()
            PlanView(plan, output, isWhole: true).show(to: &text)
            text.line()
            for (label, value) in facts(record, state) { text.line("\(label): \(value)") }
            try text.flush()
        }
        return .success
    }

    private func facts(_ record: OperationRecord, _ state: RemoteState) -> [(label: String, value: String)] {
        let trash = "\(Quantities.count(record.trash.count, "file")), \(Quantities.size(record.trash.bytes))"
        let facts: [(String, String?)] = [
            ("Operation", "\(record.number), \(record.stateText)"), ("Command", record.command),
            ("Started", record.started.secondsWithAge),
            ("Ended", record.finished?.localSeconds),
            ("By", "\(record.user) on \(record.host), process \(record.process)"),
            ("Undoes", record.undoes.map { "operation \($0)" }),
            ("In the trash", record.trash.count == 0 ? "nothing" : trash),
            ("Trash", record.trash.count == 0 ? nil : state.trash(of: record.number).string),
            ("Problem", record.problem),
        ]
        return facts.compactMap { fact in fact.1.map { (fact.0, $0) } }
    }
}

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
        let entries = found.map { JournalEntries(state: $0, operations: $1, copies: $2) }
        try output.print(entries, Self.schema) { text in
            let table = OperationTable(colour: output.colour())
            if found.isEmpty { text.line("Nothing has been changed yet.") }
            for (number, (state, operations, copies)) in found.enumerated() {
                if number > 0 { text.line() }
                table.show(operations, of: state, to: &text)
                table.showAdvice(operations, of: state, to: &text)
                table.show(copies, to: &text)
                table.showAdvice(copies, of: state, to: &text)
            }
        }
        return .success
    }
}

struct UndoOperation: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undoes an operation: every byte and every time is as it was.",
        discussion: """
            Refuses, with the reason, if the remote has changed since or the trash was emptied. An undo is \
            an operation, too, and can be undone.

            Examples:
              ticds-journal undo ~/Dropbox/com.example.app 12 --dry-run
              ticds-journal undo ~/Dropbox/com.example.app 12
            """)

    @OptionGroup var operation: OperationOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        let (state, number) = try operation.operation()
        let plan = try UndoPlanner.plan(
            undoing: number, in: JournaledRemote.journal(state),
            OpenRemote.writable(at: state.root)?.contents)
        return try ChangeRunner(change, output).run(plan, on: nil, snapshot: nil, undoing: number)
    }
}
