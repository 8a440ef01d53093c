import CGcrypt

/// SHA-256 of data that comes in pieces (FIPS 180-4). A copy continues independently.
public struct SHA256 {
    private var digest = MessageDigest(GCRY_MD_SHA256)

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

/// SHA-512 of data that comes in pieces (FIPS 180-4). A copy continues independently.
public struct SHA512 {
    private var digest = MessageDigest(GCRY_MD_SHA512)

    /// The digest of no data.
    public init() {}

    /// Adds data.
    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { digest.update($0) } }

    /// The digest of the data so far, 64 bytes.
    public func finalize() -> [UInt8] { digest.value }
}

/// HMAC with SHA-256 of data that comes in pieces (RFC 2104). A copy continues independently.
public struct HMACSHA256 {
    private var digest: MessageDigest

    /// The code of no data.
    public init(key: [UInt8]) { digest = MessageDigest(GCRY_MD_SHA256, key: key) }

    /// Adds data.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// Adds data.
    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { digest.update($0) } }

    /// The code of the data so far, 32 bytes.
    public func finalize() -> [UInt8] { digest.value }

    /// The code of `bytes`, 32 bytes.
    public static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = HMACSHA256(key: key)
        code.update(bytes)
        return code.finalize()
    }
}
