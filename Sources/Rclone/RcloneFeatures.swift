import SystemCalls

/// What a storage can do, as `operations/fsinfo` tells.
package struct RcloneFeatures: Decodable, Sendable {
    /// The smallest difference of two times in nanoseconds; a century where the storage has no times.
    package var precision: Int64
    /// The digests that it knows, the best first.
    package var hashes: [String]
    private var features: [String: Bool]

    /// Of a storage that was not asked.
    static let unknown = RcloneFeatures(precision: .max, hashes: [], features: [:])

    private enum CodingKeys: String, CodingKey {
        case precision = "Precision"
        case hashes = "Hashes"
        case features = "Features"
    }

    /// Whether files keep the time that they are given.
    package var keepsTimes: Bool { precision < 1_000_000_000 * 86_400 }
    /// Whether a digest costs no reading of the file.
    package var hasReadyHashes: Bool { !hashes.isEmpty && !has("SlowHash") }
    /// Whether one folder can hold two files of one name, as on Google Drive.
    package var allowsTwins: Bool { has("DuplicateFiles") }
    /// Whether names that differ only in case are one.
    package var ignoresCase: Bool { has("CaseInsensitive") }
    /// Whether the server can move a file.
    package var moves: Bool { has("Move") }
    /// Whether the server can move a folder with everything in it.
    var movesFolders: Bool { has("DirMove") }
    /// Whether the server can copy a file.
    package var copies: Bool { has("Copy") }
    /// Whether a folder can be there without anything in it.
    package var holdsEmptyFolders: Bool { has("CanHaveEmptyDirectories") }
    /// Whether folders are only parts of names.
    package var isBucket: Bool { has("BucketBased") }

    private func has(_ feature: String) -> Bool { features[feature] ?? false }
}
