import Cryptography

/// The cipher of one file: AES-256-CBC applied in place to pieces of the file.
struct FileCipher: ~Copyable {
    private var cipher: BlockCipher

    /// Bytes of a key and its vector.
    static let secretSize = 48

    init(key: some Collection<UInt8>, vector: some Collection<UInt8>) throws(CryptographyError) {
        cipher = try BlockCipher(key: key, vector: vector)
    }

    /// The cipher of a file's body, from its 64-byte header. Decrypted bytes must not be used before the file is
    /// authenticated.
    init(header: some Collection<UInt8>, key: SyncKey) throws(CryptographyError) {
        var wrapping = try FileCipher(key: key.bytes, vector: header.prefix(EncryptedFile.blockSize))
        var secret = Array(header.dropFirst(EncryptedFile.blockSize))
        try wrapping.decrypt(&secret)
        try self.init(secret: secret)
    }

    /// The cipher with a file key and a file vector, 32 and 16 bytes.
    init(secret: [UInt8]) throws(CryptographyError) {
        try self.init(key: secret.prefix(SyncKey.size), vector: secret.dropFirst(SyncKey.size))
    }

    /// Decrypts whole blocks, at least one.
    mutating func decrypt(_ bytes: UnsafeMutableRawBufferPointer) throws(CryptographyError) {
        try cipher.decrypt(bytes)
    }

    /// Decrypts whole blocks, at least one.
    mutating func decrypt(_ bytes: inout [UInt8]) throws(CryptographyError) {
        try bytes.withUnsafeMutableBufferPointer { (bytes) throws(CryptographyError) in
            try cipher.decrypt(UnsafeMutableRawBufferPointer(bytes))
        }
    }

    /// Encrypts whole blocks, at least one: the blocks of `bytes` from `start` to `end`, by default to the end.
    mutating func encrypt(
        _ bytes: inout [UInt8], from start: Int = 0, to end: Int? = nil
    ) throws(CryptographyError) {
        let range = start..<(end ?? bytes.count)
        try bytes.withUnsafeMutableBufferPointer { (bytes) throws(CryptographyError) in
            try cipher.encrypt(
                UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[range]))
        }
    }

    /// Number of bytes of padding (PKCS#7) at the end of the last piece, 1 to 16; nil if the padding is wrong.
    static func paddingCount(_ plain: UnsafeRawBufferPointer) -> Int? {
        guard let last = plain.last, (1...EncryptedFile.blockSize).contains(Int(last)) else { return nil }
        return plain.suffix(Int(last)).allSatisfy { $0 == last } ? Int(last) : nil
    }
}
