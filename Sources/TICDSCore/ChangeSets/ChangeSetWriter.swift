public import CoreDataStore
public import KeyedArchive
import SystemCalls

/// Writes a change set: the binary store of sync changes that a client uploads as `<identifier>.syncchg`.
public enum ChangeSetWriter {
    /// The bytes of the file, with primary keys from 1 in the order given. `frameworkVersion` is the version of Core
    /// Data in the metadata: 419 is the version of iOS 6, when the framework was in use.
    /// - Parameter example: the metadata of a set that other clients read. The sets of an app whose models were merged
    ///   have the hashes of all models, and the app refuses a set without them. The new set gets the hashes of the
    ///   example.
    public static func bytes(
        of changes: some Sequence<SyncChange>, uuid: ArchivedUUID = .random(), frameworkVersion: Int = 419,
        like example: StoreMetadata? = nil
    ) throws(PropertyListError) -> [UInt8] {
        var draft = ChangeSetDraft(uuid: uuid, frameworkVersion: frameworkVersion, like: example)
        for change in changes { try draft.append(change) }
        return try draft.output().bytes
    }
}

/// A change set to which changes are added one by one; see ``ChangeSetWriter``.
package struct ChangeSetDraft {
    private var writer: BinaryStoreWriter
    /// The number of changes.
    package private(set) var count = 0

    /// A set without changes.
    package init(
        uuid: ArchivedUUID = .random(), frameworkVersion: Int = 419, like example: StoreMetadata? = nil
    ) {
        writer = BinaryStoreWriter(
            metadata: Self.metadata(uuid: uuid, frameworkVersion: frameworkVersion, like: example))
    }

    /// The metadata of a new set.
    package static func metadata(
        uuid: ArchivedUUID = .random(), frameworkVersion: Int = 419, like example: StoreMetadata? = nil
    ) -> StoreMetadata {
        StoreMetadata.binary(
            of: FrameworkModels.syncChange, uuid: uuid, frameworkVersion: frameworkVersion
        ).withModel(of: example)
    }

    /// Adds a change, with the next primary key.
    package mutating func append(_ change: SyncChange) throws(PropertyListError) {
        count += 1
        let slots: [ArchivedValue] = [
            .integer(Int128(change.type.number)), change.changedAttributes, change.changedRelationships,
            change.timestamp.map { .date($0) } ?? .null,
            Self.text(change.entity.isEmpty ? nil : change.entity), Self.text(change.objectSyncID),
            Self.text(change.relatedEntity), Self.text(change.key),
        ]
        try writer.append(entity: FrameworkModels.syncChangeEntity, primaryKey: Int64(count), slots: slots)
    }

    /// A number of bytes that the file has at least.
    package var leastSize: Int { writer.leastSize }

    /// The file, to be written in pieces.
    package mutating func output() throws(PropertyListError) -> BinaryStoreOutput { try writer.output() }

    private static func text(_ text: String?) -> ArchivedValue { text.map { .string($0) } ?? .null }
}

extension RemoteKeyring {
    /// The metadata of a change set of the remote, as an example for a new one; nil if it cannot be read, or if it has
    /// a different model of changes.
    package func changeSetMetadata(of file: RemotePath, in storage: any RemoteStorage) -> StoreMetadata? {
        // try?: nil means that this set is not an example
        guard let bytes = try? read(storage, file, limit: .changeSet),
            // try?: as above
            let reader = try? ChangeSetReader(bytes, path: file.filePath(under: storage.root))
        else { return nil }
        let entity = FrameworkModels.syncChangeEntity
        guard reader.versionHash(of: entity) == FrameworkModels.syncChange.versionHashes[entity] else {
            return nil
        }
        return reader.metadata
    }
}
