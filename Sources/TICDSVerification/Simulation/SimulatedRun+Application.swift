import SystemCalls
import TICDSCore

extension SimulatedRun {
    /// Registration with the application (ticds-protocol(7), 4.1).
    mutating func registerApplication() -> Bool {
        let salt: RemotePath = [RemoteLayout.encryption, RemoteLayout.salt]
        guard context.snapshot.tree[salt] != nil else {
            let goesOn = add(
                .applicationRegistration, "Look for the salt", .done, section: "4.1-B2",
                "There is no salt, so the client works without encryption.")
            return goesOn && makeDeviceFolder()
        }
        return readSalt(salt) && testPassword() && makeDeviceFolder()
    }

    private mutating func readSalt(_ salt: RemotePath) -> Bool {
        let isFile = context.snapshot.tree[salt]?.kind == .file
        return add(
            .applicationRegistration, "Read the salt", isFile ? .done : .fails,
            isFile ? nil : variant.errorOfMissingFile, section: "4.1-B2", paths: [salt],
            isFile
                ? "There is a salt, so the client works with encryption."
                : "There is a salt, but it is not a plain file, so the client cannot read it.")
    }

    private mutating func testPassword() -> Bool {
        let path: RemotePath = [RemoteLayout.encryption, RemoteLayout.encryptionTest]
        let isKnownHere = simulation.standing != .newcomer
        let name = isKnownHere ? "Try the remembered key" : "Ask for the password and try it"
        func step(_ outcome: SimulationStep.Outcome, _ error: FrameworkError?, _ text: String) -> Bool {
            add(.applicationRegistration, name, outcome, error, section: "4.1-B4", paths: [path], text)
        }
        switch EncryptedFetch(context: context).state(of: path) {
        case .opens: return step(.done, nil, "The test file can be decrypted, so the password is right.")
        case .notChecked(let reason):
            return step(.unknown, nil, "\(reason); the simulation assumes that the password is right.")
        case .missing:
            let error: FrameworkError = variant == .dropbox ? .dropboxClient : .encryption
            let text =
                "There is a salt but no test file, so no password can be tried and no client can register."
            return step(.fails, error, text)
        case .tooShort: return step(.fails, .encryption, "The test file is too short to be an encrypted one.")
        case .refused:
            return step(
                .fails, .encryption,
                """
                No password opens the test file (cryptor error 10000); the client forgets \
                its key and asks again, without end.
                """)
        }
    }

    private mutating func makeDeviceFolder() -> Bool {
        let client = simulation.client
        let path: RemotePath = [RemoteLayout.clientDevices] + (client.map { [$0] } ?? [])
        if client != nil, context.snapshot.tree[path] != nil {
            return add(
                .applicationRegistration, "Look for its folder in ClientDevices", .done,
                section: "4.1-B3", paths: [path], "The folder exists; the client does not look into it.")
        }
        let parent = context.snapshot.tree[[RemoteLayout.clientDevices]]
        let isBlocked = parent.map { $0.kind != .folder } ?? false
        return add(
            .applicationRegistration, "Make its folder in ClientDevices", isBlocked ? .fails : .done,
            isBlocked ? variant.errorOfMissingFile : nil, section: "4.1-A7", paths: [path],
            isBlocked
                ? "ClientDevices is not a folder, so the client cannot make one in it."
                : "The client makes the folder and writes deviceInfo.plist into it.")
    }
}

extension RemotePath {
    fileprivate static func + (path: RemotePath, names: [RemoteName]) -> RemotePath {
        RemotePath(path.names + names)
    }
}

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
                """)
        return false
    }

    private mutating func takeBackRemoval() -> Bool {
        let tombstone = simulation.client.map {
            listing.folder(RemoteLayout.deletedClients).appending(
                $0.appending(suffix: RemoteLayout.propertyListSuffix))
        }
        return add(
            .documentRegistration, "Find that it was removed", .silentLoss, section: "4.2-B2",
            paths: tombstone.map { [$0] } ?? [],
            """
            Somebody removed this client: it wipes its helper files, including edits that it \
            has not sent, then deletes the tombstone. Until it registers, it receives, but a \
            client of the File Manager variant fails whenever it has something to send.
            """)
    }

    /// Step 3 of an existing document.
    private mutating func adoptKey() -> Bool {
        let folder = listing.folder(RemoteLayout.integrityKey)
        func step(_ outcome: SimulationStep.Outcome, _ error: FrameworkError?, _ text: String) -> Bool {
            let paths = (listing.integrityKeys ?? []).map { folder.appending($0.name) }
            return add(
                .documentRegistration, "Compare integrity keys", outcome, error, section: "4.2-B3",
                paths: paths.isEmpty ? [folder] : paths, text)
        }
        guard let keys = listing.integrityKeys else {
            return step(.fails, variant.errorOfMissingFile, "The folder of the integrity key is missing.")
        }
        guard let key = keys.first else {
            return step(
                .fails, variant == .dropbox ? .incompleteStructure : nil,
                "There is no integrity key, so no client can register.")
        }
        let remembers = simulation.standing == .member || simulation.standing == .orphaned
        if remembers, keys.count == 1, !hasLeftTraces {
            let goesOn = step(.unknown, nil, "There is one key, \(key.name). " + Self.otherKey)
            return goesOn && simulation.standing == .member
        }
        if keys.count > 1 {
            let text = "\(keys.count) names can be taken for the key, and chance decides which comes first"
            guard remembers else { return step(.done, nil, "\(text): the client adopts one of them.") }
            return step(
                .unknown, nil,
                """
                \(text): if it is not the one that the client remembers, the client wipes \
                its helper files, including edits that it has not sent.
                """)
        }
        return step(
            .done, nil,
            remembers
                ? "There is one key, \(key.name); the simulation assumes that the client remembers it."
                : "There is one key, \(key.name), and the client adopts it.")
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
                .documentRegistration, "Make its folders", .skipped, section: "7.2-3",
                paths: simulation.client.map { [listing.folder(RemoteLayout.syncChanges).appending($0)] }
                    ?? [],
                """
                The client remembers the key, so it believes that it is registered and makes no folders, \
                although its folder in SyncChanges is gone and there is no tombstone.
                """)
        }
        for name in [RemoteLayout.syncChanges, RemoteLayout.syncCommands] {
            if let step = obstacle(in: listing.folder(name)) { return add(step) }
        }
        hasOwnFolder = true
        return add(
            .documentRegistration, "Make its folders", .done, section: "4.2-A6",
            "The client makes its folders in SyncChanges and SyncCommands.")
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
