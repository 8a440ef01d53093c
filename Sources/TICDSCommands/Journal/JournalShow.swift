import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct JournalShow: SuiteCommand {
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

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (state, number) = try operation.operation(of: "show")
        let journal = try JournaledRemote.journal(state)
        let plan = try journal.plan(of: number)
        let record = try journal.operation(number)
        if context.json {
            try context.print((state, record, try JSONText(plan)), Self.schema)
        } else {
            var text = context.text()
            PlanView(plan, context, isWhole: true).show(to: &text)
            text.line()
            for (label, value) in facts(record, state, context.style) { text.line("\(label): \(value)") }
            try text.flush()
        }
        return .success
    }

    private func facts(_ record: OperationRecord, _ state: RemoteState, _ style: TextStyle) -> [(
        label: String, value: String
    )] {
        let trash = "\(Quantities.count(record.trash.count, "file")), \(style.size(record.trash.bytes))"
        let facts: [(String, String?)] = [
            ("Operation", "\(record.number), \(record.stateText)"), ("Command", record.command),
            ("Started", style.secondWithAge(record.started)),
            ("Ended", record.finished.map { style.second($0) }),
            ("By", "\(record.user) on \(record.host), process \(record.process)"),
            ("Undoes", record.undoes.map { "operation \($0)" }),
            ("In the trash", record.trash.count == 0 ? "nothing" : trash),
            ("Trash", record.trash.count == 0 ? nil : state.trash(of: record.number).string),
            ("Problem", record.problem),
        ]
        return facts.compactMap { fact in fact.1.map { (fact.0, $0) } }
    }
}
