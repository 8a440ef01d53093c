import Base
import SystemCalls
import TICDSCommandLine
import TICDSVerification
import TICDSCore

/// A simulated synchronisation in the form for people.
struct SimulationView {
    let names: FindingNames
    let colour: Colour
    let style: TextStyle
    /// Whether to explain each completed step, and to list each change set.
    let isWhole: Bool
    /// The findings about a file or folder.
    let findings: (_ path: RemotePath) -> [Finding]
    /// The time at which a client last synchronised with a document, if a file shows it.
    let lastSync: (_ client: RemoteName, _ document: RemoteName) -> FileTime?

    /// The columns of sentences, where the terminal is wider or there is none.
    private static let most = 100

    /// The verdict of each simulation, and then its details.
    func show(_ simulations: [Simulation], to text: inout OutputBuffer) {
        for simulation in simulations {
            let who = simulation.client.map(names.client) ?? "a new client"
            let standing = simulation.isUnseen ? "" : " (\(simulation.standing.text)\(simulation.startText))"
            text.line(colour.paint("\(title(simulation)), as \(who)\(standing)", .bold))
            let outcome = simulation.stop?.outcome ?? simulation.outcome
            text.line("  \(colour.paint(result(simulation), meaning(outcome)))")
            if let client = simulation.client, let time = lastSync(client, simulation.document) {
                text.line("  It last synchronised on \(style.minuteWithAge(time)).")
            }
            if simulation.client != nil, outcome == .done, !simulation.mayLackEdits {
                text.line(
                    "  If it does not synchronise, look at the device: its app, its network, its account of the sync service."
                )
            }
            showLateRepairs(simulation, to: &text)
        }
        for simulation in simulations {
            text.line("")
            text.line(colour.paint(title(simulation), .bold))
            show(simulation.steps, to: &text)
            if !simulation.changeSets.isEmpty { showChangeSets(simulation, to: &text) }
            guard !simulation.nextStart.isEmpty else { continue }
            text.line("")
            text.line("When its application next starts:")
            show(simulation.nextStart, to: &text)
        }
        if !isWhole {
            text.line()
            text.line("With --verbose: each step explained, and each change set.")
        }
    }

    private func showLateRepairs(_ simulation: Simulation, to text: inout OutputBuffer) {
        let late = simulation.repairedLate
        show(
            late,
            "\(counted(late.count, "change set")) of others \(late.count == 1 ? "was" : "were") repaired or removed after "
                + "that. The client has probably read \(late.count == 1 ? "it" : "them") damaged or not at all, and reads no "
                + "set again, so that it lacks these edits:", to: &text)
        let other = simulation.perhapsLacking
        let isOne = other.count == 1
        show(
            other,
            "\(counted(other.count, "change set")) of others \(isOne ? "was" : "were") repaired or removed, and the client "
                + "may have read \(isOne ? "it" : "them") damaged or not at all. Unless it has loaded a whole store since, it "
                + "then lacks these edits:", to: &text)
    }

    private func show(_ paths: [RemotePath], _ sentence: String, to text: inout OutputBuffer) {
        guard !paths.isEmpty else { return }
        text.line("  \(colour.paint(sentence, .bad))", hanging: 0, most: Self.most)
        let shown = isWhole ? paths.count : min(paths.count, 3)
        for path in paths.prefix(shown) { text.line("      \(path)") }
        if paths.count > shown { text.line("      and \(paths.count - shown) more") }
    }

    private func title(_ simulation: Simulation) -> String {
        simulation.document.bytes.isEmpty
            ? "Any document (the remote has none)" : "Document \(names.document(simulation.document))"
    }

    /// Appends the limits of the simulation of all documents.
    func showLimits(_ deleted: [RemoteName], to text: inout OutputBuffer) {
        text.line("")
        let tombstones =
            deleted.isEmpty ? "" : " Deleted documents: \(deleted.map(\.description).listed(20))."
        text.line(
            "A document whose folder is gone leaves no trace: name it with --document.\(tombstones)",
            hanging: 0, most: Self.most)
    }

    /// Appends each step that differs from "done", and the names of consecutive other steps in one paragraph.
    private func show(_ steps: [SimulationStep], to text: inout OutputBuffer) {
        var done: [String] = []
        func flush(to text: inout OutputBuffer) {
            if done.isEmpty { return }
            let word = colour.paint(SimulationStep.Outcome.done.text, .good)
            text.line("  \(word): \(done.joined(separator: "; "))", hanging: 4, most: Self.most)
            done = []
        }
        for step in steps {
            if step.outcome == .done, !isWhole {
                done.append(step.name)
            } else {
                flush(to: &text)
                show(step, to: &text)
            }
        }
        flush(to: &text)
    }

    private func meaning(_ outcome: SimulationStep.Outcome) -> Colour.Meaning {
        switch outcome {
        case .done: .good
        case .fails, .wouldCrash, .silentLoss: .bad
        case .skipped: .faint
        case .unknown: .doubtful
        }
    }

    private func show(_ step: SimulationStep, to text: inout OutputBuffer) {
        let error = step.error.map { " with error \($0.code) (\($0.name))" } ?? ""
        text.line("  \(colour.paint(step.outcome.text, meaning(step.outcome)))\(error): \(step.name)")
        text.line("      \(step.sentence) [\(step.section)]", hanging: 0, most: Self.most)
        guard step.outcome != .done else { return }
        let shown = isWhole ? step.paths.count : min(step.paths.count, 3)
        for path in step.paths.prefix(shown) {
            var codes: [String] = []
            if [.fails, .wouldCrash, .silentLoss].contains(step.outcome) {
                for finding in findings(path)
                where finding.kind.severity != .note && !codes.contains(finding.kind.code) {
                    codes.append(finding.kind.code)
                }
            }
            text.line("      \(path)\(codes.isEmpty ? "" : " (\(codes.joined(separator: ", ")))")")
        }
        if step.paths.count > shown { text.line("      and \(step.paths.count - shown) more") }
    }

    private func showChangeSets(_ simulation: Simulation, to text: inout OutputBuffer) {
        text.line("")
        text.line("Change sets, in the order of application:")
        var table = TextTable(
            ["TIME", "AUTHOR", "CHANGE SET", "SIZE", "FATE"], [.time, .text, .beginning, .number, .whole],
            leavesOut: ["SIZE", "TIME", "CHANGE SET"])
        for run in isWhole ? simulation.changeSets.map({ [$0] }) : Self.runs(simulation.changeSets) {
            guard let set = run.first, let last = run.last else { continue }
            let authors = run.map(\.author).reduce(into: [RemoteName]()) {
                if !$0.contains($1) { $0.append($1) }
            }
            table.add([
                style.second(set.modified), authors.map(names.client).joined(separator: ", "),
                run.count == 1
                    ? set.identifier.description
                    : "\(run.count) change sets, until \(style.second(last.modified))",
                style.size(run.reduce(Int64(0)) { $0 +| $1.size }), Self.fate(of: set),
            ])
        }
        table.show(to: &text, colour: colour, indent: 2)
    }

    /// Groups of consecutive change sets with the same fate; three or fewer stay separate.
    private static func runs(_ sets: [SimulatedChangeSet]) -> [[SimulatedChangeSet]] {
        var runs: [[SimulatedChangeSet]] = []
        for set in sets {
            if let last = runs.last?.last, fate(of: last) == fate(of: set) {
                runs[runs.count - 1].append(set)
            } else {
                runs.append([set])
            }
        }
        return runs.flatMap { run in run.count > 3 ? [run] : run.map { [$0] } }
    }

    private static func fate(of set: SimulatedChangeSet) -> String {
        set.fate.text + (set.isCertain ? "" : ", unless it was applied already")
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
            return "It is unknown whether the synchronisation succeeds."
        case .unknown where simulation.changeSets.contains { $0.fate == .notCompared }:
            return
                "Without the model of its application (--model) nothing shows whether the synchronisation succeeds; "
                + "it would fetch \(sets)."
        case .unknown:
            return "The remote does not show whether the synchronisation succeeds; it would fetch \(sets)."
        default:
            let lacks = simulation.repairedLate.isEmpty ? "may lack" : "lacks"
            return
                "The synchronisation succeeds with \(sets): nothing in the remote stops this client"
                + (simulation.mayLackEdits ? ", but it \(lacks) edits." : ".")
        }
    }
}

extension Simulation {
    /// For a client that has registered before, the text on whether its app is running.
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
