public import SystemCalls
public import SystemPackage

// The plan of what an analysis found, and the words that go with it.

extension VacuumPlanner {
    /// The plan for documents that were looked at.
    /// - Throws: `.refused` where something makes the horizon of one unsafe.
    public static func plan(
        _ vacuums: [VacuumDecision], _ snapshot: RemoteSnapshot, _ settings: VacuumSettings, root: FilePath,
        command: String = "ticds-vacuum"
    ) throws(FileProblem) -> Plan {
        for vacuum in vacuums { try refuse(vacuum, snapshot) }
        var sets = FileTotals()
        for vacuum in vacuums { sets.add(vacuum.removable) }
        let leftovers = vacuums.flatMap(\.leftovers).filter { $0.reason == nil }
        let rest = leftovers.isEmpty ? "" : " and \(counted(leftovers.count, "leftover")) of uploads"
        var plan = Plan(
            root: root, command: command,
            summary: "Remove \(counted(sets.count, "change set"))\(rest), \(freed(sets, leftovers)) bytes")
        plan.actions.reserveCapacity(sets.count + leftovers.count)
        for vacuum in vacuums {
            try addSets(of: vacuum, snapshot, &plan)
            try addLeftovers(of: vacuum, snapshot, &plan)
            plan.notes += VacuumNotes(vacuum).notes
        }
        if sets.count > 0 {
            plan.note(
                .consequence,
                "A client that is synchronising just now may fail once; its next synchronisation succeeds")
        }
        if settings.takesLeftovers {
            plan.note(
                .reason,
                "The registers beside whole stores keep all their lines, which show what clients have applied"
            )
        }
        return plan
    }

    private static func freed(_ sets: FileTotals, _ leftovers: [VacuumLeftover]) -> Int64 {
        leftovers.reduce(into: sets) { $0.add($1.files) }.bytes
    }

    private static func addSets(
        of vacuum: VacuumDecision, _ snapshot: RemoteSnapshot, _ plan: inout Plan
    ) throws(FileProblem) {
        let reason =
            switch vacuum.rule {
            case .applied: "every client and every whole store that counts has it"
            case .framework: "older than every whole store and every recent sync"
            }
        for client in vacuum.clients where !client.positions.isEmpty {
            let folder = RemoteLayout.syncChanges(of: client.identifier, in: vacuum.document)
            let listing = snapshot.tree.listing(folder)
            for position in client.positions {
                let entry = listing[Int(position)]
                let path = folder.appending(entry.name)
                let seen =
                    entry.kind == .folder
                    ? try snapshot.tree.state(of: path)
                    : EntryState(kind: entry.kind, size: entry.size, modified: entry.modified)
                plan.add(.moveToTrash(path: path, seen: seen), because: reason)
            }
        }
    }

    private static func addLeftovers(
        of vacuum: VacuumDecision, _ snapshot: RemoteSnapshot, _ plan: inout Plan
    ) throws(FileProblem) {
        for leftover in vacuum.leftovers where leftover.reason == nil {
            let seen = try snapshot.tree.state(of: leftover.path)
            plan.add(
                .moveToTrash(path: leftover.path, seen: seen),
                because: "an upload left it behind; no client reads it")
        }
    }

    // MARK: Refusal

    private static let shownObstacles = 5

    private static func refuse(_ vacuum: VacuumDecision, _ snapshot: RemoteSnapshot) throws(FileProblem) {
        guard !vacuum.obstacles.isEmpty else { return }
        let shown = vacuum.obstacles.prefix(shownObstacles).map(\.problem).joined(separator: "; ")
        let more = vacuum.obstacles.count - shownObstacles
        throw FileProblem(
            .refused, path: RemoteLayout.document(vacuum.document).filePath(under: snapshot.root),
            "the folder does not show which change sets every client has, so a vacuum could remove sets that are still needed",
            found: shown + (more > 0 ? "; and \(more) more" : ""), advice: advice(vacuum))
    }

    private static func advice(_ vacuum: VacuumDecision) -> String {
        let kinds = Set(vacuum.obstacles.map(\.kind))
        let isWaiting = !kinds.isDisjoint(with: [.notDownloaded, .empty])
        let name = vacuum.obstacles.first?.path.last.map { ShellWord.quoted($0.bytes) } ?? "NAME"
        let client = vacuum.obstacles.lazy.compactMap(\.client).first.map { ShellWord.quoted($0.bytes) }
        let wait = isWaiting ? "Let the sync service download everything; otherwise c" : "C"
        let ignore = client.map { "--ignore-client=\($0) if that client is gone, or with " } ?? ""
        return "\(wait)ontinue with \(ignore)--allow-missing=\(name)"
    }
}
