import ArgumentParser
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSSync

struct SyncReseed: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "reseed",
        abstract: "Makes a replica or a store the new base of a document: every client downloads it again.",
        discussion: """
            Use this when clients stay out of sync and one copy is correct. Uploads the content of the replica as \
            the only whole store, moves all change sets and other whole stores to the trash, and gives the document a \
            new integrity key. Every client then throws away its unsent edits, and its app must download the store; \
            the plan names these clients. With a REMOTE, a STORE of another place becomes the base.

            Examples:
              ticds-sync reseed Notes --dry-run
              ticds-sync reseed Notes
              ticds-sync reseed ~/Dropbox/com.example.app Rescued.sqlite --client "Anna's Mac"
            """)

    @Argument(
        help: .value(
            "replica> | <remote> <store",
            "The folder of a replica; or the remote (or TICDS_REMOTE) and the store."),
        completion: LiveCompletion.files.afterRemote)
    var arguments: [String]

    @OptionGroup var documents: DocumentOptions

    @Option(
        help: .value("name", "With a store: the client in whose name it is uploaded."),
        completion: LiveCompletion.clients.kind)
    var client: String?

    @Option(
        help: .value(
            "file",
            "With a store: the register of the change sets that it contains. Default: the one beside it, if there is one."
        ),
        completion: .file())
    var register: String?

    @OptionGroup var password: PasswordOptions
    @OptionGroup var change: PlanOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        guard change.savedPlan == nil else {
            throw ValidationError(
                "The plan of a reseed cannot be saved: the store exists only while it runs.")
        }
        if let folder = try replica() {
            guard documents.document == nil, client == nil, register == nil else {
                throw ValidationError(
                    "--document, --client and --register need a REMOTE and a STORE, not a replica.")
            }
            return try reseed(folder, context)
        }
        let (address, argument) = try RemoteOptions.separate(arguments, named: "STORE")
        guard let client else { throw ValidationError("Name the client of the store with --client.") }
        let source = Environment.path(argument: argument)
        let open = try OpenRemote(address, password, context)
        let remote = try open.planned(open.keyring())
        let document = try remote.reported.document(documents)
        let new = try NewBase(
            open, remote, document, source: source, password,
            register: try register.map { Environment.path(argument: $0) } ?? StoreRegister.beside(source))
        return try run(new, for: try remote.reported.client(named: client, option: "--client"), open, context)
        { _ in }
    }

    /// The replica that the only argument names; nil for a store.
    /// - Throws: `FileProblem` if a single argument names neither.
    private func replica() throws -> ReplicaFolder? {
        guard arguments.count == 1 else { return nil }
        let path = Environment.path(argument: arguments[0])
        let place = try path.resolved()
        if let place, try FileStatus.of(place).kind == .file { return nil }
        if client != nil, try place.map({ try FileStatus.ifPresent(ReplicaFolder($0).configuration) }) == nil
        {
            return nil
        }
        return try ReplicaFolder.find(path)
    }

    private func reseed(_ folder: ReplicaFolder, _ context: CommandContext) throws -> ExitStatus {
        let replica = try OpenReplica(folder, lockWait: change.waiting.lockWait, password, context)
        let session = replica.session
        let keyring = try replica.remote().keyring
        let open = try OpenRemote(replica.storage, password, context)
        let remote = try open.planned(keyring)
        if !change.isDryRun { try session.finishReseed(replica.storage) }
        let report = try session.commit(isDryRun: change.isDryRun)
        for sentence in report.tidied { context.inform("repaired: \(sentence)") }
        let form: StoreForm? = replica.configuration.variant == .dropbox ? .zip : nil
        let new = try NewBase(
            open, remote, RemoteName(replica.configuration.document), otherwise: form,
            source: folder.store, password, register: folder.applied)
        if !change.isDryRun { try session.checkUnchanged() }
        let unsent = change.isDryRun ? report.changesWaiting : try session.unsentChanges
        let isKeyKnown = try session.knowsKey(of: new.document)
        let status = try run(
            new, for: RemoteName(replica.configuration.client), open, context, unsent,
            isKeyKnown: isKeyKnown
        ) { (key) throws(FileProblem) in
            try session.noteReseed(key)
        }
        if !change.isDryRun { try session.finishReseed(try replica.storage.listedAgain()) }
        return status
    }

    /// - Parameters:
    ///   - unsent: the unsent changes of a replica; nil for a store.
    ///   - prepare: called with the new key before anything is changed, unless it is a dry run.
    private func run(
        _ new: NewBase, for client: RemoteName, _ open: OpenRemote, _ context: CommandContext,
        _ unsent: Int? = nil, isKeyKnown: Bool = true,
        prepare: (RemoteName) throws(FileProblem) -> Void
    ) throws -> ExitStatus {
        var base = ReseedPlanner.Base(new.upload(for: client), client: client)
        base.isReplica = unsent != nil
        base.unsentChanges = unsent ?? 0
        base.isCoverageKnown = new.register.isCoverageKnown
        base.isKeyKnown = isKeyKnown
        let key = RemoteName(ArchivedUUID.random().description)
        let planner = try ReseedPlanner(
            new.remote, open.storage, document: new.document.identifier, key: key, base: base)
        let plan = try planner.plan(command: "ticds-sync reseed", creator: new.creator)
        if !change.isDryRun { try prepare(key) }
        let runner = PlanRunner(change, context, names: new.remote.clientNames)
        // All change sets are removed by definition; a limit applies only if the user gave one.
        let status = try runner.run(
            plan, on: open.snapshot, snapshot: change.maxDelete == nil ? nil : open.snapshot)
        return withExtendedLifetime(new) { status }
    }
}

/// A store and a register that are prepared as the new base of a document; their files exist as long as this value.
struct NewBase {
    let remote: PlannedRemote
    let document: DocumentSnapshot
    let register: BaseRegister
    /// The client that created the document; nil if it is unknown.
    let creator: String?
    private let store: PreparedStore
    private let uploaded: UploadedForms

    /// - Parameters:
    ///   - form: the form of the store if the document has no whole store that can be read, whose form it would get.
    ///   - source: the store.
    ///   - register: the register of the store; nil if there is none.
    /// - Throws: `.refused` for a store of a kind that differs from those of the document, since apps cannot open it.
    init(
        _ open: OpenRemote, _ remote: PlannedRemote, _ document: RemoteName,
        otherwise form: StoreForm? = nil,
        source: FilePath, _ password: PasswordOptions, register: FilePath?
    ) throws {
        guard let snapshot = open.snapshot.document(document) else {
            throw FileProblem(.unknownName, path: open.path, "there is no document \(document)")
        }
        self.remote = remote
        self.document = snapshot
        uploaded = try UploadedForms(of: snapshot, in: open.storage, remote.keyring)
        let file = try StoreFile(source, password)
        if let kind = file.layers.last, let other = uploaded.kinds.first, !uploaded.kinds.contains(kind) {
            throw FileProblem(
                .refused, path: source, "the apps use stores of another kind, and could not open this one",
                expected: "a store of the kind \(other.rawValue)", found: kind.rawValue,
                advice:
                    "Use a store of that kind, such as one that ticds-store extract copies from the remote")
        }
        store = try PreparedStore(
            source, uploaded.newestForm ?? form ?? .file, file, for: snapshot,
            keyring: remote.keyring)
        self.register = try BaseRegister(register, for: snapshot)
        creator = try snapshot.documentInfo.part.flatMap { file throws(FileProblem) in
            try unlessInvalid { () throws(FileProblem) in
                let bytes = try remote.keyring.read(open.storage, file.path, limit: .propertyList)
                return try DocumentInfo(bytes, path: file.path.filePath(under: open.path))
                    .originalDeviceIdentifier
            } ?? nil
        }
    }

    func upload(for client: RemoteName) -> StoreUpload {
        StoreUpload(
            entries: store.entries, register: register.content, applied: register.applied,
            modelDigest: store.modelDigest, otherDigests: uploaded.digests.filter { $0.key != client })
    }
}

/// The register of a new base. It names the sets in the store, and every other set of the document, so that no client
/// applies one that arrives late.
struct BaseRegister {
    /// The content; nil if the document never had a change set.
    let content: PlannedContent?
    /// Identifiers of the sets that the store contains.
    let applied: Set<[UInt8]>
    /// Whether `applied` is known.
    let isCoverageKnown: Bool
    private let folder: TemporaryFolder

    init(_ file: FilePath?, for document: DocumentSnapshot) throws(FileProblem) {
        folder = try TemporaryFolder(prefix: "ticds-register")
        var applied: Set<[UInt8]> = []
        var lines: [RegisteredChangeSet] = []
        if let file {
            try ChangeSetRegister(file).forEachChangeSet { line in
                guard let identifier = line.identifier, applied.insert(Array(identifier.utf8)).inserted else {
                    return
                }
                lines.append(line)
            }
        }
        for line in PreparedRegister.all(of: document) {
            guard let identifier = line.identifier, !applied.contains(Array(identifier.utf8)) else {
                continue
            }
            lines.append(line)
        }
        self.applied = applied
        isCoverageKnown = file != nil
        if lines.isEmpty {
            content = nil
        } else {
            let target = folder.path.appending("Register")
            try ChangeSetRegisterWriter.write(lines, to: target)
            content = try .file(target)
        }
    }
}

/// The forms and models of the whole stores of a document, as far as they can be read.
struct UploadedForms {
    /// The models of the stores.
    private(set) var digests: [RemoteName: String] = [:]
    /// The kinds of the stores: SQLite, binary or XML.
    private(set) var kinds: Set<WholeStoreKind> = []
    /// The form of the newest store.
    private(set) var newestForm: StoreForm?

    init(
        of document: DocumentSnapshot, in storage: any RemoteStorage, _ keyring: RemoteKeyring
    ) throws(FileProblem) {
        var newest: FileTime?
        for store in document.wholeStores {
            guard let modified = store.store?.modified else { continue }
            // A damaged store shows nothing; a store that cannot be read at present may be the newest.
            let contents = try unlessInvalid { () throws(FileProblem) in
                try WholeStoreContents(
                    store.path.appending(RemoteLayout.wholeStoreFile), in: storage, keyring: keyring)
            }
            guard let contents else { continue }
            digests[store.client] = contents.modelDigest
            kinds.insert(contents.kind)
            guard newest.map({ modified > $0 }) ?? true else { continue }
            newest = modified
            newestForm =
                store.isFolder ? .folder : contents.layers.contains(.zip) ? .zip : .file
        }
    }
}
