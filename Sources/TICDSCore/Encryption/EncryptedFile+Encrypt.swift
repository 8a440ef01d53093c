import Crypto
public import KeyedArchive
public import SystemCalls
public import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension EncryptedFile {
    /// Encrypts `plain` under a new file key and new vectors from the system's random numbers.
    /// - Parameter path: the file that is to be, for errors.
    public static func encrypt(
        _ plain: SharedBytes, with key: SyncKey, path: FilePath
    ) throws(FileProblem) -> SharedBytes {
        var numbers = SystemRandomNumberGenerator()
        func random(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        }
        return try encrypt(
            plain, with: key, vector: random(blockSize), secret: random(FileCipher.secretSize), path: path)
    }

    /// Encrypts with a given vector of 16 bytes and a given file key and vector of 48 bytes, so that a test can know
    /// the answer.
    static func encrypt(
        _ plain: SharedBytes, with key: SyncKey, vector: [UInt8], secret: [UInt8], path: FilePath
    ) throws(FileProblem) -> SharedBytes {
        do {
            var file = vector
            file.reserveCapacity(size(ofPlain: plain.count))
            var wrapping = try FileCipher(key: key.symmetricKey, vector: vector)
            file += try secret.withUnsafeBytes { try wrapping.encrypt($0) }
            var cipher = try FileCipher(secret: secret)
            let whole = plain.count / chunkSize * chunkSize
            try plain.withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: whole, by: chunkSize) {
                    file += try cipher.encrypt(
                        UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + chunkSize]))
                }
            }
            file += try padded(plain.array(whole..<plain.count)).withUnsafeBytes { try cipher.encrypt($0) }
            file += HMAC<SHA256>.authenticationCode(for: file, using: key.symmetricKey)
            return SharedBytes(file)
        } catch {
            throw FileProblem(.writeFailed, path: path, "cannot be encrypted", found: "\(error)")
        }
    }

    /// The last piece with 1 to 16 bytes of padding (PKCS#7).
    private static func padded(_ rest: [UInt8]) -> [UInt8] {
        let count = blockSize - rest.count % blockSize
        return rest + [UInt8](repeating: UInt8(count), count: count)
    }
}
