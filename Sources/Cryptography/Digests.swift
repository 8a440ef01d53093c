import CGcrypt

/// SHA-256 of data that comes in pieces (FIPS 180-4). A copy continues independently.
public struct SHA256 {
    private var digest = MessageDigest(key: nil)

    /// The digest of no data.
    public init() {}

    /// Adds data.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// Adds data.
    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { digest.update($0) } }

    /// The digest of the data so far, 32 bytes.
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

/// HMAC with SHA-256 of data that comes in pieces (RFC 2104). A copy continues independently.
public struct HMACSHA256 {
    private var digest: MessageDigest

    /// The code of no data.
    public init(key: [UInt8]) { digest = MessageDigest(key: key) }

    /// Adds data.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// Adds data.
    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { digest.update($0) } }

    /// The code of the data so far, 32 bytes.
    public func finalize() -> [UInt8] { digest.value }
}

/// SHA-256, or an HMAC with it, of data that comes in pieces. A copy continues independently.
private struct MessageDigest {
    private var context: Context

    /// - Parameter key: the key of an HMAC; nil for a simple digest.
    init(key: [UInt8]?) {
        Gcrypt.start
        context = Context(key)
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = Context(copying: context) }
        gcry_md_write(context.handle, bytes.baseAddress, bytes.count)
    }

    /// The digest of the data so far; more data can follow.
    var value: [UInt8] {
        let end = Context(copying: context)
        return Array(UnsafeBufferPointer(start: gcry_md_read(end.handle, 0), count: 32))
    }

    private final class Context {
        let handle: gcry_md_hd_t

        init(_ key: [UInt8]?) {
            let flags = key == nil ? 0 : GCRY_MD_FLAG_HMAC.rawValue
            handle = Self.opened { gcry_md_open(&$0, CInt(bitPattern: GCRY_MD_SHA256.rawValue), flags) }
            if let key { gcry_md_setkey(handle, key, key.count) }
        }

        init(copying other: Context) { handle = Self.opened { gcry_md_copy(&$0, other.handle) } }

        /// Opens a handle, independently of the data. It fails only without memory for some hundred bytes, which would
        /// end any Swift program.
        private static func opened(_ open: (inout gcry_md_hd_t?) -> gcry_error_t) -> gcry_md_hd_t {
            var new: gcry_md_hd_t?
            guard open(&new) == 0, let new else { preconditionFailure("no memory for a digest") }
            return new
        }

        deinit { gcry_md_close(handle) }
    }
}
