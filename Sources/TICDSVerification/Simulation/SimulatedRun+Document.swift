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
                    The document was deleted: helper files are wiped, then the application is \
                    asked whether to create it anew, and the run ends here.
                    """
                    : """
                    The document does not exist: the application is asked whether to create it, \
                    and the run ends here.
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
                .documentRegistration, "Find itself removed", .silentLoss, section: "4.2-B2",
                paths: tombstone.map { [$0] } ?? [],
                """
                Somebody removed this client: its helper files are wiped, and with them edits \
                that were not sent; then the tombstone is deleted. Until it registers it \
                receives, but a file manager client fails whenever it has something to send.
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
                    "No integrity key can be found, so nobody can register."))
        }
        let remembers = simulation.standing == .member || simulation.standing == .orphaned
        if remembers, keys.count == 1, !hasLeftTraces {
            let goesOn = add(step(.unknown, nil, "There is one key, \(key.name). " + Self.otherKey))
            return goesOn && simulation.standing == .member
        }
        if keys.count > 1 {
            let text = "\(keys.count) names may be taken for the key, in an order that nothing fixes"
            guard remembers else {
                return add(step(.done, nil, "\(text): the client adopts one of them."))
            }
            return add(
                step(
                    .unknown, nil,
                    """
                    \(text): where the first is not the one it remembers, its helper files are \
                    wiped, and with them edits that were not sent.
                    """
                ))
        }
        return add(
            step(
                .done, nil,
                remembers
                    ? "There is one key, \(key.name); it is taken to be the one that the client remembers."
                    : "There is one key, \(key.name), and the client adopts it."))
    }

    /// Whether anything shows that the client synchronised with the document under its present key.
    var hasLeftTraces: Bool {
        guard let client = simulation.client else { return false }
        let recentSync = client.appending(suffix: RemoteLayout.recentSyncSuffix)
        return context.snapshot.tree[listing.folder(RemoteLayout.recentSyncs).appending(recentSync)] != nil
            || context.snapshot.tree[listing.folder(RemoteLayout.wholeStore).appending(client)] != nil
            || listing.ownEntries(of: client)?.isEmpty == false
    }

    static let otherKey = """
        Nothing shows that the client has synchronised with the document since this key was made. \
        Should it remember another one, of a document of this name that was deleted, its helper \
        files are wiped, and with them edits that were not sent.
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
                    The client remembers the key, so it takes itself for registered and makes no \
                    folders, although its folder in SyncChanges is gone and no tombstone says \
                    so.
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
                "Its folders in SyncChanges and SyncCommands are made."))
    }

    /// Why its folder cannot be made in `parent`; nil where it can, or where Dropbox does not mind.
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
                Its folder in \(parent.last ?? "") is there already, which counts as an error; \
                the attempt after this one succeeds, because its folder in SyncChanges is made \
                by then.
                """
                : """
                \(parent.last ?? "") is missing, and the framework makes no folders on the way.\
                \(parent.last == RemoteLayout.syncCommands ? " The attempt after this one succeeds." : "")
                """)
    }
}
