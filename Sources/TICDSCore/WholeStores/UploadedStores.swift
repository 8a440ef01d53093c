public import SystemCalls

/// The whole stores of a document: their content, and the change sets that they contain.
public struct UploadedStores: Sendable {
    /// One upload. `contents` and `register` have the error if they could not be read.
    public struct Upload: Sendable {
        /// Identifier of the document.
        public var document: RemoteName
        /// Identifier of the client that uploaded it.
        public var client: RemoteName
        /// `Documents/<document>/WholeStore/<client>/WholeStore.ticdsync`
        public var path: RemotePath
        /// The size in bytes; for a folder, of all its files.
        public var size: Int64
        /// The time of the app's last write, which the framework takes for the time of the upload.
        public var modified: FileTime?
        /// The kind of the store itself: `.sqlite`, `.binary` or `.xml`; nil if the layers around it cannot be opened.
        public var kind: WholeStoreKind?
        /// The layers from the outside in; empty if `kind` is nil.
        public var layers: [WholeStoreKind]
        /// The content of the store, or the error of reading it.
        public var contents: Result<WholeStoreContents, FileProblem>
        /// Nil if there is no register beside the store.
        public var register: Result<RegisterCoverage, FileProblem>?
        /// Entities in change sets of the document that the store does not have; nil if that is unknown.
        public var unknownEntities: [String]?
    }

    /// The uploads, by client.
    public private(set) var uploads: [Upload] = []
    /// The errors of change sets that could not be read.
    public private(set) var unreadSets: [FileProblem] = []

    /// Opens every whole store of a document.
    /// - Parameters:
    ///   - clients: only stores of these; nil for all.
    ///   - readsChangeSets: whether to find the entities that the change sets name.
    public init(
        _ document: DocumentSnapshot, in storage: any RemoteStorage, keyring: RemoteKeyring,
        clients: Set<RemoteName>? = nil, readsChangeSets: Bool = true
    ) {
        let named = readsChangeSets ? entities(named: document, storage, keyring) : nil
        for store in document.wholeStores where clients?.contains(store.client) ?? true {
            let path = store.path.appending(RemoteLayout.wholeStoreFile)
            var opened: WholeStoreFile?
            let contents = Result { () throws(FileProblem) -> WholeStoreContents in
                let file = try WholeStoreFile.open(path, in: storage, keyring: keyring)
                opened = file
                return try WholeStoreContents(file, at: path, in: storage)
            }
            var register: Result<RegisterCoverage, FileProblem>?
            if let file = store.register {
                register = Result { () throws(FileProblem) in
                    try RegisterCoverage(file.path, of: document, in: storage)
                }
            }
            var unknown: [String]?
            if case .success(let contents) = contents, let named, !named.isEmpty {
                unknown = named.subtracting(contents.entities).sorted()
            }
            uploads.append(
                Upload(
                    document: document.identifier, client: store.client, path: path,
                    size: store.store?.size ?? 0, modified: store.store?.modified, kind: opened?.kind,
                    layers: opened?.layers ?? [], contents: contents, register: register,
                    unknownEntities: unknown))
        }
    }

    /// Entities of the objects that the change sets change, as far as these can be read.
    private mutating func entities(
        named document: DocumentSnapshot, _ storage: any RemoteStorage, _ keyring: RemoteKeyring
    ) -> Set<String> {
        var entities: Set<String> = []
        for client in document.clients {
            for file in client.changeSets {
                let place = client.path.appending(file.name)
                let path = place.filePath(under: storage.root)
                do throws(FileProblem) {
                    let reader = try ChangeSetReader(
                        keyring.read(storage, place, limit: .changeSet), path: path)
                    try reader.forEachOutline(onDamage: { _ in }) { entities.insert($0.entity) }
                } catch {
                    if error.isUnread || error.kind == .limit { unreadSets.append(error) }
                }
            }
        }
        return entities
    }
}

/// The change sets that were applied before a store was uploaded, according to its register.
public struct RegisterCoverage: Sendable, Hashable {
    /// The number of sets that the register names.
    public var named = 0
    /// The number of sets in the document that the register names.
    public var contained = 0
    /// The number of sets in the document that the register does not name: clients apply them after the store.
    public var lacking = 0
    /// The time of the oldest set that the register does not name.
    public var oldestLacking: FileTime?

    /// Reads a register.
    /// - Throws: `.unsupported` for an entry that is not a regular file; otherwise the errors of `ChangeSetRegister`.
    public init(
        _ file: RemotePath, of document: DocumentSnapshot, in storage: any RemoteStorage
    ) throws(FileProblem) {
        var names: Set<[UInt8]> = []
        try ChangeSetRegister(file, in: storage).forEachChangeSet { changeSet in
            if let identifier = changeSet.identifier { names.insert(Array(identifier.utf8)) }
        }
        named = names.count
        for client in document.clients {
            for set in client.changeSets {
                guard !names.contains(set.identifier.bytes) else {
                    contained += 1
                    continue
                }
                lacking += 1
                oldestLacking = oldestLacking.map { min($0, set.modified) } ?? set.modified
            }
        }
    }
}
