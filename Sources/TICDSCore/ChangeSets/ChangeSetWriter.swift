import CoreDataStore
public import KeyedArchive

/// Writes a change set: the binary store of sync changes that a client uploads as `<identifier>.syncchg`.
public enum ChangeSetWriter {
    /// The bytes of the file, with primary keys from 1 in the order given. `frameworkVersion` is that of the system
    /// that is to be taken for the author: 419 is iOS 6, when the framework was in use.
    public static func bytes(
        of changes: some Sequence<SyncChange>, uuid: ArchivedUUID = .random(), frameworkVersion: Int = 419
    ) throws(PropertyListError) -> [UInt8] {
        var writer = BinaryStoreWriter(metadata: metadata(uuid, frameworkVersion))
        for (position, change) in changes.enumerated() {
            let slots: [ArchivedValue] = [
                .integer(Int128(change.type.number)), change.changedAttributes, change.changedRelationships,
                change.timestamp.map { .date($0) } ?? .null, .string(change.entity), text(change.objectSyncID),
                text(change.relatedEntity), text(change.key),
            ]
            try writer.append(
                entity: FrameworkModels.syncChangeEntity, primaryKey: Int64(position + 1), slots: slots)
        }
        return try writer.finish()
    }

    private static func text(_ text: String?) -> ArchivedValue { text.map { .string($0) } ?? .null }

    /// Core Data refuses a file without the version hash of its entity (core-data-binary-store.md, 4).
    private static func metadata(_ uuid: ArchivedUUID, _ frameworkVersion: Int) -> StoreMetadata {
        let hashes = FrameworkModels.syncChange.versionHashes.sorted { $0.key < $1.key }.map {
            ArchivedPair(key: .string($0.key), value: .data($0.value))
        }
        return StoreMetadata(.dictionary([
            "NSPersistenceFrameworkVersion": .integer(Int128(frameworkVersion)),
            "NSStoreModelVersionHashes": .dictionary(hashes),
            "NSStoreModelVersionHashesVersion": .integer(3),
            "NSStoreModelVersionIdentifiers": .array([.string("")]),
            "NSStoreType": .string("Binary"),
            "NSStoreUUID": .string(uuid.description),
        ]))
    }
}
