import CoreDataStore
import SystemCalls
import TICDSCommandLine
import TICDSCore
import TICDSSync

extension ReplayReport {
    /// Places of each kind of notice that text shows; --json and --verbose show more.
    private static let shownPlaces = 5

    func printText(_ output: OutputOptions) throws(FileProblem) {
        let colour = output.colour()
        var text = output.text()
        text.line(colour.paint("\(file)", .bold))
        text.line("    register: \(register)")
        text.line("    start: \(startText)")
        for refusal in start?.refusals ?? [] {
            let client = name(of: refusal.client)
            text.line("    not used: \(client): \(refusal.reason)")
        }
        text.line("    change sets: \(setsText)")
        let left = record.changesRead - record.changesApplied
        text.line(
            "    changes: \(Quantities.count(record.changesApplied)) applied"
                + (left > 0 ? ", \(Quantities.count(left)) not" : ""))
        if !kinds.isEmpty { text.line(colour.paint("Warnings", .bold)) }
        for (kind, notices) in kinds {
            let number = kind.warningNumber.map { " (warning \($0) of the framework)" } ?? ""
            text.line("    \(Quantities.count(notices.count)) \(kind.words)\(number)")
            let shown = output.verbose ? notices.first : Array(notices.first.prefix(Self.shownPlaces))
            for notice in shown { text.line("        \(Self.line(notice))") }
            if shown.count < notices.count {
                text.line("        … \(Quantities.count(notices.count - shown.count)) more")
            }
        }
        text.line(colour.paint("Not known", .bold))
        for note in unknown { text.line("    \(note.text)") }
        try text.flush()
    }

    private var startText: String {
        guard let whole = start?.whole, let store = whole.store else { return "the change sets alone" }
        let layers = start?.layers.map(\.rawValue).joined(separator: ", ") ?? ""
        return "whole store of \(name(of: whole.client)), "
            + "\(store.modified.localSeconds) (\(layers))"
    }

    private func name(of client: RemoteName) -> String {
        clientNames[client.text] ?? client.description
    }

    private var setsText: String {
        let parts = [
            (record.setsApplied, "applied"), (record.setsInStore, "already in the store"),
            (record.setsAfterwards, "too late"), (record.setsOfOthers, "left out"),
            (record.setsUnreadable, "unreadable"),
        ]
        return parts.enumerated().filter { $0.offset == 0 || $0.element.0 > 0 }
            .map { "\(Quantities.count($0.element.0)) \($0.element.1)" }.joined(separator: ", ")
    }

    private static func line(_ placed: ReplayRecord.PlacedNotice) -> String {
        let notice = placed.notice
        let place = placed.changeSet + (placed.sequence > 0 ? " #\(placed.sequence)" : "")
        let object = [notice.entity, notice.syncID].compactMap { $0 }.joined(separator: " ")
        let facts = [object, notice.key ?? "", notice.reason ?? ""].filter { !$0.isEmpty }
        return "\(place): \(facts.joined(separator: ", "))"
    }
}
