public import KeyedArchive

extension StoreMetadata {
    /// The metadata of a new binary store. Core Data refuses a store without the version hash of each entity
    /// (core-data-binary-store(5), 4). `frameworkVersion` is the Core Data version of the apparent writer; 419 is iOS
    /// 6.
    public static func binary(
        of model: ManagedObjectModel, uuid: ArchivedUUID, frameworkVersion: Int = 419
    ) -> StoreMetadata {
        let hashes = model.versionHashes.sorted { $0.key < $1.key }.map {
            ArchivedPair(key: .string($0.key), value: .data($0.value))
        }
        let identifiers = model.versionIdentifiers.isEmpty ? [""] : model.versionIdentifiers
        return StoreMetadata(
            .dictionary([
                "NSPersistenceFrameworkVersion": .integer(Int128(frameworkVersion)),
                "NSStoreModelVersionHashes": .dictionary(hashes),
                "NSStoreModelVersionHashesVersion": .integer(3),
                "NSStoreModelVersionIdentifiers": .array(identifiers.map { .string($0) }),
                "NSStoreType": .string("Binary"),
                "NSStoreUUID": .string(uuid.description),
            ]))
    }

    /// This metadata with the model of another store: its version hashes, version identifiers and hash version.
    public func withModel(of other: StoreMetadata?) -> StoreMetadata {
        guard let other, !other.versionHashes.isEmpty, let own = all.pairs else { return self }
        func isOfModel(_ pair: ArchivedPair) -> Bool {
            pair.key.stringValue?.hasPrefix("NSStoreModelVersion") == true
        }
        let theirs = (other.all.pairs ?? []).filter(isOfModel)
        return StoreMetadata(.dictionary(own.filter { !isOfModel($0) } + theirs))
    }
}
