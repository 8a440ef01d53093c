import CGcrypt

/// SHA-256 of bytes that come in pieces (FIPS 180-4). A copy goes on by itself.
public struct SHA256 {
    private var digest = MessageDigest(GCRY_MD_SHA256)

    /// The digest of no bytes yet.
    public init() {}

    /// Takes the next bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// Takes the next bytes.
    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { digest.update($0) } }

    /// The 32 bytes of the digest of all bytes so far.
    public func finalize() -> [UInt8] { digest.value }

    /// The 32 bytes of the digest of `bytes`.
    public static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        Gcrypt.start
        return [UInt8](unsafeUninitializedCapacity: 32) { room, count in
            gcry_md_hash_buffer(
                CInt(bitPattern: GCRY_MD_SHA256.rawValue), room.baseAddress, bytes.baseAddress, bytes.count)
            count = 32
        }
    }

    /// The 32 bytes of the digest of `bytes`.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { hash($0) } }

    /// The digest of the digest of `bytes`, and so on for `rounds` digests in all.
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

/// SHA-512 of bytes that come in pieces (FIPS 180-4). A copy goes on by itself.
public struct SHA512 {
    private var digest = MessageDigest(GCRY_MD_SHA512)

    /// The digest of no bytes yet.
    public init() {}

    /// Takes the next bytes.
    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { digest.update($0) } }

    /// The 64 bytes of the digest of all bytes so far.
    public func finalize() -> [UInt8] { digest.value }
}

/// HMAC with SHA-256 of bytes that come in pieces (RFC 2104). A copy goes on by itself.
public struct HMACSHA256 {
    private var digest: MessageDigest

    /// The code of no bytes yet.
    public init(key: [UInt8]) { digest = MessageDigest(GCRY_MD_SHA256, key: key) }

    /// Takes the next bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    /// Takes the next bytes.
    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { digest.update($0) } }

    /// The 32 bytes of the code of all bytes so far.
    public func finalize() -> [UInt8] { digest.value }

    /// The 32 bytes of the code of `bytes`.
    public static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = HMACSHA256(key: key)
        code.update(bytes)
        return code.finalize()
    }
}
