import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// Operations as people read them.
struct OperationTable {
    let colour: Colour

    /// The remote as a title, and a row for each operation.
    func show(_ operations: [OperationRecord], of state: RemoteState, to text: inout OutputBuffer) {
        text.line(colour.paint("\(state.root)", .bold))
        var table = TextTable(
            ["NUMBER", "STARTED", "STATE", "ACTIONS", "TRASH", "WHAT"],
            [.number, .time, .text, .number, .number], leavesOut: ["ACTIONS", "TRASH", "STATE", "STARTED"])
        for operation in operations {
            table.add([
                "\(operation.number)", operation.started.withAge, operation.stateText,
                Quantities.count(operation.actions), operation.trashText, operation.summary,
            ])
        }
        table.show(to: &text, colour: colour, indent: 2)
    }

    /// What is to be done about operations that were interrupted.
    func showAdvice(_ operations: [OperationRecord], of state: RemoteState, to text: inout OutputBuffer) {
        guard let unfinished = operations.first(where: \.isUnfinished) else { return }
        let warning = colour.paint("Operation \(unfinished.number) has not been ended.", .doubtful)
        text.line(
            "  \(warning) If it is no longer running: ticds-journal recover \(ShellWord.quoted(state.root))")
    }

    /// What copies that were interrupted have left.
    func show(_ copies: [UnfinishedCopy], to text: inout OutputBuffer) {
        for copy in copies {
            let size =
                "\(Quantities.count(copy.contents.count, "file")), \(Quantities.size(copy.contents.bytes))"
            let source = copy.source.map { "of \($0.escaped)" } ?? ""
            let what = copy.isAtWork ? "A copy \(source) is being made" : "An unfinished copy \(source)"
            text.line("  \(colour.paint(what, .doubtful)): \(size), \(copy.modified.local)")
            text.line("    \(copy.folder)")
        }
    }

    /// What is to be done about copies.
    func showAdvice(_ copies: [UnfinishedCopy], of state: RemoteState, to text: inout OutputBuffer) {
        guard copies.contains(where: { !$0.isAtWork }) else { return }
        text.line(
            "  The same ticds-remote copy command continues it. To remove it: ticds-journal prune --copies \(ShellWord.quoted(state.root))"
        )
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

    var trashText: String { trash.count == 0 ? "" : Quantities.size(trash.bytes) }
}

extension JSONWriter {
    /// Operations of one remote, as an object in an array.
    /// - Parameter copies: nil where nothing is told of them.
    mutating func value(
        _ operations: [OperationRecord], of state: RemoteState, copies: [UnfinishedCopy]? = nil
    ) {
        beginObject()
        field("remote", state.root)
        field("state", state.folder)
        objects("operations", operations) { $0.fields(of: $1) }
        if let copies {
            objects("copies", copies) { json, copy in
                json.field("folder", copy.folder)
                json.field("source", copy.source)
                json.field("modified", copy.modified)
                json.field("contents", copy.contents)
                json.field("isAtWork", copy.isAtWork)
            }
        }
        endObject()
    }

    /// The keys of one operation.
    mutating func fields(of operation: OperationRecord) {
        field("number", operation.number)
        field("state", operation.state.rawValue)
        field("command", operation.command)
        field("summary", operation.summary)
        field("started", operation.started)
        field("finished", operation.finished)
        field("process", Int64(operation.process))
        field("host", operation.host)
        field("user", operation.user)
        field("actions", operation.actions)
        field("trash", operation.trash)
        field("undoes", operation.undoes)
        field("undoneBy", operation.undoneBy)
        field("problem", operation.problem)
    }
}
