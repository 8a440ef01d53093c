import Cryptography

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The two texts over all version hashes that newer frameworks add to the metadata of a store
/// (core-data-sqlite-store(5), 1.1).
public enum VersionHashDigest {
    /// `NSStoreModelVersionHashesDigest`, framework 977 and later: SHA-512 of names and hashes, in base64.
    public static func digest(of hashes: [String: [UInt8]]) -> String {
        var sum = SHA512()
        for (name, hash) in sorted(hashes) {
            sum.update(Array(name.utf8))
            sum.update(hash)
        }
        return Data(sum.finalize()).base64EncodedString()
    }

    /// `NSStoreModelVersionChecksumKey`, framework 1333 and later: SHA-256 of the hashes alone, in base64.
    public static func checksum(of hashes: [String: [UInt8]]) -> String {
        var sum = SHA256()
        for (_, hash) in sorted(hashes) { sum.update(hash) }
        return Data(sum.finalize()).base64EncodedString()
    }

    private static func sorted(_ hashes: [String: [UInt8]]) -> [(key: String, value: [UInt8])] {
        hashes.sorted { $0.key.precedesInCodePoints($1.key) }
    }
}
