import SystemCalls
import TICDSCommandLine
import TICDSCore

/// A client as text.
struct ClientView {
    private let client: KnownClient
    private let colour: Colour

    init(_ client: KnownClient, colour: Colour) {
        self.client = client
        self.colour = colour
    }

    func show(to text: inout OutputBuffer) {
        let device = client.device
        text.line(
            colour.paint(device.description ?? device.identifier.description, .bold))
        for (label, value) in facts {
            let padding = String(repeating: " ", count: max(0, 14 - label.count))
            text.line("  \(label)\(padding)\(value)")
        }
        if let info = device.info?.userInfo { text.line("  user info     \(ValueText.line(info))") }
        if !client.memberships.isEmpty { text.line() }
        if !table.isEmpty { table.show(to: &text, colour: colour) }
        let sentences = sentences
        if !sentences.isEmpty { text.line() }
        for sentence in sentences { text.line(sentence) }
    }

    private var facts: [(String, String)] {
        let device = client.device
        let sets = Quantities.count(device.changeSets.count, "change set")
        var facts = [("identifier", device.identifier.description)]
        if !device.isRegistered { facts.append(("registered", "no: ClientDevices does not have it")) }
        if device.isRegistered, !device.isListed {
            facts.append(("listed", "no: the framework leaves such an identifier out of its lists"))
        }
        facts.append(("last sync", device.lastSync.map(Self.text) ?? "unknown"))
        facts.append(("whole store", device.wholeStoreUploaded.map(Self.text) ?? "none"))
        facts.append(("changes", "\(sets), \(Quantities.size(device.changeSets.bytes))"))
        return facts
    }

    private static func text(_ time: FileTime) -> String { time.withAge }

    private var table: TextTable {
        var table = TextTable(
            [
                "DOCUMENT", "DESCRIPTION", "LAST SYNC", "CHANGE SETS", "SIZE", "NEWEST", "STORE",
                "STORE SIZE", "NOTE",
            ],
            [.beginning, .text, .time, .number, .number, .time, .time, .number],
            leavesOut: ["STORE SIZE", "SIZE", "STORE", "NEWEST", "CHANGE SETS", "LAST SYNC"])
        for membership in client.memberships {
            let mine = membership.client
            let isDeleted = membership.document.deletedClients.contains(client.device.identifier)
            let note = [mine?.isMember == true ? nil : "not a member", isDeleted ? "deleted" : nil]
            table.add([
                membership.document.identifier.text, membership.document.description ?? "",
                mine?.lastSync?.withAge ?? "", Quantities.count(mine?.changeSets.count ?? 0),
                Quantities.size(mine?.changeSets.bytes ?? 0),
                mine?.changeSetTimes?.upperBound.local ?? "", membership.wholeStore?.modified?.local ?? "",
                membership.wholeStore.map { Quantities.size($0.size) } ?? "",
                note.compactMap(\.self).joined(separator: ", "),
            ])
        }
        return table
    }

    private var sentences: [String] {
        client.memberships.flatMap { membership in
            let document = membership.document.identifier.text
            var sentences = membership.unapplied.map { other in
                let sets = Quantities.count(other.changeSets, "change set")
                let basis =
                    other.asOf.map { "as of \($0.local)" } ?? "nobody knows what it has applied"
                return
                    "\(document): \(client.name(of: other.client)) may not have applied \(sets) of this client (\(basis))."
            }
            if let lag = membership.client?.lag, lag.notApplied > 0 {
                let sets = Quantities.count(lag.notApplied, "change set")
                sentences.append(
                    "\(document): this client had not applied \(sets) of others on \(lag.asOf.local).")
            }
            if let files = membership.client?.temporaryFiles, files.count > 0 {
                let size = Quantities.size(files.bytes)
                sentences.append("\(document): its uploads left \(size) in TemporaryFiles.")
            }
            return sentences
        }
    }
}
