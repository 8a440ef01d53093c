import Base
import SystemCalls
import TICDSCore

extension SimulatedRun {
    /// Registers with the app (ticds-protocol(7), 1.1).
    mutating func registerApplication() -> Bool {
        let salt: RemotePath = RemoteLayout.saltPath
        guard let entry = listing[salt] else {
            let goesOn = add(
                .applicationRegistration, "Look for the salt", .done, section: "1.1-B2",
                "There is no salt, so the client works without encryption.")
            return goesOn && makeDeviceFolder()
        }
        return readSalt(salt, entry.kind) && testPassword() && makeDeviceFolder()
    }

    private mutating func readSalt(_ salt: RemotePath, _ kind: FileKind) -> Bool {
        func step(_ outcome: SimulationStep.Outcome, _ error: FrameworkError?, _ text: String) -> Bool {
            add(
                .applicationRegistration, "Read the salt", outcome, error, section: "1.1-B2", paths: [salt],
                text)
        }
        switch kind {
        case .file: return step(.done, nil, "There is a salt, so the client works with encryption.")
        case .symbolicLink:
            return step(
                .unknown, nil,
                """
                The salt is a symbolic link. If its target exists, the client works with encryption; if not, the \
                client takes the remote for unencrypted.
                """)
        case .folder, .special:
            return step(
                .fails, variant.errorOfMissingFile,
                "There is a salt, but it is not a plain file, so the client cannot read it.")
        }
    }

    /// Tests the password. A client with a folder in ClientDevices has its key from the keychain; any other client
    /// makes a key from the password and the salt.
    private mutating func testPassword() -> Bool {
        let path = RemoteLayout.encryptionTestPath
        let knowsKey = isDevice
        let name = knowsKey ? "Try the remembered key" : "Ask for the password and try it"
        func step(_ outcome: SimulationStep.Outcome, _ error: FrameworkError?, _ text: String) -> Bool {
            add(.applicationRegistration, name, outcome, error, section: "1.1-B4", paths: [path], text)
        }
        let state = EncryptedFetch(context: context).state(of: path)
        switch state {
        case .opens: return step(.done, nil, "The test file can be decrypted, so the password is right.")
        case .missing where knowsKey || !devicesArePlain:
            let error: FrameworkError = variant == .dropbox ? .dropboxClient : .encryption
            let text =
                "There is a salt but no test file, so no password can be tried and no client can register."
            return step(.fails, error, text)
        case .missing:
            return step(
                .fails, .cancelled,
                """
                The client asks for a password, although the files of the remote are not encrypted. Without an answer \
                the registration does not end, or fails with code 14; with any password it fails with code 16, because \
                there is no test file.
                """)
        case .folder:
            guard variant == .dropbox else {
                return step(
                    .wouldCrash, nil, "The test file is a folder, and the decryption of a folder crashes.")
            }
            return step(.fails, .dropboxClient, "The test file is a folder, which cannot be fetched.")
        case .tooShort:
            return step(
                .fails, nil,
                """
                The test file is too short to be an encrypted one: the registration never ends (seen), or it fails \
                with code 16.
                """)
        case .refused: return step(.fails, .cancelled, Self.asksForEver("No key opens the test file"))
        case .notChecked(let reason):
            if let doubt = wrongKey(knowsKey) { return step(.fails, .cancelled, Self.asksForEver(doubt)) }
            let key = knowsKey ? "key that the client remembers" : "password"
            return step(.unknown, nil, "\(reason); the simulation assumes that the \(key) is right.")
        }
    }

    private static func asksForEver(_ reason: String) -> String {
        """
        \(reason) (cryptor error 10000): the client forgets its key and asks for the password again, without end. If \
        the application cancels the question, the registration fails with code 14.
        """
    }

    /// The reason why the key of the client certainly does not open the test file, which could not be tried here.
    private func wrongKey(_ knowsKey: Bool) -> String? {
        if knowsKey {
            return simulation.client.flatMap { Self.registeredEncrypted($0, context) } == false
                ? "The client registered without encryption and has no key" : nil
        }
        if devicesArePlain { return "The files of the remote are not encrypted, so there is no password" }
        if let fault = faultOfSalt { return "The salt is damaged (\(fault)), so no password gives the key" }
        return refusesPassword
            ? "With this salt, the password that was given opens nothing: either of them is wrong" : nil
    }

    /// The evidence that a client did not write the salt, which is 16 random bytes; nil if there is none.
    private var faultOfSalt: String? {
        guard let entry = listing[RemoteLayout.saltPath], entry.kind == .file else {
            return nil
        }
        if entry.size != 16 { return "\(entry.size) bytes instead of 16" }
        let bytes = context.attempt(RemoteLayout.saltPath) { () throws(FileProblem) in
            try context.storage.read(RemoteLayout.saltPath, limit: .salt)
        }
        guard let bytes = bytes?.array, let first = bytes.first, bytes.allSatisfy({ $0 == first }) else {
            return nil
        }
        return first == 0 ? "only zeros" : "16 equal bytes"
    }

    /// Whether the client has registered with the app.
    private var isDevice: Bool {
        simulation.client.map { listing[[RemoteLayout.clientDevices, $0]] != nil } ?? false
    }

    /// Whether some devices registered without encryption, and none with it.
    private var devicesArePlain: Bool {
        let known = context.snapshot.clientDevices.prefix(100).compactMap {
            Self.registeredEncrypted($0.identifier, context)
        }
        return !known.isEmpty && !known.contains(true)
    }

    private mutating func makeDeviceFolder() -> Bool {
        let client = simulation.client
        let path: RemotePath = [RemoteLayout.clientDevices] + (client.map { [$0] } ?? [])
        if client != nil, listing[path] != nil {
            return add(
                .applicationRegistration, "Look for its folder in ClientDevices", .done,
                section: "1.1-B3", paths: [path], "The folder exists; the client does not look into it.")
        }
        let parent = listing[[RemoteLayout.clientDevices]]
        let isBlocked = parent.map { $0.kind != .folder } ?? false
        return add(
            .applicationRegistration, "Make its folder in ClientDevices", isBlocked ? .fails : .done,
            isBlocked ? variant.errorOfMissingFile : nil, section: "1.1-A7", paths: [path],
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
    /// Registers with the document (ticds-protocol(7), 1.2).
    mutating func registerDocument() -> Bool {
        guard listing[listing.document] != nil else { return askForDocument() }
        if simulation.standing == .removed, !takeBackRemoval() { return false }
        return adoptKey() && makeFolders()
    }

    private mutating func askForDocument() -> Bool {
        let tombstone: RemotePath = [
            RemoteLayout.information, RemoteLayout.deletedDocuments,
            simulation.document.appending(suffix: RemoteLayout.propertyListSuffix),
        ]
        let wasDeleted = listing[tombstone] != nil
        _ = add(
            .documentRegistration, "Look for the document", .unknown, section: "1.2-A",
            paths: wasDeleted ? [tombstone] : [],
            wasDeleted
                ? """
                The document was deleted: the client wipes its helper files, then asks the \
                application whether to create the document again, and the run ends here.
                """
                : """
                The document does not exist: the client asks the application whether to \
                create it, and the run ends here.
                """)
        guard simulation.client == nil else { return false }
        return add(
            .download, "Choose a whole store", .fails, variant.errorOfMissingFile, section: "1.7-1",
            paths: [listing.folder(RemoteLayout.wholeStore)],
            "A new client that downloads the document first fails: there is no folder of whole stores.")
    }

    private mutating func takeBackRemoval() -> Bool {
        let tombstone = simulation.client.map {
            listing.folder(RemoteLayout.deletedClients).appending(
                $0.appending(suffix: RemoteLayout.propertyListSuffix))
        }
        return add(
            .documentRegistration, "Find that it was removed", .silentLoss, section: "1.2-B2",
            paths: tombstone.map { [$0] } ?? [],
            """
            Somebody removed this client: it wipes its helper files, including edits that it \
            has not sent, then deletes the tombstone. Until it registers, it receives, but a \
            client of the File Manager variant fails whenever it has something to send.
            """)
    }

    /// Performs step 3 for an existing document.
    private mutating func adoptKey() -> Bool {
        let folder = listing.folder(RemoteLayout.integrityKey)
        func step(_ outcome: SimulationStep.Outcome, _ error: FrameworkError?, _ text: String) -> Bool {
            let paths = (listing.integrityKeys ?? []).map { folder.appending($0.name) }
            return add(
                .documentRegistration, "Compare integrity keys", outcome, error, section: "1.2-B3",
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
        if remembers, keys.allSatisfy({ knowledge(of: $0) == .another }) {
            isWiped = true
            return step(
                .silentLoss, nil,
                """
                \(keys.count == 1 ? "\(key.name) is" : "None of the names is") the name of a key, so the client \
                remembers another one: it wipes its helper files, including edits that it has not sent, and takes \
                this name for its key. It has to begin again with a whole store.
                """)
        }
        if remembers, keys.count == 1, knowledge(of: key) == .unproven {
            let goesOn = step(.unknown, nil, "There is one key, \(key.name). " + Self.otherKey)
            return goesOn && simulation.standing == .member
        }
        if simulation.standing == .newcomer, mayRememberAnotherKey {
            return step(.unknown, nil, "There is a key, \(key.name). " + Self.otherKey)
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

    /// The evidence in the remote about the key that the client remembers.
    enum KeyKnowledge { case same, another, unproven }

    /// A client reads the key before each synchronisation, so its later files show that it knows the key. The names of
    /// keys have no dots and spaces: others are placeholders of iCloud, hidden files, conflicted copies.
    func knowledge(of key: FolderEntry) -> KeyKnowledge {
        let isName = key.name.bytes.allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        if !isName { return .another }
        return lastTrace.map { $0 >= key.modified } ?? false ? .same : .unproven
    }

    /// The time at which the client last wrote a file that it writes only with the right key: a recent sync, a change
    /// set, a whole store.
    private var lastTrace: FileTime? {
        guard let client = simulation.client else { return nil }
        let recentSync = client.appending(suffix: RemoteLayout.recentSyncSuffix)
        let files = [
            listing[listing.folder(RemoteLayout.recentSyncs).appending(recentSync)],
            listing.store(of: client)?.entry,
        ]
        let times = files.compactMap { $0?.modified } + (listing.ownEntries(of: client) ?? []).map(\.modified)
        return times.max()
    }

    /// Whether a client without files in the document may have registered with an earlier document of this name,
    /// because it registered with the app before the present key was made.
    var mayRememberAnotherKey: Bool {
        guard let client = simulation.client else { return false }
        guard listing[listing.document]?.kind == .folder, let key = listing.integrityKeys?.first
        else { return true }
        guard isDevice else { return false }
        let info = listing[[RemoteLayout.clientDevices, client, RemoteLayout.deviceInfo]]
        return info.map { $0.modified < key.modified } ?? true
    }

    static let otherKey = """
        Nothing shows that the client has synchronised with the document since this key was made. \
        If it remembers another key, of a deleted document with this name, it wipes its helper \
        files, including edits that it has not sent.
        """

    private mutating func makeFolders() -> Bool {
        guard simulation.standing != .member else { return true }
        guard simulation.standing != .orphaned || isWiped else {
            return add(
                .documentRegistration, "Make its folders", .skipped, section: "4.2-3",
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
        let taken = simulation.client == nil && variant != .dropbox ? abandonedCommands : []
        if !taken.isEmpty {
            return add(
                .documentRegistration, "Make its folders", .unknown, .fileManager, section: "4.2-4",
                paths: taken,
                """
                SyncCommands contains folders of clients that are not registered: \(taken.count). A client with such \
                an identifier fails, and succeeds at the next attempt. Any other client makes its folders.
                """)
        }
        return add(
            .documentRegistration, "Make its folders", .done, section: "1.2-A6",
            "The client makes its folders in SyncChanges and SyncCommands.")
    }

    /// Folders in `SyncCommands` of clients without a folder in `SyncChanges`.
    private var abandonedCommands: [RemotePath] {
        let folder = listing.folder(RemoteLayout.syncCommands)
        return (listing.entries(folder) ?? []).lazy
            .filter { $0.kind == .folder && !$0.name.isHidden }.map(\.name)
            .filter { listing[listing.folder(RemoteLayout.syncChanges).appending($0)] == nil }
            .map { folder.appending($0) }
    }

    /// The reason why the client cannot make its folder in `parent`; nil if it can. The Dropbox variant always can.
    private func obstacle(in parent: RemotePath) -> SimulationStep? {
        let path = simulation.client.map { parent.appending($0) }
        let isThere = path.map { listing[$0] != nil } ?? false
        let isParent = listing[parent]?.kind == .folder
        guard variant != .dropbox, isThere || !isParent else { return nil }
        return SimulationStep(
            .documentRegistration, "Make its folders", .fails, .fileManager, section: "4.2-4",
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
