import CGcrypt

/// AES-256 in CBC mode (FIPS 197, SP 800-38A) without padding. The data comes in pieces of whole blocks of 16 bytes;
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
