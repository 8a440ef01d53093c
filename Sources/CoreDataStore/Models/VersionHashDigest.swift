import Cryptography
import KeyedArchive

/// The digests of all version hashes in the metadata of newer stores (core-data-sqlite-store(5), 1.1).
public enum VersionHashDigest {
    /// `NSStoreModelVersionHashesDigest`, from Core Data 977: SHA-512 of names and hashes in Base64.
    public static func digest(of hashes: [String: [UInt8]]) -> String {
        var sum = SHA512()
        for (name, hash) in sorted(hashes) {
            sum.update(Array(name.utf8))
            sum.update(hash)
        }
        return Base64.text(sum.finalize())
    }

    /// `NSStoreModelVersionChecksumKey`, from Core Data 1333: SHA-256 of the hashes in Base64.
    public static func checksum(of hashes: [String: [UInt8]]) -> String {
        var sum = SHA256()
        for (_, hash) in sorted(hashes) { sum.update(hash) }
        return Base64.text(sum.finalize())
    }

    private static func sorted(_ hashes: [String: [UInt8]]) -> [(key: String, value: [UInt8])] {
        hashes.sorted { $0.key.precedesInCodePoints($1.key) }
    }
}
