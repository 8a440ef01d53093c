import SystemCalls
import TICDSCommandLine
import TICDSCore

/// The analysis for people: for each document what goes, from whom, and who holds back the rest.
struct VacuumView {
    let names: VacuumNames

    func write(_ vacuums: [VacuumDecision], _ output: OutputOptions) throws {
        var text = output.text()
        for vacuum in vacuums {
            text.line(head(vacuum))
            let table = table(vacuum)
            if !table.isEmpty {
                text.line("")
                table.show(to: &text, colour: output.colour())
            }
            text.line("")
            for line in sentences(vacuum) { text.line(line) }
            text.line("")
        }
        try text.flush()
    }

    private func head(_ vacuum: VacuumDecision) -> String {
        let description = names.documentDescription(vacuum.document).map { " (\($0))" } ?? ""
        let removable = vacuum.removable
        let all = Quantities.count(removable.count + vacuum.kept.count, "change set")
        let size = Quantities.size(removable.bytes)
        return "Document \(vacuum.document.text)\(description): "
            + "\(Quantities.count(removable.count)) of \(all) can be removed, \(size)"
    }

    private func table(_ vacuum: VacuumDecision) -> TextTable {
        var table = TextTable(
            [
                "CLIENT", "DESCRIPTION", "LAST SYNC", "STORE", "CAN GO", "SIZE", "STAY", "HOLDS BACK",
                "ALONE",
                "NOTE",
            ],
            [.beginning, .text, .time, .time, .number, .number, .number, .number, .number],
            leavesOut: ["SIZE", "ALONE", "STORE", "LAST SYNC", "STAY", "HOLDS BACK"])
        for client in vacuum.clients {
            let note = [client.isMember ? nil : "not a member", client.isIgnored ? "ignored" : nil]
            table.add([
                client.identifier.text, names.description(of: client.identifier) ?? "",
                client.lastSync?.withAge ?? "", client.store?.local ?? "",
                Quantities.count(client.removable.count), Quantities.size(client.removable.bytes),
                Quantities.count(client.kept.count), Quantities.count(client.hold.sets.count),
                Quantities.count(client.hold.alone.count), note.compactMap(\.self).joined(separator: ", "),
            ])
        }
        return table
    }

    private func sentences(_ vacuum: VacuumDecision) -> [String] {
        var lines: [String] = []
        switch (vacuum.rule, vacuum.horizon) {
        case (.framework, let limit?):
            lines.append("Horizon: \(when(limit)). Everything older will be removed.")
        case (_, let oldest?):
            lines.append("Horizon: \(when(oldest)), the time of the oldest set that stays.")
        case (_, nil):
            if vacuum.removable.count > 0 { lines.append("Horizon: none; every set can be removed.") }
        }
        lines += vacuum.clients.filter { $0.hold.sets.count > 0 }
            .sorted { ($0.hold.alone.count, $0.hold.sets.count) > ($1.hold.alone.count, $1.hold.sets.count) }
            .map { held(by: $0, vacuum.rule) }
        if vacuum.young.count > 0 {
            let sets = Quantities.count(vacuum.young.count, "change set")
            let stay = vacuum.young.count == 1 ? "stays because it is" : "stay because they are"
            lines.append("\(sets) \(stay) younger than the margin.")
        }
        for leftover in vacuum.leftovers {
            let size = Quantities.size(leftover.files.bytes)
            let what = "\(leftover.path.text): \(size) left behind by uploads"
            lines.append(leftover.reason.map { "\(what), kept because \($0)." } ?? "\(what) can be removed.")
        }
        for obstacle in vacuum.obstacles { lines.append("Obstacle: \(obstacle.problem).") }
        return lines
    }

    private func when(_ time: FileTime) -> String { time.withAge }

    private func held(by client: VacuumClient, _ rule: VacuumSettings.Rule) -> String {
        let sets = Quantities.count(client.hold.sets.count, "change set")
        let alone = client.hold.alone.count > 0 ? ", \(Quantities.count(client.hold.alone.count)) alone" : ""
        var reasons: [String] = []
        if client.hold.notSynchronised > 0 {
            reasons.append(
                client.lastSync.map { "it last synchronised on \(when($0))" }
                    ?? "the time of its last synchronisation is unknown")
        }
        if client.hold.notInStore > 0 {
            let count = Quantities.count(client.hold.notInStore)
            let store = "its whole store of \(client.store?.local ?? "an unknown time")"
            reasons.append(
                rule == .framework
                    ? "\(store) is not newer"
                    : client.register == nil ? "\(store) has no register" : "\(store) lacks \(count)")
        }
        let remedy = client.hold.notInStore > 0 ? " A new upload of its whole store would help." : ""
        return "Held back by \(names.name(of: client.identifier)): \(sets)\(alone); "
            + "\(reasons.joined(separator: "; ")).\(remedy)"
    }
}
