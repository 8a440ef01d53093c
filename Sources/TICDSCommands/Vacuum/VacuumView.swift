import Base
import SystemCalls
import TICDSCommandLine
import TICDSCore
import TICDSOperations

/// The analysis for people: the loss of each document, the clients concerned, and the clients that hold back the rest.
struct VacuumView {
    let names: VacuumNames
    let context: CommandContext
    /// Whether the vacuum takes change sets, and not only what uploads left.
    let showsSets: Bool

    func write(_ vacuums: [VacuumDecision]) throws {
        var text = context.text()
        for vacuum in vacuums {
            text.line(head(vacuum))
            let table = table(vacuum)
            if showsSets, !table.isEmpty {
                text.line("")
                table.show(to: &text, colour: context.colour())
            }
            text.line("")
            for sentence in sentences(vacuum) { text.line(sentence) }
            text.line("")
        }
        try text.flush()
    }

    private func head(_ vacuum: VacuumDecision) -> String {
        let description = names.documentDescription(vacuum.document).map { " (\($0))" } ?? ""
        guard showsSets else {
            let left = vacuum.leftovers.isEmpty ? "uploads left nothing" : "what uploads left"
            return "Document \(vacuum.document.text)\(description): \(left)"
        }
        let removable = vacuum.removable
        let count = removable.count + vacuum.kept.count
        let sets = Quantities.count(count, "change set")
        let all =
            names.knowsSets(of: vacuum.document) ? sets : count == 0 ? "its change sets" : "at least " + sets
        guard vacuum.isKnown else {
            return
                "Document \(vacuum.document.text)\(description): how many of \(all) can be removed is unknown"
        }
        let size = context.style.size(removable.bytes)
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
            let isKnown = client.isMember || !names.knowsMembers(of: vacuum.document)
            let note = [isKnown ? nil : "not a member", client.isIgnored ? "ignored" : nil]
            func seen(_ text: String) -> String { vacuum.isKnown ? text : "" }
            let mark = names.knowsSets(of: vacuum.document) ? "" : "+"
            table.add([
                client.identifier.text, names.description(of: client.identifier) ?? "",
                client.lastSync.map { context.style.minuteWithAge($0) } ?? "",
                client.store.map { context.style.minute($0) } ?? "",
                seen(Quantities.count(client.removable.count)),
                seen(context.style.size(client.removable.bytes)), seen(Quantities.count(client.kept.count)),
                vacuum.knowsHold(of: client.identifier)
                    ? Quantities.count(client.hold.sets.count) + mark : "",
                seen(Quantities.count(client.hold.alone.count)),
                note.compactMap(\.self).joined(separator: ", "),
            ])
        }
        return table
    }

    private func sentences(_ vacuum: VacuumDecision) -> [String] {
        var lines = showsSets ? sentencesOnSets(vacuum) : []
        for leftover in vacuum.leftovers {
            let size = context.style.size(names.files(of: leftover).map(\.bytes))
            let what = "\(leftover.path.text): \(size) left behind by uploads"
            lines.append(leftover.reason.map { "\(what), kept because \($0)." } ?? "\(what) can be removed.")
        }
        for obstacle in vacuum.obstacles { lines.append("Obstacle: \(obstacle.problem).") }
        return lines
    }

    private func sentencesOnSets(_ vacuum: VacuumDecision) -> [String] {
        var lines: [String] = []
        switch (vacuum.rule, vacuum.horizon) {
        case _ where !vacuum.isKnown: break
        case (.framework, let limit?):
            lines.append("Horizon: \(context.style.minuteWithAge(limit)). Everything older will be removed.")
        case (_, let oldest?):
            lines.append(
                "Horizon: \(context.style.minuteWithAge(oldest)), the time of the oldest set that stays.")
        case (_, nil):
            if vacuum.removable.count > 0 { lines.append("Horizon: none; every set can be removed.") }
        }
        lines += vacuum.clients.filter {
            $0.hold.sets.count > 0 && vacuum.knowsHold(of: $0.identifier)
        }
        .sorted { ($0.hold.alone.count, $0.hold.sets.count) > ($1.hold.alone.count, $1.hold.sets.count) }
        .map { held(by: $0, vacuum) }
        if vacuum.young.count > 0 {
            let mark = names.knowsSets(of: vacuum.document) ? "" : "at least "
            let sets = mark + Quantities.count(vacuum.young.count, "change set")
            let stay = vacuum.young.count == 1 ? "stays because it is" : "stay because they are"
            lines.append("\(sets) \(stay) younger than the margin.")
        }
        return lines
    }

    private func held(by client: VacuumClient, _ vacuum: VacuumDecision) -> String {
        let mark = names.knowsSets(of: vacuum.document) ? "" : "at least "
        let sets = mark + Quantities.count(client.hold.sets.count, "change set")
        let alone =
            vacuum.isKnown && client.hold.alone.count > 0
            ? ", \(Quantities.count(client.hold.alone.count)) alone" : ""
        var reasons: [String] = []
        if client.hold.notSynchronised > 0 {
            reasons.append(
                client.lastSync.map { "it last synchronised on \(context.style.minuteWithAge($0))" }
                    ?? "the time of its last synchronisation is unknown")
        }
        if client.hold.notInStore > 0 {
            let count = Quantities.count(client.hold.notInStore)
            let store =
                "its whole store of \(client.store.map { context.style.minute($0) } ?? "an unknown time")"
            reasons.append(
                vacuum.rule == .framework
                    ? "\(store) is not newer"
                    : client.register == nil
                        ? "\(store) has no register" : "\(store) lacks \(count) of the sets that are here now"
            )
        }
        let remedy = client.hold.notInStore > 0 ? " A new upload of its whole store would help." : ""
        return "Held back by \(names.name(of: client.identifier)): \(sets)\(alone); "
            + "\(reasons.joined(separator: "; ")).\(remedy)"
    }
}

/// The analysis for programs.
extension VacuumView {
    typealias Analysis = (
        names: VacuumNames, settings: VacuumSettings, vacuums: [VacuumDecision], remote: OpenRemote
    )

    static let schema = JSONSchema<Analysis>(
        "ticds.vacuum/1", "Printed by ticds-vacuum(1) with `--dry-run`, even if the vacuum is refused."
    ) {
        $0("remote", "The application folder.", { $0.remote.path })
        $0(
            "application", "Its name, the identifier of the application.",
            { $0.remote.snapshot.applicationIdentifier })
        $0("encrypted", "Whether the remote has a salt.", { $0.remote.snapshot.isEncrypted })
        $0(
            "rule", "", as: .names(["applied", "framework"]),
            { $0.settings.rule == .framework ? "framework" : "applied" })
        $0(
            "keepWithin", "The margin in seconds; null for the framework's rule.",
            { $0.settings.rule == .framework ? nil : $0.settings.keepWithin })
        $0(
            "newestStoreOnly", "Whether only the whole store with the latest date counts.",
            { $0.settings.countsNewestStoreOnly })
        $0(
            "documents", "The documents that were examined.",
            { run in run.vacuums.map { ($0, run.names) } }, document)
    }

    private static let document = JSONFields<(vacuum: VacuumDecision, names: VacuumNames)> {
        $0("document", "", { $0.vacuum.document })
        $0("description", "", { $0.names.documentDescription($0.vacuum.document) })
        $0(
            "horizon",
            """
            With the framework's rule, the time before which sets are removed; otherwise that of the oldest set that \
            stays, or null if none stays, or if `removable` is.
            """, { $0.vacuum.isKnown ? $0.vacuum.horizon : nil })
        $0(
            "removable",
            """
            The change sets that are removed. Null, as below, if an obstacle may hide a client or a whole store that needs \
            sets.
            """, { $0.vacuum.isKnown ? $0.vacuum.removable : nil })
        $0("kept", "Those that stay.", { $0.vacuum.isKnown ? $0.vacuum.kept : nil })
        $0(
            "young", "Those that stay because they are younger than the margin.",
            { $0.vacuum.isKnown ? $0.vacuum.young : nil })
        $0(
            "unseen",
            """
            Those that the framework's rule removes although the last synchronisation of a client was before their \
            upload; none with the other rule.
            """, { $0.vacuum.isKnown ? $0.vacuum.unfetched : nil })
        $0(
            "clients", "Members of the document, and clients that left a recent sync or a whole store there.",
            { one in one.vacuum.clients.map { ($0, one.vacuum.isKnown, one.names) } }, client)
        $0(
            "leftovers", "What uploads left behind, with `--leftovers`.",
            { one in one.vacuum.leftovers.map { ($0, one.names.files(of: $0)) } },
            JSONFields<(leftover: VacuumLeftover, files: Seen<FileTotals>)> {
                $0("path", "", { $0.leftover.path })
                $0("files", "Null if not all could be listed.", { $0.files.known })
                $0("modified", "The latest in it.", { $0.leftover.modified })
                $0("keptBecause", "Null if it is removed.", { $0.leftover.reason })
            })
        $0(
            "obstacles", "The obstacles that make the horizon unsafe.",
            { $0.vacuum.obstacles.map { ($0, false) } + $0.vacuum.allowed.map { ($0, true) } },
            JSONFields<(obstacle: VacuumObstacle, isAllowed: Bool)> {
                $0("kind", "", { $0.obstacle.kind })
                $0("path", "", { $0.obstacle.path })
                $0("client", "", { $0.obstacle.client })
                $0("problem", "", { $0.obstacle.problem })
                $0("allowed", "Whether `--allow-missing` passes over it.", { $0.isAllowed })
            })
    }

    private static let client = JSONFields<(client: VacuumClient, isKnown: Bool, names: VacuumNames)> {
        $0("client", "", { $0.client.identifier })
        $0("description", "", { $0.names.description(of: $0.client.identifier) })
        $0(
            "member", "Null, as below, if an obstacle may hide it.",
            { $0.client.isMember ? true : $0.isKnown ? false : nil })
        $0("ignored", "", { $0.client.isIgnored })
        $0("lastSync", "The time of its recent sync.", { $0.client.lastSync })
        $0("wholeStore", "The time of its whole store.", { $0.client.store })
        $0("register", "The time of the register beside it.", { $0.client.register })
        $0(
            "storeCounts", "Whether sets stay for clients that start from its whole store.",
            { $0.isKnown ? $0.client.storeCounts : nil })
        $0("removable", "Of its own sets.", { $0.isKnown ? $0.client.removable : nil })
        $0("kept", "Of its own sets.", { $0.isKnown ? $0.client.kept : nil })
        $0(
            "holdsBack", "The sets that stay because of this client.",
            { $0.isKnown ? $0.client.hold : nil }, hold)
        $0(
            "misses", "For a client that is ignored, the removed sets that it may lack.",
            { $0.isKnown ? $0.client.missed : nil }, hold)
    }

    private static let hold = JSONFields<HeldSets> {
        $0("sets", "", \.sets)
        $0("alone", "The same for those that nothing else keeps.", \.alone)
        $0("notSynchronised", "Sets that it may not have fetched.", \.notSynchronised)
        $0("notInStore", "Sets that its register does not name.", \.notInStore)
        $0("oldest", "The later of the two times of the oldest.", \.oldest)
    }
}
