public import CoreDataStore
import SystemCalls
public import TICDSCore

/// Simulates the next synchronisation of a client, in the framework's order and with its faults.
public enum SyncSimulator {
    /// The simulations of a client. For a registered client there are two if a running app and a starting app behave
    /// differently, otherwise one with a running app. A new client has one, with a start.
    /// - Parameters:
    ///   - client: the client, which need not have files in the remote; nil for a new client without an identifier.
    ///   - model: the model of the client's application; nil to use the whole stores of the document.
    ///   - refusesPassword: whether the password that the user gave opens nothing in the remote.
    public static func runs(
        client: RemoteName?, document: RemoteName, variant: Variant, model: ManagedObjectModel? = nil,
        refusesPassword: Bool = false, _ context: VerificationContext
    ) -> [Simulation] {
        func run(_ start: Simulation.Start) -> Simulation {
            Self.run(
                client: client, document: document, variant: variant, start: start, model: model,
                refusesPassword: refusesPassword, context)
        }
        let anew = run(.anew)
        if anew.isUnseen { return [anew] }
        var running = run(.running)
        if running.start == .anew { return [anew] }
        let registration = anew.steps.filter {
            $0.stage == .applicationRegistration || $0.stage == .documentRegistration
        }
        let differs =
            anew.standing == .newcomer || anew.outcome != running.outcome
            || anew.changeSets.map(\.fate) != running.changeSets.map(\.fate)
            || registration.contains { $0.isEnd || $0.outcome == .silentLoss }
        guard differs else { return [running] }
        running.nextStart = []
        return [running, anew]
    }

    /// The documents to simulate: existing documents, and documents whose folder seems to have been renamed or moved.
    /// If there are none, deleted documents and files in place of folders; if these do not exist either, the empty
    /// name, for any document that a client remembers.
    public static func documents(_ context: VerificationContext) -> [RemoteName] {
        let present = context.snapshot.documents.map(\.identifier)
        let lost = renamed(context) + misplaced(context.snapshot.tree)
        var documents = present
        for document in lost where !documents.contains(document) { documents.append(document) }
        if !documents.isEmpty { return documents }
        documents = context.snapshot.deletedDocuments.map(\.identifier)
        for entry in context.snapshot.tree.listing([RemoteLayout.documents]).part
        where !entry.name.isHidden && !documents.contains(entry.name) {
            documents.append(entry.name)
        }
        return documents.isEmpty ? [RemoteName("")] : documents
    }

    /// The identifiers in descriptions of documents whose folder has a different name.
    private static func renamed(_ context: VerificationContext) -> [RemoteName] {
        context.snapshot.documents.compactMap { document in
            guard let file = document.documentInfo.part else { return nil }
            let info = context.attempt(file.path) { () throws(FileProblem) in
                let bytes = try context.keyring.read(context.storage, file.path, limit: .propertyList)
                return try DocumentInfo(bytes, path: file.path.filePath(under: context.root))
            }
            // No folder has a longer name.
            guard let identifier = info?.identifier, (1...255).contains(identifier.utf8.count),
                !identifier.contains("/")
            else { return nil }
            let name = RemoteName(identifier)
            return name == document.identifier ? nil : name
        }
    }

    /// Folders with the description of a document, in folders of the root other than `Documents`.
    private static func misplaced(_ tree: RemoteTree) -> [RemoteName] {
        tree.listing(.root).part.filter { $0.kind == .folder && $0.name != RemoteLayout.documents }.flatMap {
            folder in
            tree.listing([folder.name]).part.map(\.name).filter {
                tree[[folder.name, $0, RemoteLayout.documentInfo]].part != nil
            }
        }
    }

    /// One simulation.
    /// - Parameters:
    ///   - start: nil for `running` with a registered client, and `anew` with others.
    ///   - refusesPassword: whether the password that the user gave opens nothing in the remote.
    public static func run(
        client: RemoteName?, document: RemoteName, variant: Variant, start: Simulation.Start? = nil,
        model: ManagedObjectModel? = nil, refusesPassword: Bool = false, _ context: VerificationContext
    ) -> Simulation {
        do throws(FileProblem) {
            let place = RemoteLayout.document(document)
            let listing = try VariantListing(context.snapshot.tree, variant: variant, document: place)
            var run = SimulatedRun(
                client: client, document: document, start: start, model: model, listing, context)
            run.refusesPassword = refusesPassword
            try run.play()
            return run.simulation
        } catch {
            return unseen(client, document, variant, context.snapshot.tree.place(of: error), error)
        }
    }

    /// The simulation of a client that would read `place`, which could not be listed here.
    private static func unseen(
        _ client: RemoteName?, _ document: RemoteName, _ variant: Variant, _ place: RemotePath,
        _ problem: FileProblem
    ) -> Simulation {
        var simulation = Simulation(
            variant: variant, document: document, client: client, standing: .newcomer, start: .anew)
        simulation.isUnseen = true
        simulation.steps = [
            SimulationStep(
                .applicationRegistration, "Look at the remote", .unknown, section: "1", paths: [place],
                "It could not be listed here (\(problem.problem)), so what the client would find is unknown.")
        ]
        return simulation
    }
}

/// A run in progress. Each operation of the framework is a method, which returns whether the run continues.
struct SimulatedRun {
    let context: VerificationContext
    let listing: VariantListing
    var variant: Variant { listing.variant }
    let givenModel: ManagedObjectModel?
    /// Whether the client encrypts and decrypts, which depends on whether there was a salt when it registered.
    var isEncrypted: Bool
    var simulation: Simulation
    /// Identifiers of the sets that count as applied.
    var applied: Set<String> = []
    /// Whether `SyncChanges/<client>` exists when the client uploads.
    var hasOwnFolder = false
    /// Whether the client finds a different key when it registers, and begins again with a whole store.
    var isWiped = false
    /// Whether the password that the user gave opens nothing in the remote.
    var refusesPassword = false

    init(
        client: RemoteName?, document: RemoteName, start: Simulation.Start?, model: ManagedObjectModel?,
        _ listing: VariantListing, _ context: VerificationContext
    ) {
        self.context = context
        givenModel = model
        var standing = client.map { Self.standing(of: $0, in: listing) } ?? .newcomer
        if standing == .newcomer, let client, Self.isCreator(client, listing, context) {
            standing = .orphaned
        }
        self.listing = listing
        let hasSalt = listing[RemoteLayout.saltPath] != nil
        simulation = Simulation(
            variant: listing.variant, document: document, client: client, standing: standing, start: .anew)
        isEncrypted = hasSalt
        hasOwnFolder = standing == .member
        let isAnew = standing == .newcomer && !mayRememberAnotherKey
        simulation.start = isAnew ? .anew : start ?? (standing == .member ? .running : .anew)
        if simulation.start == .running, let client {
            isEncrypted = Self.registeredEncrypted(client, context) ?? hasSalt
        }
    }

    /// - Throws: the reason why a folder that decides the client's behaviour could not be listed.
    mutating func play() throws(FileProblem) {
        if try isForeignFolder() { return }
        switch (simulation.start, simulation.standing) {
        case (.running, _):
            var next = self
            if next.registerApplication() { _ = next.registerDocument() }
            simulation.nextStart = next.simulation.steps
            learnFromOwnRegister()
        case (.anew, .member), (.anew, .orphaned):
            guard registerApplication(), registerDocument() else { return }
            if isWiped {
                guard download() else { return }
            } else {
                learnFromOwnRegister()
            }
        case (.anew, .removed), (.anew, .newcomer):
            guard registerApplication(), registerDocument(), download() else { return }
        }
        let hasSynchronised = preSync() && sync() && postSync()
        vacuum(hasSynchronised: hasSynchronised)
    }

    /// Ends the run at a folder in `Documents` that may not be a document, for a client that has nothing there and is a
    /// member of other documents.
    private mutating func isForeignFolder() throws(FileProblem) -> Bool {
        guard let client = simulation.client, simulation.standing == .newcomer,
            listing[listing.document] != nil
        else { return false }
        let info = listing.folder(RemoteLayout.documentInfo)
        let isDocument = listing[info] != nil && listing.integrityKeys?.isEmpty == false
        if isDocument { return false }
        let others = context.snapshot.documents.filter { $0.identifier != simulation.document }
        var takesPart = false
        for other in others {
            let place = RemoteLayout.document(other.identifier)
            let listing = try VariantListing(context.snapshot.tree, variant: variant, document: place)
            if Self.standing(of: client, in: listing) != .newcomer { takesPart = true }
        }
        guard takesPart else { return false }
        simulation.isUnseen = true
        _ = add(
            .documentRegistration, "Look for the document", .unknown, section: "1.2-B",
            paths: [listing.document],
            """
            The folder has no description or no integrity key, and nothing of this client. The client may not know it at \
            all; if it is a document of the client, its synchronisation fails with code 21.
            """)
        return true
    }

    private static func isCreator(
        _ client: RemoteName, _ listing: VariantListing, _ context: VerificationContext
    ) -> Bool {
        guard let keys = listing.integrityKeys, keys.count == 1, keys[0].kind == .file else { return false }
        let path = listing.folder(RemoteLayout.integrityKey).appending(keys[0].name)
        let bytes = context.attempt(path) { () throws(FileProblem) in
            try context.storage.read(path, limit: .integrityKey)
        }
        return bytes.flatMap { IntegrityKeyContent($0).originalDevice } == client.text
    }

    /// Whether the client encrypted its device info, which it writes once; nil if the file does not show it.
    static func registeredEncrypted(_ client: RemoteName, _ context: VerificationContext) -> Bool? {
        let path: RemotePath = [RemoteLayout.clientDevices, client, RemoteLayout.deviceInfo]
        guard let entry = context.snapshot.tree[path].part, entry.kind == .file else { return nil }
        let limit = context.smallLimit
        let bytes = context.attempt(path) { () throws(FileProblem) in
            try context.storage.read(path, limit: limit)
        }
        guard let bytes else { return nil }
        if PlainSignature(bytes) != nil { return false }
        return EncryptedFile.looksEncrypted(bytes, size: entry.size) ? true : nil
    }

    mutating func add(
        _ stage: SimulationStep.Stage, _ name: String, _ outcome: SimulationStep.Outcome,
        _ error: FrameworkError? = nil, section: String, paths: [RemotePath] = [], _ sentence: String
    ) -> Bool { add(SimulationStep(stage, name, outcome, error, section: section, paths: paths, sentence)) }

    mutating func add(_ step: SimulationStep) -> Bool {
        simulation.steps.append(step)
        return !step.isEnd
    }

    private static func standing(of client: RemoteName, in listing: VariantListing) -> Simulation.Standing {
        func isThere(_ folder: RemoteName, _ name: RemoteName) -> Bool {
            listing[listing.folder(folder).appending(name)] != nil
        }
        if isThere(RemoteLayout.syncChanges, client) { return .member }
        let tombstone = client.appending(suffix: RemoteLayout.propertyListSuffix)
        if isThere(RemoteLayout.deletedClients, tombstone) { return .removed }
        let recentSync = client.appending(suffix: RemoteLayout.recentSyncSuffix)
        let hasTraces =
            isThere(RemoteLayout.recentSyncs, recentSync) || isThere(RemoteLayout.wholeStore, client)
        return hasTraces ? .orphaned : .newcomer
    }
}

/// Lists folders as a variant does (ticds-remote-format(5), 1.5), without names that are not UTF-8. Such a value does
/// not exist if a folder that clients of the document read could not be listed.
struct VariantListing {
    private let tree: RemoteTree
    let variant: Variant
    let document: RemotePath

    /// - Throws: the reason why a folder could not be listed.
    init(_ tree: RemoteTree, variant: Variant, document: RemotePath) throws(FileProblem) {
        let tombstones: RemotePath = [RemoteLayout.information, RemoteLayout.deletedDocuments]
        let gap =
            tree.listing([RemoteLayout.encryption]).problem
            ?? tree.listing([RemoteLayout.clientDevices]).problem ?? tree.gap(below: document)
            ?? (tree[document].isMissing ? tree.listing(tombstones).problem : nil)
        if let gap { throw gap }
        self.tree = tree
        self.variant = variant
        self.document = document
    }

    /// The entry at `path`; nil if there is none.
    subscript(path: RemotePath) -> FolderEntry? { tree[path].part }

    private var isDropbox: Bool { variant == .dropbox }
    func folder(_ name: RemoteName) -> RemotePath { document.appending(name) }

    /// The entries of a folder; nil if it does not exist.
    func entries(_ folder: RemotePath) -> [FolderEntry]? {
        tree.folders[folder]?.filter(\.name.isUTF8)
    }

    /// Entries that clients accept as the integrity key, hidden files included.
    var integrityKeys: [FolderEntry]? {
        entries(folder(RemoteLayout.integrityKey))?.filter { FrameworkLists.isLongEnough($0.name) }
    }

    /// Entries of `SyncChanges` that count as clients, files included.
    var clients: [FolderEntry]? {
        entries(folder(RemoteLayout.syncChanges))?.filter {
            isDropbox ? FrameworkLists.isLongEnough($0.name) : !$0.name.isHidden
        }
    }

    /// The folder of a client, and the positions of the entries in it that count as change sets; nil if it does not
    /// exist.
    func changeSets(of client: RemoteName) -> (folder: SimulatedFolder, positions: [Int])? {
        let path = folder(RemoteLayout.syncChanges).appending(client)
        guard let entries = tree.folders[path] else { return nil }
        let positions = entries.indices.filter { position in
            let name = entries[position].name
            guard name.isUTF8 else { return false }
            return isDropbox ? FrameworkLists.isLongEnough(name.withoutExtension) : !name.isHidden
        }
        return (SimulatedFolder(document: document.last ?? "", path: path, listing: entries), positions)
    }

    /// Entries of `WholeStore` in which the client looks for a store.
    var storeFolders: [FolderEntry]? {
        entries(folder(RemoteLayout.wholeStore))?.filter {
            isDropbox ? $0.kind == .folder : !$0.name.isHidden
        }
    }

    /// `WholeStore.ticdsync` of a client, file or folder.
    func store(of client: RemoteName) -> (path: RemotePath, entry: FolderEntry)? {
        let path = folder(RemoteLayout.wholeStore).appending(client).appending(RemoteLayout.wholeStoreFile)
        return self[path].map { (path, $0) }
    }

    /// Entries of `RecentSyncs` that limit the vacuum.
    var recentSyncs: [FolderEntry] {
        (entries(folder(RemoteLayout.recentSyncs)) ?? []).filter {
            !isDropbox || $0.name.text.hasSuffix(RemoteLayout.recentSyncSuffix)
        }
    }

    func ownEntries(of client: RemoteName) -> [FolderEntry]? {
        entries(folder(RemoteLayout.syncChanges).appending(client))
    }
}
