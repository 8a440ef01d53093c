import KeyedArchive
public import TICDSCore

/// A plan as people read it before they say yes.
public struct PlanView {
    /// Of more like actions in a row, the first few are shown, and how many more there are.
    private static let longestRun = 8
    private static let shownOfRun = 3
    private static let longestTable = 60

    private let plan: Plan
    private let rows: [PlanRow]
    private let colour: Colour
    /// Columns of the terminal; nil leaves nothing out.
    private let width: Int?
    private let isWhole: Bool

    /// - Parameters:
    ///   - keepsTrash: false where what is taken away is deleted for good.
    ///   - isWhole: whether every action is shown, and not the first of many like ones.
    ///   - isForStandardOutput: false for a view that goes elsewhere, and is neither painted nor cut then.
    public init(
        _ plan: Plan, _ output: OutputOptions, keepsTrash: Bool = true, isWhole: Bool = false,
        isForStandardOutput: Bool = true
    ) {
        self.plan = plan
        rows = plan.actions.map { PlanRow($0, keepsTrash: keepsTrash) }
        self.isWhole = isWhole || output.verbose
        colour = isForStandardOutput ? output.colour() : .never
        width = isForStandardOutput ? Terminal.width : nil
    }

    /// The summary, the notes, the actions, and their sums.
    public func show(to text: inout OutputBuffer) {
        text.line(colour.paint(plan.summary, .bold))
        text.line("in \(plan.root)")
        showNotes(to: &text)
        if plan.actions.isEmpty { return }
        text.line()
        showActions(to: &text)
        text.line()
        text.line(sums)
    }

    private func showNotes(to text: inout OutputBuffer) {
        if !plan.notes.isEmpty { text.line() }
        for note in plan.notes {
            let label: ScreenText =
                switch note.kind {
                case .reason: ""
                case .consequence: "then: "
                case .warning: colour.paint("warning:", .doubtful) + " "
                }
            text.line("  \(label)\(note.text).")
        }
    }

    private func showActions(to text: inout OutputBuffer) {
        let lines = lines
        let shown = isWhole ? lines[...] : lines.prefix(Self.longestTable)
        let hasFolders = shown.contains { $0.files != nil }
        let hasReasons = shown.contains { !$0.why.isEmpty }
        var table = TextTable(
            ["ACTION", "PATH"] + (hasFolders ? ["FILES"] : []) + ["SIZE"] + (hasReasons ? ["WHY"] : []),
            [.text, .path] + (hasFolders ? [.number] : []) + [.number, .beginning],
            leavesOut: ["FILES", "SIZE"])
        for line in shown {
            table.add(
                [line.verb, line.place]
                    + (hasFolders ? [line.files.map { Quantities.count($0) } ?? ""] : [])
                    + [line.bytes.map { Quantities.size($0) } ?? "", line.why])
        }
        for line in table.lines(width: width, colour: colour, indent: 2) { text.line(line) }
        let hidden = lines.dropFirst(shown.count).reduce(0) { $0 + $1.actions }
        if hidden > 0 {
            text.line("  … \(Quantities.count(hidden, "more action")) (--verbose shows all)")
        }
    }

    /// A line of the table: one action, or the rest of a run.
    private struct Line {
        var verb: String
        var place: String
        var files: Int?
        var bytes: Int64?
        var why: String
        var actions = 1
    }

    private var lines: [Line] {
        var lines: [Line] = []
        var start = 0
        while start < rows.count {
            let end = rows[start...].firstIndex { !$0.isLike(rows[start]) } ?? rows.count
            let run = rows[start..<end]
            let isCut = !isWhole && run.count > Self.longestRun
            for row in isCut ? run.prefix(Self.shownOfRun) : run {
                let place = row.path.names.isEmpty ? "the whole remote" : row.path.description
                lines.append(
                    Line(verb: row.verb, place: place, files: row.files, bytes: row.bytes, why: row.why))
            }
            if isCut { lines.append(rest(of: run.dropFirst(Self.shownOfRun))) }
            start = end
        }
        return lines
    }

    private func rest(of run: ArraySlice<PlanRow>) -> Line {
        let folder = run.first.map(\.path.parent.description) ?? ""
        return Line(
            verb: "… and \(Quantities.count(run.count)) more", place: "in \(folder)",
            files: run.reduce(0) { $0 +| $1.fileCount }, bytes: run.reduce(0) { $0 +| ($1.bytes ?? 0) },
            why: "", actions: run.count)
    }

    /// `5 actions: write 1 (312 B), to the trash 4 (88 files, 1.2 MB)`
    private var sums: String {
        var sums: [(verb: String, actions: Int, files: Int, bytes: Int64)] = []
        for row in rows {
            let place = sums.firstIndex { $0.verb == row.verb } ?? sums.count
            if place == sums.count { sums.append((row.verb, 0, 0, 0)) }
            sums[place].actions += 1
            sums[place].files +|= row.fileCount
            sums[place].bytes +|= row.bytes ?? 0
        }
        let parts = sums.map { sum in
            let files =
                sum.files == 0
                ? "" : " (\(Quantities.count(sum.files, "file")), \(Quantities.size(sum.bytes)))"
            return "\(sum.verb) \(Quantities.count(sum.actions))\(files)"
        }
        return "\(Quantities.count(plan.actions.count, "action")): \(parts.joined(separator: ", "))."
    }
}
