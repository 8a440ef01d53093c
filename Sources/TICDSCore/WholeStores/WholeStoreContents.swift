public import CoreDataStore
public import SystemCalls

/// The content of an uploaded whole store.
public struct WholeStoreContents: Sendable {
    /// The kind of the store itself: `.sqlite`, `.binary` or `.xml`.
    public var kind: WholeStoreKind
    /// The layers from the outside in, for example `[.encrypted, .zip, .sqlite]`.
    public var layers: [WholeStoreKind]
    /// The name of the store in its zip.
    public var memberName: RemoteName?
    /// Whether a folder of external binary data is beside the store.
    public var hasExternalData: Bool
    /// The metadata that Core Data and the app wrote about the store.
    public var metadata: StoreMetadata
    /// Entities that have objects, with their numbers.
    public var counts: [EntityCount]
    /// All entities of the store.
    public var entities: Set<String>
    /// The notes for readers of the data.
    public var notes: [StoreNote]
    /// The reasons why objects may be missing.
    public var shortfalls: [FileProblem]
    /// Files of external data that cannot be read.
    public var gaps: ExternalDataGaps

    /// The number of objects of all entities.
    public var objects: Int { counts.reduce(0) { $0 + $1.count } }

    /// The beginning of the digest over all version hashes; see `StoreMetadata.modelDigest`.
    public var modelDigest: String? { metadata.modelDigest }

    /// Reads the store at `path` of a remote, in any of its forms. Changes nothing in the remote.
    /// - Throws: the errors of `WholeStoreFile.open` and `PersistentStores.open`.
    public init(
        _ path: RemotePath, in storage: any RemoteStorage, keyring: RemoteKeyring
    ) throws(FileProblem) {
        try self.init(WholeStoreFile.open(path, in: storage, keyring: keyring), at: path, in: storage)
    }

    /// Reads a store that was opened; `path` is its path in the remote.
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
            // Problems of a private copy are reported for the file in the remote.
            throw file.isCopy ? error.renamed(path.filePath(under: storage.root)) : error
        }
    }
}

/// The form of a whole store that is a folder (ticds-field-notes(7), 1).
public enum WholeStoreFolder {
    /// The clients' name for the store in it.
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
