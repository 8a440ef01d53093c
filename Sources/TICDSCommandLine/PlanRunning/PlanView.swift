package import Base
import SystemCalls
import SystemPackage
import TICDSCore
package import TICDSOperations

/// The view of a plan for people before they confirm it.
package struct PlanView {
    /// The largest run of similar actions that is shown in full; of a longer run the first few are shown, and the
    /// number of the others.
    private static let longestRun = 8
    private static let shownOfRun = 3
    private static let longestTable = 60

    private let plan: Plan
    private let rows: [PlanRow]
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
        rows = plan.actions.map { PlanRow($0, keepsTrash: keepsTrash, context.style) }
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
        showActions(to: &text)
        text.line()
        let sums = PlanSums(rows, names, style)
        text.line(sums.total)
        for part in sums.parts { text.line("  \(part)") }
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

    private func showActions(to text: inout OutputBuffer) {
        let lines = lines
        let shown = isWhole ? lines[...] : lines.prefix(Self.longestTable)
        let table = PlanTable(Array(shown), style)
        for line in table.lines(width: isVerbose ? nil : width, colour) { text.row(line) }
        let hidden = lines.dropFirst(shown.count).reduce(0) { $0 + $1.actions }
        if hidden > 0 { text.line("  … \(Quantities.count(hidden, "more action")) (--verbose shows all)") }
    }

    /// The rows; a run of more than ``longestRun`` similar rows is shortened.
    private var lines: [PlanRow] {
        var lines: [PlanRow] = []
        var start = 0
        while start < rows.count {
            let end = rows[start...].firstIndex { !$0.isLike(rows[start]) } ?? rows.count
            let run = rows[start..<end]
            let isCut = !isWhole && run.count > Self.longestRun
            lines += isCut ? run.prefix(Self.shownOfRun) : run
            if isCut { lines.append(PlanRow(restOf: run.dropFirst(Self.shownOfRun))) }
            start = end
        }
        return lines
    }
}
