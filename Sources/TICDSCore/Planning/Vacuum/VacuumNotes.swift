import SystemCalls

/// What a person should read about a vacuum of one document before saying yes.
struct VacuumNotes {
    private(set) var notes: [PlanNote] = []
    private let name: String

    init(_ vacuum: VacuumDecision) {
        name = vacuum.document.description
        let removable = vacuum.removable
        if removable.count > 0 {
            let sets = "\(counted(removable.count, "change set")) (\(removable.bytes) bytes)"
            let stay =
                "\(counted(vacuum.kept.count, "change set")) \(vacuum.kept.count == 1 ? "stays" : "stay")"
            add(.reason, "\(sets) can be removed, and \(stay)")
        }
        for client in vacuum.clients where client.isIgnored { ignored(client) }
        if vacuum.unseen.count > 0 {
            add(
                .warning,
                "the framework's rule removes \(counted(vacuum.unseen.count, "change set")) that a client has not "
                    + "fetched, because its last synchronisation was before their upload")
        }
        if removable.count > 0 {
            for obstacle in vacuum.allowed { add(.warning, "this obstacle was allowed: \(obstacle.problem)") }
        }
        for leftover in vacuum.leftovers {
            guard let reason = leftover.reason else { continue }
            add(.reason, "\(leftover.path) stays, because \(reason)")
        }
    }

    private mutating func ignored(_ client: VacuumClient) {
        let missed = client.missed
        if missed.notSynchronised > 0 {
            add(
                .warning,
                "client \(client.identifier) is ignored and may lack \(missed.notSynchronised) of the removed "
                    + "sets; if it comes back, it must load a whole store again")
        }
        if missed.notInStore > 0 {
            add(
                .warning,
                "clients that start from the whole store of \(client.identifier) will lack "
                    + "\(counted(missed.notInStore, "change set")) for ever")
        }
    }

    private mutating func add(_ kind: PlanNote.Kind, _ text: String) {
        notes.append(PlanNote(kind: kind, text: "Document \(name): \(text)"))
    }
}
