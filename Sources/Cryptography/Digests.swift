import CGcrypt

/// SHA-256 of data that comes in pieces (FIPS 180-4).
public struct SHA256: ~Copyable {
    private var digest: MessageDigest

    /// The digest of no data.
    /// - Throws: an error if there is no memory for it.
    public init() throws(CryptographyError) { digest = try MessageDigest(key: nil) }

    /// Adds data.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// Adds data.
    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { digest.update($0) } }

    /// The digest of all data, 32 bytes. No data may follow.
    public func finalize() -> [UInt8] { digest.value }

    /// The digest of `bytes`, 32 bytes.
    public static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        Gcrypt.start
        return [UInt8](unsafeUninitializedCapacity: 32) { room, count in
            gcry_md_hash_buffer(
                CInt(bitPattern: GCRY_MD_SHA256.rawValue), room.baseAddress, bytes.baseAddress, bytes.count)
            count = 32
        }
    }

    /// The digest of `bytes`, 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { hash($0) } }

    /// The digest of the digest and so on, `rounds` times.
    public static func hash(_ bytes: [UInt8], rounds: Int) -> [UInt8] {
        var digest = hash(bytes)
        digest.withUnsafeMutableBytes { digest in
            for _ in 1..<max(1, rounds) {
                gcry_md_hash_buffer(
                    CInt(bitPattern: GCRY_MD_SHA256.rawValue), digest.baseAddress, digest.baseAddress,
                    digest.count)
            }
        }
        return digest
    }
}

/// Digests that storages have of their files, for comparison with the fetched bytes.
public enum StorageDigest: String, Sendable {
    case sha256, sha1, md5

    /// The digest of `bytes`; nil if the library refuses the algorithm, as for md5 in FIPS mode.
    public func hash(_ bytes: [UInt8]) -> [UInt8]? {
        Gcrypt.start
        let algorithm: gcry_md_algos =
            switch self {
            case .sha256: GCRY_MD_SHA256
            case .sha1: GCRY_MD_SHA1
            case .md5: GCRY_MD_MD5
            }
        let number = CInt(bitPattern: algorithm.rawValue)
        guard gcry_md_algo_info(number, CInt(bitPattern: GCRYCTL_TEST_ALGO.rawValue), nil, nil) == 0 else {
            return nil
        }
        var digest = [UInt8](repeating: 0, count: Int(gcry_md_get_algo_dlen(number)))
        digest.withUnsafeMutableBytes { room in
            bytes.withUnsafeBytes { gcry_md_hash_buffer(number, room.baseAddress, $0.baseAddress, $0.count) }
        }
        return digest
    }
}

/// HMAC with SHA-256 of data that comes in pieces (RFC 2104).
public struct HMACSHA256: ~Copyable {
    private var digest: MessageDigest

    /// The code of no data.
    /// - Throws: an error if there is no memory for it.
    public init(key: [UInt8]) throws(CryptographyError) { digest = try MessageDigest(key: key) }

    /// Adds data.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// Adds data.
    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { digest.update($0) } }

    /// The code of all data, 32 bytes. No data may follow.
    public func finalize() -> [UInt8] { digest.value }
}

/// SHA-256, or an HMAC with it, of data that comes in pieces. Not private: the optimiser of other modules names the type.
package struct MessageDigest: ~Copyable {
    private let handle: gcry_md_hd_t

    /// - Parameter key: the key of an HMAC; nil for a simple digest.
    init(key: [UInt8]?) throws(CryptographyError) {
        Gcrypt.start
        var new: gcry_md_hd_t?
        let flags = key == nil ? 0 : GCRY_MD_FLAG_HMAC.rawValue
        var code = gcry_md_open(&new, CInt(bitPattern: GCRY_MD_SHA256.rawValue), flags)
        if code == 0, let key { code = gcry_md_setkey(new, key, key.count) }
        if code != 0 { gcry_md_close(new) }
        try CryptographyError.check(code)
        guard let new else { throw CryptographyError(description: "no digest was made") }
        handle = new
    }

    deinit { gcry_md_close(handle) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        gcry_md_write(handle, bytes.baseAddress, bytes.count)
    }

    /// The digest of all data.
    var value: [UInt8] { Array(UnsafeBufferPointer(start: gcry_md_read(handle, 0), count: 32)) }
}
