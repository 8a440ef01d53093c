package import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
package import TICDSOperations

/// Operations in the form for people.
struct OperationTable {
    let colour: Colour
    let style: TextStyle

    /// The remote as a title, and a row for each group of operations, the newest first.
    /// - Parameter undoable: the numbers of the operations that can be undone; nil if that is unknown.
    func show(
        _ groups: [[OperationRecord]], undoable: Set<Int64>? = nil, of state: RemoteState,
        to text: inout OutputBuffer
    ) {
        text.line(colour.paint("\(state.root)", .bold))
        let undo = undoable == nil ? [] : ["UNDO"]
        var table = TextTable(
            ["NUMBER", "STARTED", "STATE", "ACTIONS", "TRASH"] + undo + ["WHAT"],
            [.number, .time, .text, .number, .number], leavesOut: ["ACTIONS", "TRASH", "STATE", "STARTED"])
        for group in groups {
            guard let newest = group.first, let oldest = group.last else { continue }
            let isOne = group.count == 1
            let canUndo = isOne && undoable?.contains(newest.number) == true
            table.add(
                [
                    isOne ? "\(newest.number)" : "\(oldest.number)-\(newest.number)",
                    style.minuteWithAge(newest.started),
                    newest.stateText, Quantities.count(group.reduce(0) { $0 + $1.actions }),
                    newest.trashText(style),
                ] + undo.map { _ in canUndo ? "yes" : "" } + [
                    isOne ? newest.summary : "\(group.count) runs of ticds-sync; --all lists them"
                ])
        }
        table.show(to: &text, colour: colour, indent: 2)
    }

    /// A row for each operation.
    func show(_ operations: [OperationRecord], of state: RemoteState, to text: inout OutputBuffer) {
        show(operations.map { [$0] }, of: state, to: &text)
    }

    /// Groups of consecutive runs of ticds-sync, and each other operation by itself.
    static func folded(_ operations: [OperationRecord]) -> [[OperationRecord]] {
        operations.reduce(into: []) { groups, operation in
            if operation.isSynchronisation, let last = groups.last?.last, last.isSynchronisation {
                groups[groups.count - 1].append(operation)
            } else {
                groups.append([operation])
            }
        }
    }

    /// Adds the advice on interrupted operations.
    func showAdvice(_ operations: [OperationRecord], of state: RemoteState, to text: inout OutputBuffer) {
        guard let unfinished = operations.first(where: \.isUnfinished) else { return }
        let warning = colour.paint("Operation \(unfinished.number) has not been ended.", .doubtful)
        text.line(
            "  \(warning) If it is no longer running: ticds-journal recover \(ShellWord.quoted(state.root))")
    }

    /// Adds the remains of interrupted copies.
    func show(_ copies: [UnfinishedCopy], to text: inout OutputBuffer) {
        for copy in copies {
            let size =
                "\(Quantities.count(copy.contents.count, "file")), \(style.size(copy.contents.bytes))"
            let source = copy.source.map { "of \($0.escaped)" } ?? ""
            let what = copy.isAtWork ? "A copy \(source) is being made" : "An unfinished copy \(source)"
            text.line("  \(colour.paint(what, .doubtful)): \(size), \(style.minute(copy.modified))")
            text.line("    \(copy.folder)")
        }
    }

    /// Adds the advice on continuing or removing interrupted copies.
    func showAdvice(_ copies: [UnfinishedCopy], of state: RemoteState, to text: inout OutputBuffer) {
        guard copies.contains(where: { !$0.isAtWork }) else { return }
        text.line(
            "  The same ticds-remote copy command continues it. To remove it: ticds-journal prune --copies \(ShellWord.quoted(state.root))"
        )
    }
}

extension Journal {
    /// Whether the journal and the trash still contain everything that an undo needs. A run of ticds-sync can only be
    /// undone by edits.
    borrowing func mayUndo(_ operation: OperationRecord) throws(FileProblem) -> Bool {
        guard operation.state == .done, operation.undoneBy == nil, !operation.isSynchronisation else {
            return false
        }
        if operation.trash.count > 0 { return true }
        return try plan(of: operation.number).actions.allSatisfy { action in
            switch action.kind {
            case .moveToTrash(_, let seen), .replaceFile(_, _, _, let seen):
                seen.kind == .folder && seen.files == 0
            case .makeFolder, .writeFile, .writeTree, .adopt, .setTime, .restore: true
            }
        }
    }
}

extension OperationRecord {
    var stateText: String {
        switch state {
        case .preparing: return "not ended: preparing"
        case .running: return "not ended: running"
        case .rollingBack: return "not ended: rolling back"
        case .rolledBack: return "rolled back"
        case .left: return "left unfinished"
        case .done: return undoneBy.map { "undone by \($0)" } ?? "done"
        }
    }

    func trashText(_ style: TextStyle) -> String { trash.count == 0 ? "" : style.size(trash.bytes) }
}

extension OperationRecord: JSONObject {
    package static let fields = JSONFields<OperationRecord>(home: "ticds.journal/1") {
        $0("number", "From 1.", as: .number(from: 1), \.number)
        $0(
            "state",
            """
            `preparing`, `running` or `rollingBack`: working now, or interrupted; `left`: ended halfway by ticds-journal(1) \
            `recover` `--leave`.
            """, \.state)
        $0("command", "", \.command)
        $0("summary", "", \.summary)
        $0("started", "", \.started)
        $0("finished", "", \.finished)
        $0("process", "Who did it.", { Int64($0.process) })
        $0("host", "Where.", \.host)
        $0("user", "For whom.", \.user)
        $0("actions", "The number of actions in its plan.", \.actions)
        $0("trash", "The files that are still in the trash.", \.trash)
        $0("undoes", "The operation that it undid.", as: .orNull(.number(from: 1)), \.undoes)
        $0("undoneBy", "The operation that undid it.", as: .orNull(.number(from: 1)), \.undoneBy)
        $0("problem", "Why it was rolled back.", \.problem)
    }
}

/// Operations of one remote in JSON, and the unfinished copies to it.
struct JournalEntries: JSONObject {
    let state: RemoteState
    let operations: [OperationRecord]
    var copies: [UnfinishedCopy] = []

    static let fields = JSONFields<JournalEntries>(home: "ticds.journal/1") {
        $0("remote", "", \.state.root)
        $0("state", "The folder of its journal.", \.state.folder)
        $0("operations", "Newest first, or as `--sort` says.", \.operations)
    }
    static let withCopies = JSONFields<JournalEntries>(home: "ticds.journal/1") {
        $0.include(fields, \.self)
        $0("copies", "The files of interrupted copies to that remote, or of one that is running.", \.copies)
    }
}

extension UnfinishedCopy: JSONObject {
    package static let fields = JSONFields<UnfinishedCopy>(home: "ticds.journal/1") {
        $0("folder", "The place of these files.", \.folder)
        $0("source", "The remote that is copied.", \.source)
        $0("modified", "The time of the last file.", \.modified)
        $0("contents", "The files that were copied.", \.contents)
        $0("isAtWork", "Whether a process writes this copy at this moment.", \.isAtWork)
    }
}
