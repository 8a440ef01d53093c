import SystemCalls
import TICDSCore

extension SimulatedRun {
    /// Sends the client's own edits (ticds-protocol(7), 4.8.3).
    mutating func postSync() -> Bool { upload() && leaveRecentSync() }

    private mutating func upload() -> Bool {
        let folder = simulation.client.map { listing.folder(RemoteLayout.syncChanges).appending($0) }
        let entry = folder.flatMap { context.snapshot.tree[$0] }
        let isFile = entry.map { $0.kind != .folder } ?? false
        func step(_ outcome: SimulationStep.Outcome, _ error: FrameworkError?, _ text: String)
            -> SimulationStep
        {
            SimulationStep(
                .postSync, "Send its own edits", outcome, error, section: "4.8.3-3",
                paths: folder.map { [$0] } ?? [], text)
        }
        if isFile {
            let text =
                """
                A file lies where its folder of change sets belongs: a run without local edits \
                succeeds, a run with edits fails.
                """
            return add(step(.unknown, variant.errorOfMissingFile, text))
        }
        guard !hasOwnFolder else {
            return add(step(.done, nil, "If there are any, they become one more change set in its folder."))
        }
        switch variant {
        case .fileManager:
            return add(
                step(
                    .unknown, .fileManager,
                    """
                    Its folder of change sets is missing, and the client does not make it again: \
                    a run without local edits succeeds, a run with edits fails, now and later.
                    """
                ))
        case .dropbox, .iCloud:
            hasOwnFolder = true
            return add(
                step(.done, nil, "Its folder of change sets is missing; the upload makes it again."))
        }
    }

    private mutating func leaveRecentSync() -> Bool {
        let folder = listing.folder(RemoteLayout.recentSyncs)
        let isThere = variant == .dropbox || context.snapshot.tree[folder]?.kind == .folder
        return add(
            SimulationStep(
                .postSync, "Write its recent sync", isThere ? .done : .skipped, section: "4.8.3-5",
                paths: [folder],
                isThere
                    ? "The time of the file shows the vacuum of the others how far this client is."
                    : """
                    The folder RecentSyncs is missing; the client ignores the failure, and \
                    nothing protects it from the vacuum of the others.
                    """
            ))
    }

    /// Removes the client's own old sets when the application requests it (ticds-protocol(7), 4.9).
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
            SimulationStep(
                .vacuum, "Remove its own old change sets", .done, section: "4.9",
                """
                \(counted(count, "change set")) of its own from before the oldest whole store and the \
                oldest recent sync; the client removes such sets when the application asks for it.
                """
            ))
    }

    private mutating func canListSyncs() -> Bool {
        let folder = listing.folder(RemoteLayout.recentSyncs)
        guard variant != .dropbox, context.snapshot.tree.folders[folder] == nil else { return true }
        return add(
            SimulationStep(
                .vacuum, "Find the oldest recent sync", .fails, .fileManager, section: "4.9-2",
                paths: [folder],
                "The folder RecentSyncs is missing."))
    }

    private mutating func canListOwnSets() -> Bool {
        guard let client = simulation.client, variant != .dropbox, listing.ownEntries(of: client) == nil,
            simulation.start == .running || simulation.standing == .orphaned
        else { return true }
        return add(
            SimulationStep(
                .vacuum, "Remove its own old change sets", .fails, .fileManager, section: "4.9-4",
                paths: [listing.folder(RemoteLayout.syncChanges).appending(client)],
                "Its folder of change sets is missing."))
    }

    /// The time of the oldest whole store, the present if there is none; nil if the vacuum fails.
    private mutating func oldestStore() -> FileTime? {
        let parent = listing.folder(RemoteLayout.wholeStore)
        func fail(_ error: FrameworkError?, _ paths: [RemotePath], _ text: String) -> FileTime? {
            _ = add(
                SimulationStep(
                    .vacuum, "Find the oldest whole store", .fails, error, section: "4.9-1", paths: paths,
                    text)
            )
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

    /// The time of the oldest recent sync, the present if there is none.
    private func oldestSync(ownIsNew: Bool) -> FileTime {
        let own = simulation.client?.appending(suffix: RemoteLayout.recentSyncSuffix)
        let others = listing.recentSyncs.filter { $0.name != own || !ownIsNew }.map(variantTime)
        return (ownIsNew ? others + [context.now] : others).min() ?? context.now
    }
}
