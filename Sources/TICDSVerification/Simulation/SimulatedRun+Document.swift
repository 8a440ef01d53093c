import SystemCalls
import TICDSCore

extension SimulatedRun {
    /// Registration with the document (ticds-protocol(7), 4.2).
    mutating func registerDocument() -> Bool {
        guard context.snapshot.tree[listing.document] != nil else { return askForDocument() }
        if simulation.standing == .removed, !takeBackRemoval() { return false }
        return adoptKey() && makeFolders()
    }

    private mutating func askForDocument() -> Bool {
        let tombstone: RemotePath = [
            RemoteLayout.information, RemoteLayout.deletedDocuments,
            simulation.document.appending(suffix: RemoteLayout.propertyListSuffix),
        ]
        let wasDeleted = context.snapshot.tree[tombstone] != nil
        _ = add(
            SimulationStep(
                .documentRegistration, "Look for the document", .unknown, section: "4.2-A",
                paths: wasDeleted ? [tombstone] : [],
                wasDeleted
                    ? """
                    The document was deleted: the client wipes its helper files, then asks the \
                    application whether to create the document anew, and the run ends here.
                    """
                    : """
                    The document does not exist: the client asks the application whether to \
                    create it, and the run ends here.
                    """
            ))
        return false
    }

    private mutating func takeBackRemoval() -> Bool {
        let tombstone = simulation.client.map {
            listing.folder(RemoteLayout.deletedClients).appending(
                $0.appending(suffix: RemoteLayout.propertyListSuffix))
        }
        return add(
            SimulationStep(
                .documentRegistration, "Find that it was removed", .silentLoss, section: "4.2-B2",
                paths: tombstone.map { [$0] } ?? [],
                """
                Somebody removed this client: it wipes its helper files, including edits that it \
                has not sent, then deletes the tombstone. Until it registers, it receives, but a \
                client of the File Manager variant fails whenever it has something to send.
                """
            ))
    }

    /// Step 3 of an existing document.
    private mutating func adoptKey() -> Bool {
        let folder = listing.folder(RemoteLayout.integrityKey)
        func step(_ outcome: SimulationStep.Outcome, _ error: FrameworkError?, _ text: String)
            -> SimulationStep
        {
            let paths = (listing.integrityKeys ?? []).map { folder.appending($0.name) }
            return SimulationStep(
                .documentRegistration, "Compare integrity keys", outcome, error, section: "4.2-B3",
                paths: paths.isEmpty ? [folder] : paths, text)
        }
        guard let keys = listing.integrityKeys else {
            return add(
                step(.fails, variant.errorOfMissingFile, "The folder of the integrity key is missing."))
        }
        guard let key = keys.first else {
            return add(
                step(
                    .fails, variant == .dropbox ? .incompleteStructure : nil,
                    "There is no integrity key, so no client can register."))
        }
        let remembers = simulation.standing == .member || simulation.standing == .orphaned
        if remembers, keys.count == 1, !hasLeftTraces {
            let goesOn = add(step(.unknown, nil, "There is one key, \(key.name). " + Self.otherKey))
            return goesOn && simulation.standing == .member
        }
        if keys.count > 1 {
            let text = "\(keys.count) names can be taken for the key, and chance decides which comes first"
            guard remembers else { return add(step(.done, nil, "\(text): the client adopts one of them.")) }
            return add(
                step(
                    .unknown, nil,
                    """
                    \(text): if it is not the one that the client remembers, the client wipes \
                    its helper files, including edits that it has not sent.
                    """
                ))
        }
        return add(
            step(
                .done, nil,
                remembers
                    ? "There is one key, \(key.name); the simulation assumes that the client remembers it."
                    : "There is one key, \(key.name), and the client adopts it."))
    }

    /// Whether the remote shows that the client has synchronised with the document under its present key.
    var hasLeftTraces: Bool {
        guard let client = simulation.client else { return false }
        let recentSync = client.appending(suffix: RemoteLayout.recentSyncSuffix)
        return context.snapshot.tree[listing.folder(RemoteLayout.recentSyncs).appending(recentSync)] != nil
            || context.snapshot.tree[listing.folder(RemoteLayout.wholeStore).appending(client)] != nil
            || listing.ownEntries(of: client)?.isEmpty == false
    }

    static let otherKey = """
        Nothing shows that the client has synchronised with the document since this key was made. \
        If it remembers another key, of a deleted document with this name, it wipes its helper \
        files, including edits that it has not sent.
        """

    private mutating func makeFolders() -> Bool {
        guard simulation.standing != .member else { return true }
        guard simulation.standing != .orphaned else {
            return add(
                SimulationStep(
                    .documentRegistration, "Make its folders", .skipped, section: "7.2-3",
                    paths: simulation.client.map { [listing.folder(RemoteLayout.syncChanges).appending($0)] }
                        ?? [],
                    """
                    The client remembers the key, so it believes that it is registered and makes \
                    no folders, although its folder in SyncChanges is gone and there is no \
                    tombstone.
                    """
                ))
        }
        for name in [RemoteLayout.syncChanges, RemoteLayout.syncCommands] {
            if let step = obstacle(in: listing.folder(name)) { return add(step) }
        }
        hasOwnFolder = true
        return add(
            SimulationStep(
                .documentRegistration, "Make its folders", .done, section: "4.2-A6",
                "The client makes its folders in SyncChanges and SyncCommands."))
    }

    /// Why the client cannot make its folder in `parent`; nil if it can. The Dropbox variant always can.
    private func obstacle(in parent: RemotePath) -> SimulationStep? {
        let path = simulation.client.map { parent.appending($0) }
        let isThere = path.map { context.snapshot.tree[$0] != nil } ?? false
        let isParent = context.snapshot.tree[parent]?.kind == .folder
        guard variant != .dropbox, isThere || !isParent else { return nil }
        return SimulationStep(
            .documentRegistration, "Make its folders", .fails, .fileManager, section: "7.2-4",
            paths: [path ?? parent],
            isParent
                ? """
                Its folder in \(parent.last ?? "") already exists, which counts as an error; \
                the next attempt succeeds, because its folder in SyncChanges exists by then.
                """
                : """
                \(parent.last ?? "") is missing, and the framework makes no parent folders.\
                \(parent.last == RemoteLayout.syncCommands ? " The next attempt succeeds." : "")
                """)
    }
}
