import ArgumentParser
import Base
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages

/// Opens stores that the command line names.
struct StoreOptions: ParsableArguments {
    @Option(
        help: .value(
            "model",
            "The managed object model: a .mom, .momd, .xcdatamodel or .xcdatamodeld, a contents or elements "
                + "file; a store that contains its model; or a folder in which to look for the model that fits."
        ),
        completion: .file())
    var model: String?

    @Flag(help: "Use the model even if the store was saved with another version of it.")
    var acceptMismatch = false

    @OptionGroup var password: PasswordOptions

    /// Options of a command that reads command lines.
    init() {}

    /// A model, which must be the one that stores were saved with, and the options for passwords.
    init(model: String?, _ password: PasswordOptions) {
        self.model = model
        acceptMismatch = false
        self.password = password
    }

    /// Opens the store named `argument`: a loose file, or a whole store of a remote.
    func open(_ argument: String, of place: WholeStoreOptions, _ context: CommandContext) throws
        -> OpenedStore
    {
        try open(opened: try place.file(argument, password, context), context)
    }

    /// Opens a store, and prints the warnings for its readers.
    func open(opened file: StoreFile, _ context: CommandContext) throws -> OpenedStore {
        let opened = OpenedStore(file: file, store: try open(file))
        opened.warn(context)
        return opened
    }

    /// Opens two stores, and prints the warnings for their readers. A store without a model gets the one of the other store
    /// if it was saved with it.
    /// - Throws: `.refused` if the names of properties come from a model in one store only, or from two kinds of files.
    func open(
        opened files: (StoreFile, StoreFile), _ context: CommandContext
    ) throws -> (OpenedStore, OpenedStore) {
        var stores = (try open(files.0), try open(files.1))
        if let model = stores.1.model { stores.0 = try adopt(model, stores.0, files.0) }
        if let model = stores.0.model { stores.1 = try adopt(model, stores.1, files.1) }
        let hasModel = (stores.0.model != nil, stores.1.model != nil)
        guard hasModel.0 == hasModel.1, hasModel.0 || files.0.layers.last == files.1.layers.last else {
            throw FileProblem(
                .refused, path: (hasModel.0 ? files.1 : files.0).origin,
                "without the model the names of properties differ from those of the other store",
                advice: "Name the model with --model; a folder with the models of both works, too")
        }
        let opened = (
            OpenedStore(file: files.0, store: stores.0), OpenedStore(file: files.1, store: stores.1)
        )
        opened.0.warn(context)
        opened.1.warn(context)
        return opened
    }

    /// A store without a model, opened again with `model` if it was saved with that; any other store as it is.
    private func adopt(
        _ model: ManagedObjectModel, _ store: any PersistentStore, _ file: StoreFile
    ) throws -> any PersistentStore {
        let hashes = store.metadata.versionHashes
        guard store.model == nil, !hashes.isEmpty,
            VersionHashComparison(model: model, storeHashes: hashes).fits
        else { return store }
        return try PersistentStores.open(file.path, model: model, gaps: file.gaps, admitsDamage: true)
    }

    private func open(_ file: StoreFile) throws -> any PersistentStore {
        do { return try open(file, at: file.path) } catch let problem as FileProblem {
            throw file.visible(problem)
        }
    }

    private func open(_ file: StoreFile, at path: FilePath) throws -> any PersistentStore {
        if let model {
            let mismatch: ModelMismatch = acceptMismatch ? .accept : .refuse
            let found = try ModelFile.load(
                Environment.path(argument: model), for: path, mismatch: mismatch, admitsDamage: true)
            return try PersistentStores.open(
                path, model: found.model, mismatch: mismatch, gaps: file.gaps, admitsDamage: true)
        }
        let store = try PersistentStores.open(path, gaps: file.gaps, admitsDamage: true)
        guard store.model == nil, let own = Self.frameworkModel(for: store.metadata) else { return store }
        return try PersistentStores.open(path, model: own)
    }

    /// The framework's own model for a store that was saved with it: a change set or a register. Nil for any other
    /// store.
    private static func frameworkModel(for metadata: StoreMetadata) -> ManagedObjectModel? {
        [FrameworkModels.syncChange, FrameworkModels.syncChangeSet].first {
            !metadata.versionHashes.isEmpty
                && VersionHashComparison(model: $0, storeHashes: metadata.versionHashes).fits
        }
    }
}

/// The options for the whole store, if the command line names a remote.
struct WholeStoreOptions: ParsableArguments {
    @OptionGroup var document: DocumentOptions
    @OptionGroup var clients: ClientOptions

    /// The store `argument`: a path, or the only whole store of the document and client in a remote.
    /// - Throws: `FileProblem` of kind `unknownName` or `ambiguous` that lists the stores.
    func file(_ argument: String, _ password: PasswordOptions, _ context: CommandContext) throws -> StoreFile
    {
        try file(argument, clients, password, context)
    }

    /// The stores that two arguments name, or one remote with two clients.
    func files(
        _ first: String, _ second: String?, _ password: PasswordOptions, _ context: CommandContext
    ) throws -> (StoreFile, StoreFile) {
        if let second { return (try file(first, password, context), try file(second, password, context)) }
        guard clients.clients.count == 2 else {
            throw ValidationError("Name two stores, or one REMOTE and two clients with --client.")
        }
        let files = try clients.clients.map { name in
            var one = ClientOptions()
            one.clients = [name]
            return try file(first, one, password, context)
        }
        return (files[0], files[1])
    }

    private func file(
        _ argument: String, _ clients: ClientOptions, _ password: PasswordOptions,
        _ context: CommandContext
    ) throws -> StoreFile {
        let address = try RemoteAddress(argument: argument)
        if let path = try address.store {
            let store = try StoreFile(path, password)
            guard document.document == nil, clients.clients.isEmpty else {
                throw ValidationError("--document and --client need a REMOTE; \(argument) is a store.")
            }
            return store
        }
        let remote = try RemoteStores(address, document, clients, password, context)
        let places = remote.documents.flatMap { document in
            document.wholeStores.filter { remote.clients?.contains($0.client) ?? true }.map { store in
                (store.path, "\(document.identifier.text), \(remote.name(of: store.client))")
            }
        }
        if places.count < 2, let gap = remote.unlisted { throw gap }
        guard places.count == 1 else {
            let without = remote.clientsWithoutStore.first.map { escapedText(remote.name(of: $0)) }
            throw FileProblem(
                places.isEmpty ? .unknownName : .ambiguous, path: remote.remote.path,
                places.isEmpty
                    ? "there is no whole store\(without.map { " of \($0)" } ?? "")"
                    : "several whole stores can be meant",
                found: places.isEmpty ? nil : places.map { escapedText($0.1) }.joined(separator: "; "),
                advice: "Choose with --document and --client; ticds-store list shows all")
        }
        let place = places[0].0.appending(RemoteLayout.wholeStoreFile)
        var store = try StoreFile(place, of: remote)
        store.notes += remote.lag(of: place)
        return store
    }
}

/// A store, and its file, which keeps a private copy in existence.
struct OpenedStore {
    let file: StoreFile
    let store: any PersistentStore

    /// Prints the warnings for readers of the store.
    fileprivate func warn(_ context: CommandContext) {
        let model = store.model.map { "model of \($0.entities.count) entities" } ?? "no model"
        context.inform("reading \(file.visiblePath), \(model)")
        for note in store.notes { context.warn(note.text) }
        for problem in store.shortfalls { context.report(short: file.visible(problem)) }
        for note in file.notes { context.warn(note.text) }
    }
}

/// A store as named on the command line, in readable form: in place, or as a private copy that exists as long as this
/// value.
struct StoreFile {
    /// The file to open.
    let path: FilePath
    /// The path at which the user finds the store, which differs from ``path`` for a private copy.
    let origin: FilePath
    /// The time of the app's last write.
    let modified: FileTime
    /// The layers from the outside in, such as `[.encrypted, .zip, .sqlite]`.
    let layers: [WholeStoreKind]
    /// The notes for readers of the store.
    fileprivate(set) var notes: [StoreNote]
    /// Files of external data that could not be read.
    let gaps: ExternalDataGaps
    private let copy: WholeStoreFile?

    /// The path for people: ``path``, but the origin of a private copy.
    var visiblePath: FilePath { copy?.isCopy == true ? origin : path }

    /// A problem with a private copy as one with its origin.
    func visible(_ problem: FileProblem) -> FileProblem {
        var problem = problem
        if problem.path == path { problem.path = visiblePath }
        return problem
    }

    /// The permissions of the file of which ``path`` is a private copy: all, if the file has no local permissions. Nil
    /// if it is not a copy.
    var mode: UInt32? {
        get throws(FileProblem) {
            copy == nil ? nil : try FileStatus.ifPresent(origin)?.mode ?? 0o666
        }
    }

    /// - Throws: the errors of `WholeStoreFile.open` for a zipped, encrypted or folder store.
    init(_ named: FilePath, _ password: PasswordOptions) throws(FileProblem) {
        if let (remote, place) = try RemoteAddress(path: named).archivedFile {
            let storage = try remote.storage()
            let isPlain = try Self.isPlainStore(place, storage)
            let keyring = try isPlain ? RemoteKeyring(.plain) : OpenRemote.keyring(storage, password)
            self.init(try WholeStoreFile.open(place, in: storage, keyring: keyring), origin: named)
            return
        }
        try Sidecar.refuseOrphan(of: named)
        let status = try FileStatus.of(named)
        if status.kind == .file {
            try Sidecar.refuse(named)
            let kind = try WholeStoreKind(ofPlain: named)
            guard kind != .empty else {
                throw FileProblem(
                    .damaged, path: named, offset: 0, "the store is empty",
                    expected: "an SQLite, binary or XML store", found: "0 bytes",
                    advice:
                        "A program may be copying it, or it was not downloaded: try again, or use another copy"
                )
            }
            if kind.isStore {
                self.init(named, modified: status.modified, kind)
                return
            }
        }
        guard let whole = try named.resolved() else {
            throw FileProblem(
                .missing, path: named, "is a symbolic link that leads nowhere",
                advice: "Name the file itself, or mount its volume")
        }
        let remote = try RemoteLocation.remote(around: whole)
        let storage = LocalStorage(root: remote ?? whole.removingLastComponent())
        let names = whole.components.dropFirst(storage.root.components.count)
        let place = RemotePath(names.map { RemoteName($0.bytes) })
        let keyring = remote == nil ? RemoteKeyring(.plain) : try OpenRemote.keyring(storage, password)
        self.init(try WholeStoreFile.open(place, in: storage, keyring: keyring), origin: named)
    }

    /// Whether a file is an unencrypted store, which needs no password in an encrypted remote.
    private static func isPlainStore(
        _ file: RemotePath, _ storage: any RemoteStorage
    ) throws(FileProblem) -> Bool {
        guard try storage.status(of: file).kind == .file else { return false }
        let head = try storage.head(file, count: PlainSignature.headSize)
        return WholeStoreKind(head: head, kind: .file, isEncrypted: false).isStore
    }

    /// A store that a client uploaded.
    /// - Throws: `.damaged` for an empty file.
    init(_ place: RemotePath, of remote: RemoteStores) throws(FileProblem) {
        let storage = remote.remote.storage
        guard try storage.status(of: place).size > 0 else {
            throw FileProblem(
                .damaged, path: place.filePath(under: storage.root), offset: 0, "the whole store is empty",
                found: "0 bytes",
                advice: "It may not have been downloaded yet; otherwise use the store of another client")
        }
        self.init(
            try WholeStoreFile.open(place, in: storage, keyring: remote.remote.keyring()),
            origin: place.filePath(under: storage.root))
    }

    /// An unencrypted store in its place.
    private init(_ path: FilePath, modified: FileTime, _ kind: WholeStoreKind) {
        self.path = path
        origin = path
        self.modified = modified
        layers = [kind]
        notes = []
        gaps = ExternalDataGaps()
        copy = nil
    }

    private init(_ opened: WholeStoreFile, origin: FilePath) {
        path = opened.path
        self.origin = origin
        modified = opened.modified
        layers = opened.layers
        notes = opened.notes
        gaps = opened.gaps
        copy = opened
    }
}

extension RemoteAddress {
    /// The path of a store: a file or folder that is no remote, or a file in an archive. Nil for a remote.
    var store: FilePath? {
        get throws(FileProblem) {
            if archivedFile != nil { return root }
            guard case .folder(let path) = self else { return nil }
            let remote = try unlessInvalid { () throws(FileProblem) in try RemoteLocation.find(path) }
            return remote == nil ? path : nil
        }
    }
}

extension ExitStatus {
    /// The exit status for problems of reading: `password` if the password is missing or wrong, otherwise `partial`.
    static func unread(_ problems: [FileProblem]) -> ExitStatus {
        if problems.isEmpty { return .success }
        return problems.contains { $0.kind == .encrypted || $0.kind == .wrongPassword } ? .password : .partial
    }
}
