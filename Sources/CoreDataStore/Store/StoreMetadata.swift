public import KeyedArchive

/// The metadata of a store (core-data-binary-store(5), 4; core-data-sqlite-store(5), 1.1).
public struct StoreMetadata: Sendable, Hashable {
    /// The whole dictionary, with the keys of the application.
    public var all: ArchivedValue
    /// "Binary" or "SQLite".
    public var storeType: String?
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
        storeType = all["NSStoreType"]?.stringValue
        self.uuid = uuid ?? all["NSStoreUUID"]?.stringValue
        frameworkVersion = all["NSPersistenceFrameworkVersion"]?.integerValue
        versionHashes = Self.versionHashes(all[Self.versionHashesKey])
        versionIdentifiers = all["NSStoreModelVersionIdentifiers"]?.elements?.compactMap(\.stringValue) ?? []
    }

    /// The first eight characters of the checksum of all version hashes, which identifies a model version; nil without
    /// version hashes.
    public var modelDigest: String? {
        versionHashes.isEmpty ? nil : String(VersionHashDigest.checksum(of: versionHashes).prefix(8))
    }

    static let versionHashesKey = "NSStoreModelVersionHashes"

    static func versionHashes(_ value: ArchivedValue?) -> [String: [UInt8]] {
        var hashes: [String: [UInt8]] = [:]
        for pair in value?.pairs ?? [] {
            if let name = pair.key.stringValue, let hash = pair.value.dataValue { hashes[name] = hash }
        }
        return hashes
    }
}
