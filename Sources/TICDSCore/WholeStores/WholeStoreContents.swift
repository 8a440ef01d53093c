public import CoreDataStore
public import SystemCalls

/// What is in an uploaded whole store.
public struct WholeStoreContents: Sendable {
    /// What the store itself is: `.sqlite`, `.binary` or `.xml`.
    public var kind: WholeStoreKind
    /// What was found from the outside in: `[.encrypted, .zip, .sqlite]`, say.
    public var layers: [WholeStoreKind]
    /// The name of the store in its zip.
    public var memberName: RemoteName?
    /// Whether a folder of external binary data lies beside it.
    public var hasExternalData: Bool
    /// What Core Data and the app noted about the store.
    public var metadata: StoreMetadata
    /// Entities that have objects, with their numbers.
    public var counts: [EntityCount]
    /// All entities of the store.
    public var entities: Set<String>
    /// What a reader of the data must know.
    public var notes: [StoreNote]
    /// Why objects may be missing.
    public var shortfalls: [FileProblem]
    /// Files of external data that cannot be read.
    public var gaps: ExternalDataGaps

    /// Objects of all entities.
    public var objects: Int { counts.reduce(0) { $0 + $1.count } }

    /// The beginning of the digest over all version hashes; see `StoreMetadata.modelDigest`.
    public var modelDigest: String? { metadata.modelDigest }

    /// Reads the store at `path` of a remote, in any of its forms. Nothing in the remote is changed.
    /// - Throws: what `WholeStoreFile.open` and `PersistentStores.open` throw.
    public init(
        _ path: RemotePath, in storage: any RemoteStorage, keyring: RemoteKeyring
    ) throws(FileProblem) {
        try self.init(WholeStoreFile.open(path, in: storage, keyring: keyring), at: path, in: storage)
    }

    /// Reads a store that was opened: `path` is its place in the remote.
    init(
        _ file: WholeStoreFile, at path: RemotePath, in storage: any RemoteStorage
    ) throws(FileProblem) {
        do throws(FileProblem) {
            let store = try PersistentStores.open(file.path, gaps: file.gaps)
            kind = file.kind
            layers = file.layers
            memberName = file.memberName.map { RemoteName($0) }
            hasExternalData = file.externalData != nil
            metadata = store.metadata
            counts = try store.objectCounts()
            entities = Set(store.metadata.versionHashes.keys).union(counts.map(\.entity))
            if let store = store as? SQLiteStore { entities.formUnion(store.entityNames) }
            notes = store.notes + file.notes
            shortfalls = store.shortfalls.map {
                file.isCopy ? $0.renamed(path.filePath(under: storage.root)) : $0
            }
            gaps = file.gaps
        } catch {
            // Problems of a private copy are those of the file in the remote.
            throw file.isCopy ? error.renamed(path.filePath(under: storage.root)) : error
        }
    }
}

/// The form of a whole store that is a folder (ticds-field-notes(7), 1).
public enum WholeStoreFolder {
    /// What clients call the store in it.
    public static let storeName: RemoteName = "Data"

    /// False for hidden files, and for the companions of an SQLite store.
    public static func mayBeStore(_ name: RemoteName) -> Bool {
        !name.isHidden && !["-wal", "-shm", "-journal"].contains { name.removing(suffix: $0) != nil }
    }

    /// The folder of the external data of a store: `.<name without extension>_SUPPORT/_EXTERNAL_DATA` beside it
    /// (core-data-sqlite-store(5), 2.4).
    public static func externalData(of store: RemotePath) -> RemotePath? {
        store.last.map { store.parent.appending(support(of: $0)).appending("_EXTERNAL_DATA") }
    }

    static func support(of store: RemoteName) -> RemoteName {
        RemoteName([UInt8(ascii: ".")] + store.withoutExtension.bytes).appending(suffix: "_SUPPORT")
    }
}
