import KeyedArchive
import SystemCalls
import SystemPackage
public import TICDSCore

/// A plan as people read it before they say yes.
public struct PlanView {
    /// A longer run of like actions is cut: the first few are shown, and the number of the others.
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
    ///   - keepsTrash: false if what the plan removes is deleted permanently.
    ///   - isWhole: whether runs of like actions are shown in full.
    ///   - isForStandardOutput: false for a view that goes elsewhere, without colours and as wide as needed.
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
        if hidden > 0 { text.line("  … \(Quantities.count(hidden, "more action")) (--verbose shows all)") }
    }

    /// The rows; a run of more than ``longestRun`` like rows is cut short.
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

/// One action of a plan, or the rest of a run of like ones, as people read it.
struct PlanRow {
    let verb: String
    /// The path of the entry; in words if it is the whole remote.
    let place: String
    /// The folder of the entry.
    let folder: RemotePath
    /// The number of actions.
    var actions = 1
    /// Files in a folder; nil for a single file.
    var files: Int?
    var bytes: Int64?
    /// The reason, and other things that the user must know.
    let why: String

    init(_ action: PlannedAction, keepsTrash: Bool) {
        let change = action.change
        verb = Self.verb(change, keepsTrash: keepsTrash)
        place = change.path.names.isEmpty ? "the whole remote" : change.path.description
        folder = change.path.parent
        var details: [String] = action.reason.map { [$0] } ?? []
        switch change {
        case .makeFolder: break
        case .writeFile(_, let content, _), .replaceFile(_, let content, _, _):
            bytes = content.size
            if let source = content.source { details.append(source) }
        case .writeTree(_, let entries):
            let contents = entries.compactMap(\.content)
            files = contents.count
            bytes = contents.reduce(0) { $0 +| $1.size }
        case .adopt(_, let staged):
            files = staged.seen.files
            bytes = staged.seen.size
        case .setTime(_, let modified, _):
            details.append("to \(modified.localSeconds)")
        case .moveToTrash(_, let seen), .restore(_, _, let seen):
            files = seen.files
            bytes = seen.size
        }
        why = details.joined(separator: "; ")
    }

    /// A row for all of `run`, whose actions are in one folder.
    init(restOf run: ArraySlice<PlanRow>) {
        verb = "… and \(Quantities.count(run.count)) more"
        folder = run.first?.folder ?? .root
        place = "in \(folder)"
        files = run.reduce(0) { $0 +| $1.fileCount }
        bytes = run.reduce(0) { $0 +| ($1.bytes ?? 0) }
        why = ""
        actions = run.count
    }

    /// Files that the action is about; 0 for an empty folder.
    var fileCount: Int { files ?? (bytes == nil ? 0 : 1) }

    /// Whether `other` can stand in the same row: the same is done in the same folder for the same reason.
    func isLike(_ other: PlanRow) -> Bool { verb == other.verb && why == other.why && folder == other.folder }

    private static func verb(_ change: Change, keepsTrash: Bool) -> String {
        switch change {
        case .makeFolder: "make folder"
        case .writeFile: "write"
        case .writeTree: "write folder"
        case .adopt(_, let staged): staged.seen.kind == .folder ? "write folder" : "write"
        case .replaceFile: "replace"
        case .setTime: "set time"
        case .moveToTrash: keepsTrash ? "to the trash" : "delete"
        case .restore: "restore"
        }
    }
}

extension PlannedContent {
    /// Bytes; for content that is encrypted anew, those of the file from which it is made.
    fileprivate var size: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.bytes.count)
        case .copy(_, let seen), .trashed(_, let seen), .recoded(_, let seen), .file(_, let seen): seen.size
        case .staged(let staged): staged.seen.size
        }
    }

    /// Where the bytes come from, unless they are new.
    fileprivate var source: String? {
        switch self {
        case .bytes, .staged: nil
        case .file(let path, _):
            "from \(FilePath(pathBytes: path.bytes).escaped), a file of this machine"
        case .copy(let path, _): "copy of \(path)"
        case .trashed(let slot, _): "from the trash of operation \(slot.operation)"
        case .recoded: "encrypted anew"
        }
    }
}
