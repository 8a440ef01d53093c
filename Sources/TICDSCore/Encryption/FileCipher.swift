import Crypto
import CryptoExtras
import SystemCalls
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// AES-256-CBC in pieces: the last block of each piece is the initialisation vector of the next.
struct FileCipher {
    private let key: SymmetricKey
    private var vector: AES._CBC.IV

    /// Bytes of a key and its vector.
    static let secretSize = 48

    init(key: SymmetricKey, vector: some Collection<UInt8>) throws {
        self.key = key
        self.vector = try AES._CBC.IV(ivBytes: vector)
    }

    /// The cipher of a file's body, from its 64-byte header. The header must have been authenticated.
    init(header: UnsafeRawBufferPointer, key: SyncKey) throws {
        let vector = header.prefix(EncryptedFile.blockSize)
        var wrapping = try FileCipher(key: key.symmetricKey, vector: vector)
        let wrapped = header.dropFirst(EncryptedFile.blockSize)
        let secret = [UInt8](try wrapping.decrypt(UnsafeRawBufferPointer(rebasing: wrapped)))
        try self.init(secret: secret)
    }

    /// The cipher with a file key and a file vector, 32 and 16 bytes.
    init(secret: [UInt8]) throws {
        try self.init(
            key: SymmetricKey(data: secret.prefix(SyncKey.size)), vector: secret.dropFirst(SyncKey.size))
    }

    /// Decrypts whole blocks, at least one.
    mutating func decrypt(_ bytes: UnsafeRawBufferPointer) throws -> Data {
        let plain = try AES._CBC.decrypt(bytes, using: key, iv: vector, noPadding: true)
        vector = try AES._CBC.IV(ivBytes: bytes.suffix(EncryptedFile.blockSize))
        return plain
    }

    /// Encrypts whole blocks, at least one.
    mutating func encrypt(_ bytes: UnsafeRawBufferPointer) throws -> Data {
        let cipherText = try AES._CBC.encrypt(bytes, using: key, iv: vector, noPadding: true)
        vector = try AES._CBC.IV(ivBytes: cipherText.suffix(EncryptedFile.blockSize))
        return cipherText
    }

    /// Number of bytes of padding (PKCS#7) at the end of the last piece, 1 to 16; nil where it is none.
    static func paddingCount(_ plain: Data) -> Int? {
        guard let last = plain.last, (1...EncryptedFile.blockSize).contains(Int(last)) else { return nil }
        return plain.suffix(Int(last)).allSatisfy { $0 == last } ? Int(last) : nil
    }
}
