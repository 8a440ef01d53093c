import CGcrypt

/// AES-256 in CBC mode (FIPS 197, SP 800-38A) without padding. The data comes in pieces of complete blocks of 16 bytes;
/// the last ciphertext block of each piece is the initialisation vector of the next.
public struct BlockCipher: ~Copyable {
    private let handle: gcry_cipher_hd_t

    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - vector: the initialisation vector, 16 bytes.
    public init(key: some Collection<UInt8>, vector: some Collection<UInt8>) throws(CryptographyError) {
        Gcrypt.start
        let (key, vector) = (Array(key), Array(vector))
        var new: gcry_cipher_hd_t?
        try CryptographyError.check(
            gcry_cipher_open(
                &new, CInt(bitPattern: GCRY_CIPHER_AES256.rawValue),
                CInt(bitPattern: GCRY_CIPHER_MODE_CBC.rawValue), 0))
        guard let new else { throw CryptographyError(description: "no cipher was made") }
        var code = gcry_cipher_setkey(new, key, key.count)
        if code == 0 { code = gcry_cipher_setiv(new, vector, vector.count) }
        if code != 0 { gcry_cipher_close(new) }
        try CryptographyError.check(code)
        handle = new
    }

    deinit { gcry_cipher_close(handle) }

    /// Decrypts whole blocks in place.
    public mutating func decrypt(_ bytes: UnsafeMutableRawBufferPointer) throws(CryptographyError) {
        try CryptographyError.check(gcry_cipher_decrypt(handle, bytes.baseAddress, bytes.count, nil, 0))
    }

    /// Encrypts whole blocks in place.
    public mutating func encrypt(_ bytes: UnsafeMutableRawBufferPointer) throws(CryptographyError) {
        try CryptographyError.check(gcry_cipher_encrypt(handle, bytes.baseAddress, bytes.count, nil, 0))
    }
}

/// libgcrypt, the library with the digests and the cipher.
public enum Gcrypt {
    /// The version of the loaded library.
    public static var version: String { gcry_check_version(nil).map { String(cString: $0) } ?? "unknown" }

    /// Initialises the library at its first use.
    static let start: Void = ticds_gcrypt_start()
}

/// An error of libgcrypt, in practice for a length that is not a multiple of the block size, or for a lack of memory.
public struct CryptographyError: Error, CustomStringConvertible {
    public let description: String
    /// Whether the system has no more memory for this process.
    public let isNoMemory: Bool

    init(description: String) {
        self.description = description
        isNoMemory = false
    }

    private init(_ code: gcry_error_t) {
        isNoMemory = gcry_err_code(code) == GPG_ERR_ENOMEM
        description = gcry_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Throws unless `code` means success.
    static func check(_ code: gcry_error_t) throws(CryptographyError) {
        if code != 0 { throw CryptographyError(code) }
    }
}
