import Cryptography
public import KeyedArchive
public import SystemCalls
public import SystemPackage

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
            var wrapping = try FileCipher(key: key.bytes, vector: vector)
            var wrapped = secret
            try wrapping.encrypt(&wrapped)
            var file = vector + wrapped
            file.reserveCapacity(size(ofPlain: plain.count))
            plain.withUnsafeBytes { file.append(contentsOf: $0) }
            let padding = blockSize - plain.count % blockSize
            file += [UInt8](repeating: UInt8(truncatingIfNeeded: padding), count: padding)
            var cipher = try FileCipher(secret: secret)
            try cipher.encrypt(&file, from: headerSize)
            file += HMACSHA256.code(of: file, key: key.bytes)
            return SharedBytes(file)
        } catch {
            throw FileProblem(.writeFailed, path: path, "cannot be encrypted", found: "\(error)")
        }
    }
}
