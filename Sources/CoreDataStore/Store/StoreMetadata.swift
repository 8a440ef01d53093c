public import KeyedArchive

/// The metadata of a store: what Core Data and the app noted about it (core-data-binary-store(5), 4;
/// core-data-sqlite-store(5), 1.1).
public struct StoreMetadata: Sendable, Hashable {
    /// The whole dictionary, app's own keys included.
    public var all: ArchivedValue
    /// "Binary" or "SQLite".
    public var storeType: String?
    /// The store's UUID, in upper case.
    public var uuid: String?
    /// NSPersistenceFrameworkVersion; it tells the system that wrote the store last.
    public var frameworkVersion: Int?
    /// The version hash of each entity of the model, 32 bytes each.
    public var versionHashes: [String: [UInt8]]
    /// What the developer called the version of the model; often one empty text.
    public var versionIdentifiers: [String]

    /// Metadata out of their dictionary. `uuid` replaces the dictionary's own, which an SQLite store keeps apart.
    public init(_ all: ArchivedValue, uuid: String? = nil) {
        self.all = all
        storeType = all["NSStoreType"]?.stringValue
        self.uuid = uuid ?? all["NSStoreUUID"]?.stringValue
        frameworkVersion = all["NSPersistenceFrameworkVersion"]?.integerValue
        versionHashes = Self.versionHashes(all[Self.versionHashesKey])
        versionIdentifiers = all["NSStoreModelVersionIdentifiers"]?.elements?.compactMap(\.stringValue) ?? []
    }

    /// The beginning of the digest over all version hashes, by which stores of one model version know each other; nil
    /// where the store has none.
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
