import TICDSCore
import TICDSOperations
import TICDSVerification

/// The notes of a repair plan, each once.
struct RepairNotes {
    private let names: ClientNames
    private var sentences: [PlanNote] = []
    private var seen: Set<String> = []
    private var losses: [Author: Loss] = [:]

    private struct Author: Hashable {
        var document: RemoteName?
        var client: RemoteName?
    }

    private struct Loss {
        var sets: Set<RemotePath> = []
        var others: [RemoteName] = []
        /// Whether nothing can be salvaged from any of the sets.
        var isWhole = true
    }

    private static let namesShown = 5

    init(_ names: ClientNames) { self.names = names }

    mutating func add(_ kind: PlanNote.Kind, _ text: String) {
        if seen.insert(text).inserted { sentences.append(PlanNote(kind: kind, text: text)) }
    }

    mutating func addLoss(of finding: Finding) {
        let author = Author(document: finding.document, client: finding.client)
        losses[author, default: Loss()].sets.insert(finding.path)
        if !finding.isLost { losses[author]?.isWhole = false }
        if let others = finding.affected.first?.clients { losses[author]?.others = others }
    }

    /// The notes on what is repaired.
    var all: [PlanNote] {
        let lost = losses.sorted { Self.key($0.key) < Self.key($1.key) }.map { author, loss in
            PlanNote(kind: .warning, text: text(author, loss))
        }
        return sentences + lost
    }

    private static func key(_ author: Author) -> String {
        "\(author.document?.description ?? "")/\(author.client?.description ?? "")"
    }

    private func text(_ author: Author, _ loss: Loss) -> String {
        let isOne = loss.sets.count == 1
        let sets = isOne ? "a change set" : "\(loss.sets.count) change sets"
        var whom = loss.others.prefix(Self.namesShown).map(names.name)
        if loss.others.count > Self.namesShown { whom.append("\(loss.others.count - Self.namesShown) more") }
        whom.append("new clients")
        let client = author.client.map(names.name) ?? "a client"
        let document = author.document?.description ?? "a document"
        let salvage =
            loss.isWhole
            ? "restore \(isOne ? "it" : "them") from a back-up, or from another client's copy"
            : "ticds-changes recover salvages what is left of \(isOne ? "it" : "them"), also in the trash"
        return "Clients cannot read \(sets) of client \(client) in \(document): the edits in "
            + "\(isOne ? "it" : "them") never reach clients that have not applied \(isOne ? "it" : "them") "
            + "(\(whom.joined(separator: ", "))); only \(client) certainly has these edits; \(salvage)"
    }

    /// One note for each kind and reason, with the first path.
    static func sentences(on left: [LeftFinding]) -> [PlanNote] {
        struct Group: Hashable {
            var kind: FindingKind
            var reason: String?
        }
        var groups: [Group] = []
        var found: [Group: [Finding]] = [:]
        for item in left {
            let group = Group(kind: item.finding.kind, reason: item.reason)
            if found[group] == nil { groups.append(group) }
            found[group, default: []].append(item.finding)
        }
        return groups.compactMap { group in
            guard let findings = found[group], let first = findings.first else { return nil }
            let more = findings.count > 1 ? " and \(findings.count - 1) more" : ""
            let reason = group.reason.map { "; \($0)" } ?? ""
            let place = first.path.names.isEmpty ? "" : " (\(first.path)\(more))"
            return PlanNote(
                kind: .reason,
                text: "Not repaired: \(group.kind.code), \(group.kind.title)\(place)\(reason); "
                    + "see ticds-verify explain \(group.kind.code)")
        }
    }
}
