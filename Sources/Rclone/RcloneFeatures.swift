import SystemCalls

/// The capabilities of a storage, from `operations/fsinfo`.
package struct RcloneFeatures: Decodable, Sendable {
    /// The smallest difference between two times in nanoseconds; a century if the storage has no times.
    package var precision: Int64
    /// The digests that it supports, the best first.
    package var hashes: [String]
    private var features: [String: Bool]

    /// The capabilities of a storage before any request.
    static let unknown = RcloneFeatures(precision: .max, hashes: [], features: [:])

    private enum CodingKeys: String, CodingKey {
        case precision = "Precision"
        case hashes = "Hashes"
        case features = "Features"
    }

    /// Whether files keep the times that they get.
    package var keepsTimes: Bool { precision < 1_000_000_000 * 86_400 }
    /// Whether a digest is available without reading the file.
    package var hasReadyHashes: Bool { !hashes.isEmpty && !has("SlowHash") }
    /// Whether one folder can contain two files with the same name, as on Google Drive.
    package var allowsTwins: Bool { has("DuplicateFiles") }
    /// Whether names that differ only in case are the same name.
    package var ignoresCase: Bool { has("CaseInsensitive") }
    /// Whether the server can move a file.
    package var moves: Bool { has("Move") }
    /// Whether the server can move a folder with everything in it.
    var movesFolders: Bool { has("DirMove") }
    /// Whether the server can copy a file.
    package var copies: Bool { has("Copy") }
    /// Whether a folder can exist without entries.
    package var holdsEmptyFolders: Bool { has("CanHaveEmptyDirectories") }
    /// Whether folders are only parts of names.
    package var isBucket: Bool { has("BucketBased") }

    private func has(_ feature: String) -> Bool { features[feature] ?? false }
}
