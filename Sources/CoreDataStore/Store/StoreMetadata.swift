public import KeyedArchive

/// The metadata of a store (core-data-binary-store(5), 4; core-data-sqlite-store(5), 1.1).
public struct StoreMetadata: Sendable, Hashable {
    /// The whole dictionary, including the keys of the app.
    public var all: ArchivedValue
    /// The UUID of the store, in upper case.
    public var uuid: String?
    /// NSPersistenceFrameworkVersion: the version of Core Data that last saved the store.
    public var frameworkVersion: Int?
    /// The version hash of each entity of the model, 32 bytes each.
    public var versionHashes: [String: [UInt8]]
    /// The version identifiers of the model; often an empty string.
    public var versionIdentifiers: [String]

    /// Metadata from its dictionary. `uuid` is the UUID of an SQLite store, which has a column of its own.
    public init(_ all: ArchivedValue, uuid: String? = nil) {
        self.all = all
        self.uuid = uuid ?? all[Self.uuidKey]?.stringValue
        frameworkVersion = all["NSPersistenceFrameworkVersion"]?.integerValue
        versionHashes = Self.versionHashes(all[Self.versionHashesKey])
        versionIdentifiers = all["NSStoreModelVersionIdentifiers"]?.elements?.compactMap(\.stringValue) ?? []
    }

    /// The first eight characters of the checksum of all version hashes, which identifies a model version; nil without
    /// version hashes.
    public var modelDigest: String? {
        versionHashes.isEmpty ? nil : String(versionChecksum(of: versionHashes).prefix(8))
    }

    static let uuidKey = "NSStoreUUID"
    static let typeKey = "NSStoreType"
    package static let versionHashesKey = "NSStoreModelVersionHashes"

    /// The pairs of the app, in the order of the store: those whose keys do not begin like the ones of Core Data.
    public var appPairs: [ArchivedPair] {
        (all.pairs ?? []).filter { pair in
            guard let key = pair.key.stringValue else { return false }
            return !["NSStore", "NSPersisten", "_NS"].contains { key.hasPrefix($0) }
        }
    }

    static func versionHashes(_ value: ArchivedValue?) -> [String: [UInt8]] {
        var hashes: [String: [UInt8]] = [:]
        for pair in value?.pairs ?? [] {
            if let name = pair.key.stringValue, let hash = pair.value.dataValue { hashes[name] = hash }
        }
        return hashes
    }
}

extension StoreMetadata {
    /// The metadata of a new binary store. Core Data refuses a store without the version hash of each entity
    /// (core-data-binary-store(5), 4). `frameworkVersion` is the Core Data version of the apparent writer; 419 is iOS
    /// 6.
    public static func binary(
        of model: ManagedObjectModel, uuid: ArchivedUUID, frameworkVersion: Int = 419
    ) -> StoreMetadata {
        StoreMetadata(
            model.metadata(frameworkVersion, [(typeKey, "Binary"), (uuidKey, uuid.description)]))
    }

    /// This metadata with the model of a different store: its version hashes, version identifiers and hash version.
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
    /// The metadata of a new store of this model, followed by `more` and the pairs of the app.
    func metadata(
        _ frameworkVersion: Int, _ more: [(key: String, value: String)], _ appPairs: [ArchivedPair] = []
    ) -> ArchivedValue {
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
        return .dictionary((common.pairs ?? []) + rest + appPairs)
    }
}
