import Base
import CoreDataStore
import SystemCalls
import TICDSCore

extension SimulatedRun {
    /// Applies the fetched sets (ticds-protocol(7), 2.1 and 2.2).
    mutating func sync() -> Bool {
        let sets = simulation.changeSets
        guard !sets.isEmpty else {
            return add(
                .sync, "Apply the change sets", .done, section: "2.1-1",
                "There is none to apply, and the client opens no transaction.")
        }
        let crash = sets.firstIndex { $0.fate == .crashes || ($0.fate == .raises && !survives($0)) }
        let reached = sets[..<(crash ?? sets.endIndex)]
        let swallowed = reached.filter { $0.fate == .swallowedAsEmpty && !$0.mayBeStray }
        if !swallowed.isEmpty { _ = add(swallowStep(swallowed)) }
        let short = reached.filter(\.mayBeStray)
        if !short.isEmpty { _ = add(shortStep(short)) }
        let doubtful = reached.filter { $0.fate == .mayCrash && $0.onICloud == nil }
        if !doubtful.isEmpty {
            _ = add(
                .sync, "Check for conflicts", .unknown, section: "2.3", paths: doubtful.map(\.path),
                """
                Change sets with a change that has no sync ID: \(doubtful.count). That may \
                crash the application at this and every later synchronisation.
                """)
        }
        let dropped = reached.filter { $0.fate == .raises }
        if let first = dropped.first { _ = add(droppedStep(first, dropped)) }
        let conditional = reached.filter { $0.fate == .mayCrash && $0.onICloud != nil }
        if let first = conditional.first { _ = add(conditionalStep(first, conditional)) }
        if let crash {
            let set = sets[crash]
            return add(set.fate == .raises ? raiseStep(set, before: crash) : crashStep(set, before: crash))
        }
        return add(applyStep(reached, swallowed.count + short.count))
    }

    private func applyStep(_ sets: ArraySlice<SimulatedChangeSet>, _ swallowed: Int) -> SimulationStep {
        let open = sets.filter { $0.fate == .notCompared }
        let isChecked = open.isEmpty && sets.allSatisfy { $0.fate != .unknown }
        var text = """
            The client applies \(counted(sets.count - swallowed, "change set")) in the order of \
            modification times, then of identifiers. The result depends on the client's own document.
            """
        if let reason = open.first?.reason {
            text += """
                 For \(open.count) of them, the remote does not show whether the application can apply the changes \
                (\(reason)): an entity or property that it does not know crashes it. Give its model with --model.
                """
        }
        return SimulationStep(
            .sync, "Apply the change sets", isChecked ? .done : .unknown, section: "2.1-2",
            paths: open.map(\.path), text)
    }

    /// Whether the client survives a set. Only the iCloud branch catches an exception: the one that a change of an
    /// attribute raises.
    private func survives(_ set: SimulatedChangeSet) -> Bool {
        variant == .iCloud && (set.onICloud == .skipsEdit || set.onICloud == .skipsNothing)
    }

    private func droppedStep(_ first: SimulatedChangeSet, _ sets: [SimulatedChangeSet]) -> SimulationStep {
        let mayLose = sets.contains { $0.onICloud == .skipsEdit }
        let later =
            mayLose
            ? " A later version of the application that knows the attribute does not get the edits again."
            : ""
        return SimulationStep(
            .sync, "Apply the change sets", mayLose ? .unknown : .done, section: "2.2",
            paths: sets.map(\.path),
            """
            \(place(of: first)). The client leaves such edits out with warning 8, and counts their \
            sets as applied: \(counted(sets.count, "change set")).\(later)
            """)
    }

    private func conditionalStep(
        _ first: SimulatedChangeSet, _ sets: [SimulatedChangeSet]
    ) -> SimulationStep {
        let end = failsSet(first) ? "this and every later synchronisation fails" : "the application crashes"
        return SimulationStep(
            .sync, "Apply the change sets", .unknown, section: "4.3-7", paths: sets.map(\.path),
            """
            \(place(of: first)). If the client has the object, Core Data raises an exception and \(end); \
            without it the client only gives a warning. The remote does not show which: \
            \(counted(sets.count, "change set")).
            """)
    }

    private func failsSet(_ set: SimulatedChangeSet) -> Bool {
        variant == .iCloud && set.onICloud == .failsSet
    }

    private func raiseStep(_ set: SimulatedChangeSet, before: Int) -> SimulationStep {
        let end =
            failsSet(set)
            ? "the set counts as failed, and this and every later synchronisation fails."
            : "the application crashes at this and every later synchronisation."
        return SimulationStep(
            .sync, "Apply the change sets", failsSet(set) ? .fails : .wouldCrash, section: "4.3-7",
            paths: [set.path],
            """
            \(place(of: set)). Core Data raises an exception: \(end) The sets before it \
            (\(counted(before, "change set"))) are not saved.
            """)
    }

    private func shortStep(_ sets: [SimulatedChangeSet]) -> SimulationStep {
        SimulationStep(
            .sync, "Open the change sets", .unknown, section: "4.3-1", paths: sets.map(\.path),
            """
            Files that are too short for a change set: \(sets.count). They count as applied, without changes. If \
            they once had contents, this client loses them; no register names the files, so the remote does not show it.
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
            .sync, "Open the change sets", .silentLoss, section: "4.3-1", paths: sets.map(\.path),
            """
            Change sets that open as empty, or that the framework replaces by an empty store (Core Data error 259): \
            \(sets.count). They count as applied from then on, and this client has lost their contents.\(doubt)
            """)
    }

    private func crashStep(_ set: SimulatedChangeSet, before: Int) -> SimulationStep {
        let reason =
            set.reason.map { "\(set.identifier) looks encrypted. \($0)." } ?? """
                \(set.identifier) cannot be opened, and the error is not the one that the framework \
                handles: the application crashes at this and every later synchronisation.
                """
        return SimulationStep(
            .sync, "Open the change sets", .wouldCrash, section: "4.3-1", paths: [set.path],
            "\(reason) The sets before it (\(counted(before, "change set"))) are not saved.")
    }

    /// Sends the client's own edits (ticds-protocol(7), 1.8.3).
    mutating func postSync() -> Bool { upload() && leaveRecentSync() }

    private mutating func upload() -> Bool {
        let folder = simulation.client.map { listing.folder(RemoteLayout.syncChanges).appending($0) }
        let entry = folder.flatMap { listing[$0] }
        let isFile = entry.map { $0.kind != .folder } ?? false
        func step(_ outcome: SimulationStep.Outcome, _ error: FrameworkError?, _ text: String) -> Bool {
            add(
                .postSync, "Send its own edits", outcome, error, section: "1.8.3-3",
                paths: folder.map { [$0] } ?? [], text)
        }
        if isFile {
            let text = """
                A file lies where its folder of change sets belongs: a run without local edits \
                succeeds, a run with edits fails.
                """
            return step(.unknown, variant.errorOfMissingFile, text)
        }
        guard !hasOwnFolder else {
            return step(.done, nil, "If there are any, they become one more change set in its folder.")
        }
        switch variant {
        case .fileManager:
            return step(
                .unknown, .fileManager,
                """
                Its folder of change sets is missing, and the client does not make it again: \
                a run without local edits succeeds, a run with edits fails, now and later.
                """)
        case .dropbox, .iCloud:
            hasOwnFolder = true
            return step(.done, nil, "Its folder of change sets is missing; the upload makes it again.")
        }
    }

    private mutating func leaveRecentSync() -> Bool {
        let folder = listing.folder(RemoteLayout.recentSyncs)
        let isThere = variant == .dropbox || listing[folder]?.kind == .folder
        return add(
            .postSync, "Write its recent sync", isThere ? .done : .skipped, section: "1.8.3-5",
            paths: [folder],
            isThere
                ? "The time of the file shows the vacuum of the others how far this client is."
                : """
                The folder RecentSyncs is missing; the client ignores the failure, and \
                nothing protects it from the vacuum of the others.
                """)
    }

    /// Removes the client's own old sets when the app requests it (ticds-protocol(7), 1.9).
    mutating func vacuum(hasSynchronised: Bool) {
        guard let stores = oldestStore(), canListSyncs(), canListOwnSets() else { return }
        let limit = min(stores, oldestSync(ownIsNew: hasSynchronised))
        simulation.vacuumLimit = limit
        for entry in simulation.client.flatMap({ listing.ownEntries(of: $0) }) ?? [] {
            let time = variantTime(entry)
            guard time < limit || (variant == .dropbox && time == limit) else { continue }
            simulation.vacuumed.add(entry.kind == .folder ? 0 : entry.size)
        }
        let count = simulation.vacuumed.count
        _ = add(
            .vacuum, "Remove its own old change sets", .done, section: "1.9",
            """
            \(counted(count, "change set")) of its own from before the oldest whole store and the \
            oldest recent sync; the client removes such sets when the application asks for it.
            """)
    }

    private mutating func canListSyncs() -> Bool {
        let folder = listing.folder(RemoteLayout.recentSyncs)
        guard variant != .dropbox, listing.entries(folder) == nil else { return true }
        return add(
            .vacuum, "Find the oldest recent sync", .fails, .fileManager, section: "1.9-2",
            paths: [folder], "The folder RecentSyncs is missing.")
    }

    private mutating func canListOwnSets() -> Bool {
        guard let client = simulation.client, variant != .dropbox, listing.ownEntries(of: client) == nil,
            simulation.start == .running || simulation.standing == .orphaned
        else { return true }
        return add(
            .vacuum, "Remove its own old change sets", .fails, .fileManager, section: "1.9-4",
            paths: [listing.folder(RemoteLayout.syncChanges).appending(client)],
            "Its folder of change sets is missing.")
    }

    /// The time of the oldest whole store, or the present time if there is none; nil if the vacuum fails.
    private mutating func oldestStore() -> FileTime? {
        let parent = listing.folder(RemoteLayout.wholeStore)
        func fail(_ error: FrameworkError?, _ paths: [RemotePath], _ text: String) -> FileTime? {
            _ = add(
                .vacuum, "Find the oldest whole store", .fails, error, section: "1.9-1", paths: paths, text)
            return nil
        }
        guard let folders = listing.storeFolders else {
            return fail(variant.errorOfMissingFile, [parent], "The folder of whole stores is missing.")
        }
        let stores = folders.map { (parent.appending($0.name), listing.store(of: $0.name)) }
        let empty = stores.filter { $0.1 == nil }.map(\.0)
        if variant == .dropbox, !empty.isEmpty {
            return fail(
                nil, empty,
                "The client waits without end for the store in this folder, and with it all later tasks wait."
            )
        }
        let times = stores.compactMap { $0.1.map { variantTime($0.entry) } }
        if times.isEmpty, !empty.isEmpty {
            return fail(.fileManager, empty, "None of the folders contains a whole store.")
        }
        return times.min() ?? context.now
    }

    private func oldestSync(ownIsNew: Bool) -> FileTime {
        let own = simulation.client?.appending(suffix: RemoteLayout.recentSyncSuffix)
        let others = listing.recentSyncs.filter { $0.name != own || !ownIsNew }.map(variantTime)
        return (ownIsNew ? others + [context.now] : others).min() ?? context.now
    }
}
