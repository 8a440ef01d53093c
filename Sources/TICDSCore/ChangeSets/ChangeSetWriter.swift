import CoreDataStore
public import KeyedArchive

/// Writes a change set: the binary store of sync changes that a client uploads as `<identifier>.syncchg`.
public enum ChangeSetWriter {
    /// The bytes of the file, with primary keys from 1 in the order given. `frameworkVersion` is that of the system
    /// that is to be taken for the author: 419 is iOS 6, when the framework was in use.
    public static func bytes(
        of changes: some Sequence<SyncChange>, uuid: ArchivedUUID = .random(), frameworkVersion: Int = 419
    ) throws(PropertyListError) -> [UInt8] {
        var writer = BinaryStoreWriter(
            metadata: .binary(of: FrameworkModels.syncChange, uuid: uuid, frameworkVersion: frameworkVersion))
        for (position, change) in changes.enumerated() {
            let slots: [ArchivedValue] = [
                .integer(Int128(change.type.number)), change.changedAttributes, change.changedRelationships,
                change.timestamp.map { .date($0) } ?? .null, .string(change.entity),
                text(change.objectSyncID),
                text(change.relatedEntity), text(change.key),
            ]
            try writer.append(
                entity: FrameworkModels.syncChangeEntity, primaryKey: Int64(position + 1), slots: slots)
        }
        return try writer.finish()
    }

    private static func text(_ text: String?) -> ArchivedValue { text.map { .string($0) } ?? .null }
}
