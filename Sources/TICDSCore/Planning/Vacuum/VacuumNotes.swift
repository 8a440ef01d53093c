import SystemCalls

/// What a person should read about a vacuum of one document before saying yes.
struct VacuumNotes {
    private(set) var notes: [PlanNote] = []
    private let name: String

    init(_ vacuum: DocumentVacuum) {
        name = vacuum.document.description
        let removable = vacuum.removable
        if removable.count > 0 {
            let sets = "\(counted(removable.count, "change set")) of \(removable.bytes) bytes"
            let stay = counted(vacuum.kept.count, "change set")
            add(.reason, "\(sets) can go and \(stay) stay")
        }
        for client in vacuum.clients where client.isIgnored { ignored(client) }
        if vacuum.unseen.count > 0 {
            add(
                .warning,
                "\(counted(vacuum.unseen.count, "change set")) would go that a client has not fetched, since it "
                    + "synchronised last before they were uploaded; only the framework's rule takes these")
        }
        if removable.count > 0 {
            for obstacle in vacuum.allowed { add(.warning, "allowed though \(obstacle.problem)") }
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
                "client \(client.identifier) is ignored and may lack \(missed.notSynchronised) of the sets that "
                    + "go; if it comes back it must load a whole store anew")
        }
        if missed.notInStore > 0 {
            add(
                .warning,
                "whoever starts from the whole store of \(client.identifier) will lack "
                    + "\(counted(missed.notInStore, "change set")) for ever")
        }
    }

    private mutating func add(_ kind: PlanNote.Kind, _ text: String) {
        notes.append(PlanNote(kind: kind, text: "Document \(name): \(text)"))
    }
}
