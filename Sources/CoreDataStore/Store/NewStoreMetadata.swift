public import KeyedArchive

extension StoreMetadata {
    /// The metadata of a new binary store. Core Data refuses a store without the version hash of each entity
    /// (core-data-binary-store(5), 4). `frameworkVersion` is the Core Data version of the apparent writer; 419 is iOS
    /// 6.
    public static func binary(
        of model: ManagedObjectModel, uuid: ArchivedUUID, frameworkVersion: Int = 419
    ) -> StoreMetadata {
        StoreMetadata(
            model.metadata(frameworkVersion, [("NSStoreType", "Binary"), ("NSStoreUUID", uuid.description)]))
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

extension ManagedObjectModel {
    /// The metadata of a new store of this model, followed by `more`.
    func metadata(_ frameworkVersion: Int, _ more: [(key: String, value: String)]) -> ArchivedValue {
        let hashes = versionHashes.sorted { $0.key.precedesInCodePoints($1.key) }.map {
            ArchivedPair(key: .string($0.key), value: .data($0.value))
        }
        let identifiers = versionIdentifiers.isEmpty ? [""] : versionIdentifiers
        let common: ArchivedValue = .dictionary([
            "NSPersistenceFrameworkVersion": .integer(Int128(frameworkVersion)),
            "NSStoreModelVersionHashes": .dictionary(hashes),
            "NSStoreModelVersionHashesVersion": .integer(3),
            "NSStoreModelVersionIdentifiers": .array(identifiers.map { .string($0) }),
        ])
        let rest = more.map { ArchivedPair(key: .string($0.key), value: .string($0.value)) }
        return .dictionary((common.pairs ?? []) + rest)
    }
}
