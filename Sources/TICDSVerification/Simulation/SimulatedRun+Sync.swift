import CoreDataStore
import SystemCalls
import TICDSCore

extension SimulatedRun {
    /// Applies what was fetched (ticds-protocol(7), 5.1 and 5.2).
    mutating func sync() -> Bool {
        let sets = simulation.changeSets
        guard !sets.isEmpty else {
            return add(
                SimulationStep(
                    .sync, "Apply the change sets", .done, section: "5.1-1",
                    "There is none to apply, and the client opens no transaction."))
        }
        let crash = sets.firstIndex { $0.fate == .crashes || ($0.fate == .raises && !survives($0)) }
        let reached = sets[..<(crash ?? sets.endIndex)]
        let swallowed = reached.filter { $0.fate == .swallowedAsEmpty }
        if !swallowed.isEmpty { _ = add(swallowStep(swallowed)) }
        let doubtful = reached.filter { $0.fate == .mayCrash }
        if !doubtful.isEmpty {
            _ = add(
                SimulationStep(
                    .sync, "Check for conflicts", .unknown, section: "5.3", paths: doubtful.map(\.path),
                    """
                    Change sets with a change that has no sync ID: \(doubtful.count). That may \
                    crash the application at this and every later synchronisation.
                    """
                ))
        }
        let dropped = reached.filter { $0.fate == .raises }
        if let first = dropped.first { _ = add(droppedStep(first, dropped)) }
        if let crash {
            let set = sets[crash]
            return add(set.fate == .raises ? raiseStep(set, before: crash) : crashStep(set, before: crash))
        }
        return add(applyStep(reached, swallowed.count))
    }

    private func applyStep(
        _ sets: ArraySlice<SimulatedChangeSet>, _ swallowed: Int
    ) -> SimulationStep {
        let open = sets.filter { $0.fate == .notCompared }
        let isChecked = open.isEmpty && sets.allSatisfy { $0.fate != .unknown }
        var text = """
            The client applies \(counted(sets.count - swallowed, "change set")) in the order of \
            modification times, then of identifiers. The result depends on the client's own document.
            """
        if let reason = open.first?.reason {
            text += """
                 For \(open.count) of them, the remote does not show whether the application can apply \
                the changes (\(reason)): an entity or property that it does not know crashes it. Give \
                its model with --model.
                """
        }
        return SimulationStep(
            .sync, "Apply the change sets", isChecked ? .done : .unknown, section: "5.1-2",
            paths: open.map(\.path), text)
    }

    /// Whether the application survives the exception: only the iCloud branch catches one that setting an attribute
    /// raises.
    private func survives(_ set: SimulatedChangeSet) -> Bool { variant == .iCloud && set.isOfAttribute }

    private func droppedStep(_ first: SimulatedChangeSet, _ sets: [SimulatedChangeSet]) -> SimulationStep {
        SimulationStep(
            .sync, "Apply the change sets", .silentLoss, section: "5.2", paths: sets.map(\.path),
            """
            \(place(of: first)). The client leaves such edits out with warning 8, and counts their \
            sets as applied: \(counted(sets.count, "change set")).
            """)
    }

    private func raiseStep(_ set: SimulatedChangeSet, before: Int) -> SimulationStep {
        let end =
            variant == .iCloud
            ? "the set counts as failed, and this and every later synchronisation fails."
            : "the application crashes at this and every later synchronisation."
        let condition = set.isOfAttribute ? "if the client has the object, " : ""
        return SimulationStep(
            .sync, "Apply the change sets", variant == .iCloud ? .fails : .wouldCrash, section: "7.3-7",
            paths: [set.path],
            """
            \(place(of: set)). Core Data raises an exception: \(condition)\(end) The sets before it \
            (\(counted(before, "change set"))) are not saved.
            """)
    }

    private func place(of set: SimulatedChangeSet) -> String {
        "In \(set.identifier), \(set.reason ?? "a change cannot be applied")"
    }

    private func swallowStep(_ sets: [SimulatedChangeSet]) -> SimulationStep {
        // Core Data's error is known for short files only (core-data-binary-store(5), 1).
        let isSure = sets.allSatisfy { $0.size < Int64(BinaryStoreHeader.size) }
        let doubt = isSure ? "" : " If Core Data gives another error, the application crashes instead."
        return SimulationStep(
            .sync, "Open the change sets", .silentLoss, section: "7.3-1", paths: sets.map(\.path),
            """
            Change sets that open as empty, or that the framework replaces by an empty store (Core \
            Data error 259): \(sets.count). They count as applied from then on, and this client has \
            lost their contents.\(doubt)
            """
        )
    }

    private func crashStep(_ set: SimulatedChangeSet, before: Int) -> SimulationStep {
        let reason =
            set.reason.map { "\(set.identifier) looks encrypted. \($0)." }
                ?? """
                \(set.identifier) cannot be opened, and the error is not the one that the framework \
                handles: the application crashes at this and every later synchronisation.
                """
        return SimulationStep(
            .sync, "Open the change sets", .wouldCrash, section: "7.3-1", paths: [set.path],
            "\(reason) The sets before it (\(counted(before, "change set"))) are not saved.")
    }
}
