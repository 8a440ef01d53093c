import Base
import Cryptography
import SystemCalls
import SystemPackage

/// A stream that encrypts plain text in pieces; memory does not grow with the file.
struct EncryptingStream: ~Copyable {
    private var cipher: FileCipher
    private var hmac: HMACSHA256
    private let header: [UInt8]
    private var hasStarted = false
    /// Plain text that has not been encrypted yet.
    private var rest: [UInt8] = []
    private let path: FilePath

    /// Generates a new file key and new vectors from the system's random numbers.
    /// - Parameter path: the new file, for errors.
    init(key: SyncKey, path: FilePath) throws(FileProblem) {
        try self.init(
            key: key, vector: randomBytes(EncryptedFile.blockSize),
            secret: randomBytes(FileCipher.secretSize),
            path: path)
    }

    /// A stream with a given vector of 16 bytes and a given file key and vector of 48 bytes, so that a test can know
    /// the result.
    init(key: SyncKey, vector: [UInt8], secret: [UInt8], path: FilePath) throws(FileProblem) {
        let hmac = try HMACSHA256(key: key, for: path)
        var wrapped = secret
        do {
            var wrapping = try FileCipher(key: key.bytes, vector: vector)
            try wrapping.encrypt(&wrapped)
            cipher = try FileCipher(secret: secret)
        } catch {
            throw Self.failed(path, error)
        }
        self.hmac = hmac
        header = vector + wrapped
        self.path = path
    }

    /// Encrypts a piece of plain text, and passes the parts of the encrypted file that are ready to `sink`.
    mutating func take(
        _ plain: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        rest += plain
        guard rest.count >= EncryptedFile.chunkSize else { return }
        let ready = rest.count / EncryptedFile.blockSize * EncryptedFile.blockSize
        try encrypt(ready, sink)
    }

    /// Passes the rest of the encrypted file to `sink`.
    mutating func finish(
        _ sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let padding = EncryptedFile.blockSize - rest.count % EncryptedFile.blockSize
        rest += [UInt8](repeating: UInt8(truncatingIfNeeded: padding), count: padding)
        try encrypt(rest.count, sink)
        try hand(hmac.finalize(), sink)
    }

    private mutating func encrypt(
        _ count: Int, _ sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        if !hasStarted {
            hasStarted = true
            hmac.update(header)
            try hand(header, sink)
        }
        do {
            try cipher.encrypt(&rest, to: count)
        } catch {
            throw Self.failed(path, error)
        }
        let sealed = Array(rest[..<count])
        rest.removeFirst(count)
        hmac.update(sealed)
        try hand(sealed, sink)
    }

    private func hand(
        _ bytes: [UInt8], _ sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(FileProblem) in
            try sink(UnsafeRawBufferPointer(bytes))
        }
    }

    private static func failed(_ path: FilePath, _ error: CryptographyError) -> FileProblem {
        .cryptography(
            error, FileProblem(.writeFailed, path: path, "cannot be encrypted", found: "\(error)"))
    }
}
