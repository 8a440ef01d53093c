package import Base
import SystemCalls
import SystemPackage
import TICDSCore
package import TICDSOperations

/// The view of a plan for people before they confirm it.
package struct PlanView {
    private let plan: Plan
    private let keepsTrash: Bool
    private let names: ClientNames
    private let style: TextStyle
    private let colour: Colour
    /// The columns of the terminal; nil for no limit.
    private let width: Int?
    private let isWhole: Bool
    /// Whether rows are shortened to the width.
    private let isVerbose: Bool

    /// - Parameters:
    ///   - names: the descriptions of the clients, for the sums.
    ///   - keepsTrash: false if removed entries are deleted permanently.
    ///   - isWhole: whether runs of similar actions are shown in full.
    ///   - isForStandardOutput: false for a view that goes elsewhere, without colours and as wide as needed.
    package init(
        _ plan: Plan, _ context: CommandContext, names: ClientNames = ClientNames(), keepsTrash: Bool = true,
        isWhole: Bool = false, isForStandardOutput: Bool = true
    ) {
        self.plan = plan
        self.names = names
        self.keepsTrash = keepsTrash
        self.isWhole = isWhole || context.verbose
        isVerbose = context.verbose
        style = context.style
        colour = isForStandardOutput ? context.colour() : .never
        width = isForStandardOutput ? Terminal.width : nil
    }

    /// The summary, the notes, the actions, and their sums.
    package func show(to text: inout OutputBuffer) {
        text.line(colour.paint(plan.summary, .bold))
        text.line("in \(plan.root)")
        showNotes(to: &text)
        if plan.actions.isEmpty { return }
        text.line()
        var lines = PlanLines(isWhole: isWhole)
        var sums = PlanSums()
        for action in plan.actions {
            let row = PlanRow(action, keepsTrash: keepsTrash, style)
            lines.add(row)
            sums.add(row)
        }
        lines.finish()
        show(lines, to: &text)
        text.line()
        text.line(sums.total(style))
        for part in sums.parts(names, style) { text.line("  \(part)") }
    }

    private func showNotes(to text: inout OutputBuffer) {
        if !plan.notes.isEmpty { text.line() }
        for note in plan.notes {
            let label: TerminalText =
                switch note.kind {
                case .reason: ""
                case .consequence: "then: "
                case .warning: colour.paint("warning:", .doubtful) + " "
                }
            let line: TerminalText = "  \(label)\(FileProblem.sentence(note.text))"
            text.line(line)
        }
    }

    private func show(_ lines: PlanLines, to text: inout OutputBuffer) {
        let table = PlanTable(lines.rows, style)
        for line in table.lines(width: isVerbose ? nil : width, colour) { text.row(line) }
        if lines.hidden > 0 {
            text.line("  … \(Quantities.count(lines.hidden, "more action")) (--verbose shows all)")
        }
    }
}

/// The rows that are shown: of a long run of similar rows the first few, and the number of the others.
private struct PlanLines {
    private(set) var rows: [PlanRow] = []
    /// The number of actions behind the last row.
    private(set) var hidden = 0
    private let isWhole: Bool
    /// The first rows of the present run, and the sum of all but the first few of them.
    private var run: [PlanRow] = []
    private var rest: PlanRow?

    /// The largest run that is shown in full.
    private static let longestRun = 8
    private static let shownOfRun = 3
    private static let longestTable = 60

    /// - Parameter isWhole: whether all rows are shown.
    init(isWhole: Bool) { self.isWhole = isWhole }

    mutating func add(_ row: PlanRow) {
        if isWhole { return rows.append(row) }
        if let first = run.first, !first.isLike(row) { finish() }
        if run.count >= Self.shownOfRun { rest = PlanRow(adding: row, to: rest) }
        if run.count <= Self.longestRun { run.append(row) }
    }

    /// Ends a run.
    mutating func finish() {
        let isCut = run.count > Self.longestRun
        for row in run.prefix(isCut ? Self.shownOfRun : run.count) { show(row) }
        if isCut, let rest { show(rest) }
        run = []
        rest = nil
    }

    private mutating func show(_ row: PlanRow) {
        if rows.count < Self.longestTable { rows.append(row) } else { hidden += row.actions }
    }
}
