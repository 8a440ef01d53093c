import SystemCalls
import TICDSCommandLine
import TICDSVerification
import TICDSCore

/// A simulated synchronisation as people read it.
struct SimulationView {
    let names: FindingNames
    let colour: Colour

    func show(_ simulation: Simulation, to text: inout OutputBuffer) {
        let who = simulation.client.map(names.client) ?? "a new client"
        let standing = simulation.isUnseen ? "" : " (\(simulation.standing.text)\(simulation.startText))"
        let document =
            simulation.document.bytes.isEmpty
            ? "Any document (the remote has none)" : "Document \(names.document(simulation.document))"
        let title = "\(document), as \(who)\(standing)"
        text.line(colour.paint(title, .bold))
        text.line("")
        for step in simulation.steps { show(step, to: &text) }
        if !simulation.changeSets.isEmpty { showChangeSets(simulation, to: &text) }
        text.line("")
        text.line(result(simulation))
        guard !simulation.nextStart.isEmpty else { return }
        text.line("")
        text.line("When its application next starts:")
        for step in simulation.nextStart { show(step, to: &text) }
    }

    /// What the simulation of all documents does not cover.
    func showLimits(_ deleted: [RemoteName], to text: inout OutputBuffer) {
        text.line("")
        let names = deleted.prefix(20).map { "\($0)" }.joined(separator: ", ")
        let more = deleted.count > 20 ? " and \(deleted.count - 20) more" : ""
        let tombstones = deleted.isEmpty ? "" : " Deleted documents: \(names)\(more)."
        for line in Paragraph.lines(
            "A document whose folder is gone leaves no trace: name it with --document.\(tombstones)",
            width: 96)
        {
            text.line(line)
        }
    }

    private func show(_ step: SimulationStep, to text: inout OutputBuffer) {
        let error = step.error.map { " with error \($0.code) (\($0.name))" } ?? ""
        let meaning: Colour.Meaning =
            switch step.outcome {
            case .done: .good
            case .fails, .wouldCrash, .silentLoss: .bad
            case .skipped: .faint
            case .unknown: .doubtful
            }
        text.line("  \(colour.paint(step.outcome.text, meaning))\(error): \(step.name)")
        for line in Paragraph.lines("\(step.sentence) [\(step.section)]", width: 96) {
            text.line("      " + line)
        }
        for path in step.paths where step.outcome != .done { text.line("      \(path)") }
    }

    private func showChangeSets(_ simulation: Simulation, to text: inout OutputBuffer) {
        text.line("")
        text.line("Change sets, in the order of application:")
        var table = TextTable(
            ["TIME", "AUTHOR", "CHANGE SET", "SIZE", "FATE"], [.time, .text, .beginning, .number],
            leavesOut: ["SIZE", "TIME", "CHANGE SET"])
        for set in simulation.changeSets {
            let doubt = set.isCertain ? "" : ", unless it was applied already"
            table.add([
                set.modified.localSeconds, names.client(set.author), set.identifier.description,
                Quantities.size(set.size), set.fate.text + doubt,
            ])
        }
        table.show(to: &text, colour: colour, indent: 2)
    }

    private func result(_ simulation: Simulation) -> String {
        let sets = Quantities.count(simulation.changeSets.count, "change set")
        switch simulation.stop?.outcome {
        case .wouldCrash: return "The application crashes; it would fetch \(sets)."
        case .some where simulation.stop?.error == .cancelled:
            return "The registration does not end: the client asks for the password again and again."
        case .some where simulation.stop?.stage == .applicationRegistration:
            return "The registration fails: the client receives and sends nothing."
        case .some where simulation.stop?.stage == .download:
            return
                "The client cannot begin: the download, or the application's first look at the store, fails."
        case .some: return "The synchronisation fails: the client receives and sends nothing."
        case nil: break
        }
        switch simulation.outcome {
        case .silentLoss: return "The synchronisation succeeds with \(sets), and loses data."
        case .unknown where simulation.isUnseen:
            return "Nobody knows whether the synchronisation succeeds."
        case .unknown:
            return "The remote does not show whether the synchronisation succeeds; it would fetch \(sets)."
        default: return "The synchronisation succeeds with \(sets)."
        }
    }
}

extension Simulation {
    /// For a client that has registered before: whether its application is running.
    fileprivate var startText: String {
        guard standing != .newcomer, nextStart.isEmpty else { return "" }
        return start == .running ? "; its application is running" : "; its application is started again"
    }
}

extension Simulation.Standing {
    fileprivate var text: String {
        switch self {
        case .member: "registered"
        case .removed: "removed from the document"
        case .orphaned: "its folder is gone, without a tombstone"
        case .newcomer: "not registered with the document"
        }
    }
}

extension SimulationStep.Outcome {
    fileprivate var text: String {
        switch self {
        case .done: "done"
        case .fails: "FAILS"
        case .wouldCrash: "CRASHES"
        case .silentLoss: "LOSES DATA"
        case .skipped: "skipped"
        case .unknown: "unknown"
        }
    }
}

extension SimulatedChangeSet.Fate {
    fileprivate var text: String {
        switch self {
        case .applied: "applied"
        case .swallowedAsEmpty: "taken for empty"
        case .crashes: "crashes the application: unreadable"
        case .mayCrash: "may crash: no sync ID, or unknown to the application"
        case .raises: "a change that the application cannot apply"
        case .notCompared: "unknown: no model"
        case .cannotBeFetched: "blocks: cannot be fetched"
        case .unknown: "not checked"
        }
    }
}
