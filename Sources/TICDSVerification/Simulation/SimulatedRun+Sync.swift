import CoreDataStore
import SystemCalls
import TICDSCore

extension SimulatedRun {
    /// Applies what was fetched (ticoredatasync.md, 5.1 and 5.2).
    mutating func sync() -> Bool {
        let sets = simulation.changeSets
        guard !sets.isEmpty else {
            return add(
                SimulationStep(
                    .sync, "Apply the change sets", .done, section: "5.1-1",
                    "There is none to apply; no transaction is opened."))
        }
        let crash = sets.firstIndex { $0.fate == .crashes }
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
        if let crash { return add(crashStep(sets[crash], before: crash)) }
        let isJudged = reached.allSatisfy { $0.fate != .unknown }
        return add(
            SimulationStep(
                .sync, "Apply the change sets", isJudged ? .done : .unknown, section: "5.1-2",
                """
                \(counted(sets.count - swallowed.count, "change set")) in the order of \
                modification times, then of identifiers. What they change depends on the \
                client's own document.
                """
            ))
    }

    private func swallowStep(_ sets: [SimulatedChangeSet]) -> SimulationStep {
        // Which damage makes which error is known of short files only (core-data-binary-store.md, 1).
        let isSure = sets.allSatisfy { $0.size < Int64(BinaryStoreHeader.size) }
        let doubt = isSure ? "" : " Should Core Data give another error, the application crashes instead."
        return SimulationStep(
            .sync, "Open the change sets", .silentLoss, section: "7.3-1", paths: sets.map(\.path),
            """
            Change sets that open as empty, or that an empty store takes the place of (Core Data \
            error 259): \(sets.count). They count as applied from then on, and what was in them \
            is lost to this client.\(doubt)
            """
        )
    }

    private func crashStep(_ set: SimulatedChangeSet, before: Int) -> SimulationStep {
        SimulationStep(
            .sync, "Open the change sets", .wouldCrash, section: "7.3-1", paths: [set.path],
            """
            \(set.identifier) cannot be opened, and not with the error that the framework makes \
            good: the application crashes at this and every later synchronisation. What comes \
            before it (\(counted(before, "change set"))) is not saved.
            """
        )
    }
}
