import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct JournalPrune: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Deletes the trash of old operations permanently, and removes unfinished copies.",
        discussion: """
            These operations can then no longer be undone. The journal still lists them.

            Examples:
              ticds-journal prune --older-than 90d --dry-run
              ticds-journal prune ~/Dropbox/com.example.app --larger-than 10G --yes
              ticds-journal prune --copies
            """)

    @OptionGroup var journal: JournalOptions

    @Option(help: .value("time", "Choose operations that ended before this time, such as 30d (ago)."))
    var olderThan: TimeArgument?

    @Option(
        name: .customLong("larger-than"),
        help: .value(
            "size",
            "Choose the oldest operations until the trash of a remote is no larger than this, such as 500M "
                + "or 10G."))
    var largerThan: SizeArgument?

    @Flag(
        help:
            "Choose the files of interrupted copies; with --older-than, only of those that ended before.")
    var copies = false

    @Flag(name: .dryRun, help: "Show what would be deleted, and change nothing.")
    var isDryRun = false

    @Flag(name: .yes, help: "Carry out the plan without asking.")
    var saysYes = false

    @OptionGroup var waiting: LockWaitOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if olderThan == nil, largerThan == nil, !copies {
            throw ValidationError("Give --older-than, --larger-than or --copies.")
        }
    }

    static let schema = JSONSchema<(isDryRun: Bool, remotes: [JournalEntries])>(
        "ticds.prune/1", "Printed by ticds-journal(1) `prune`."
    ) {
        $0("dryRun", "", { $0.isDryRun })
        $0(
            "remotes",
            """
            The operations whose trash was deleted, oldest first, with its contents, and the copies that were deleted.
            """, { $0.remotes }, JournalEntries.withCopies)
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        var chosen: [JournalEntries] = []
        var status = ExitStatus.success
        let age = try age(context.style)
        for state in try journal.states() {
            let found = try prune(state, olderThan: age, isDryRun: true)
            if !found.operations.isEmpty || !found.copies.isEmpty { chosen.append(found) }
        }
        if !chosen.isEmpty, !isDryRun {
            if !context.json, !(context.quiet && saysYes) { try show(chosen, context) }
            if !saysYes { try confirm(chosen, context) }
            let planned = chosen
            chosen = []
            for one in planned {
                let result = Result { () throws(FileProblem) in
                    try prune(one.state, olderThan: age, isDryRun: false)
                }
                if planned.count > 1, one.state.holdsArchives, case .failure(let problem) = result,
                    problem.kind == .missing
                {
                    // The volume is not mounted; the other remotes are still pruned.
                    context.report(problem)
                    status = .partial
                } else {
                    chosen.append(try result.get())
                }
            }
        }
        if isDryRun || !context.isSilent(status) { try report(chosen, context) }
        return status
    }

    private func prune(
        _ state: RemoteState, olderThan age: Int64?, isDryRun: Bool
    ) throws(FileProblem) -> JournalEntries {
        JournalEntries(
            state: state,
            operations: try Pruning.prune(
                state, olderThan: age, largerThan: largerThan?.bytes, isDryRun: isDryRun,
                lockWait: waiting.seconds),
            copies: copies
                ? try UnfinishedCopy.prune(state, olderThan: age, isDryRun: isDryRun) : [])
    }

    /// The whole seconds since the time of `--older-than`.
    private func age(_ style: TextStyle) throws -> Int64? {
        try olderThan.map {
            try max(
                0, Int64(saturating: (FileTime.now.secondsSince2001 - $0.secondsSince2001(style)).rounded()))
        }
    }

    private func confirm(_ chosen: [JournalEntries], _ context: CommandContext) throws {
        var preface = OutputBuffer.preface()
        if context.json || !Terminal.isTerminal(.standardOutput) {
            list(chosen, .never, context.style, to: &preface)
        }
        let question: TerminalText = "Delete \(sum(chosen)) (\(size(chosen, context.style))) permanently?"
        try Confirmation.ask(question, preface: preface.collectedText, about: try Environment.stateHome)
    }

    private func show(_ chosen: [JournalEntries], _ context: CommandContext) throws {
        var text = context.text()
        list(chosen, context.colour(), context.style, to: &text)
        try text.flush()
    }

    private func list(
        _ chosen: [JournalEntries], _ colour: Colour, _ style: TextStyle, to text: inout OutputBuffer
    ) {
        let table = OperationTable(colour: colour, style: style)
        for one in chosen {
            table.show(one.operations, of: one.state, to: &text)
            table.show(one.copies, to: &text)
        }
    }

    private func sum(_ chosen: [JournalEntries]) -> String {
        let operations = chosen.reduce(0) { $0 + $1.operations.count }
        let copies = chosen.reduce(0) { $0 + $1.copies.count }
        return [
            operations == 0 ? nil : "the trash of \(Quantities.count(operations, "operation"))",
            copies == 0 ? nil : Quantities.count(copies, "unfinished copy", "unfinished copies"),
        ].compactMap(\.self).joined(separator: " and ")
    }

    private func size(_ chosen: [JournalEntries], _ style: TextStyle) -> String {
        let sizes = chosen.flatMap { $0.operations.map(\.trash.bytes) + $0.copies.map(\.contents.bytes) }
        return style.size(sizes.reduce(0, +|))
    }

    private func report(_ chosen: [JournalEntries], _ context: CommandContext) throws {
        try context.print((isDryRun, chosen), Self.schema) { text in
            if isDryRun { list(chosen, context.colour(), context.style, to: &text) }
            if chosen.isEmpty { return text.line("Nothing to do.") }
            text.line(
                isDryRun
                    ? "This would free \(size(chosen, context.style)). Nothing was changed."
                    : "Deleted \(sum(chosen)): freed \(size(chosen, context.style)).")
        }
    }
}
