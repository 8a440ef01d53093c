import Cryptography
import SystemCalls
import SystemPackage

/// Decrypts an encrypted file that comes in pieces, as a client would, and makes the digest of its plain text. This
/// proves that a newly written file can be read again.
struct DecryptingDigest: ~Copyable {
    private let key: SyncKey
    private let path: FilePath
    private var hmac: HMACSHA256
    private var cipher: FileCipher?
    /// The last bytes so far, which may be the padded last block and the HMAC.
    private var pending: [UInt8] = []
    private var plain: SHA256

    /// - Parameter path: the file, for errors.
    init(key: SyncKey, path: FilePath) throws(FileProblem) {
        let hmac = try HMACSHA256(key: key, for: path)
        let plain = try SHA256(for: path)
        self.key = key
        self.path = path
        self.hmac = hmac
        self.plain = plain
    }

    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) {
        pending += bytes
        if cipher == nil {
            guard pending.count >= EncryptedFile.headerSize else { return }
            let header = authenticated(EncryptedFile.headerSize)
            do {
                cipher = try FileCipher(header: header, key: key)
            } catch {
                throw .cryptography(error, failed("\(error)"))
            }
        }
        let ready = pending.count - EncryptedFile.blockSize - EncryptedFile.macSize
        guard ready >= EncryptedFile.blockSize else { return }
        let whole = ready / EncryptedFile.blockSize * EncryptedFile.blockSize
        plain.update(try decrypted(authenticated(whole)))
    }

    /// The digest of the plain text, once the file has been authenticated.
    mutating func finish() throws(FileProblem) -> [UInt8] {
        guard pending.count == EncryptedFile.blockSize + EncryptedFile.macSize else {
            throw failed("a length that does not fit")
        }
        let last = try decrypted(authenticated(EncryptedFile.blockSize))
        guard hmac.finalize() == pending else { throw failed("another HMAC") }
        guard let padding = last.withUnsafeBytes(FileCipher.paddingCount) else {
            throw failed("other padding")
        }
        plain.update(Array(last.dropLast(padding)))
        return plain.finalize()
    }

    /// The next bytes that the HMAC covers.
    private mutating func authenticated(_ count: Int) -> [UInt8] {
        let bytes = Array(pending[..<count])
        pending.removeFirst(count)
        hmac.update(bytes)
        return bytes
    }

    private mutating func decrypted(_ bytes: consuming [UInt8]) throws(FileProblem) -> [UInt8] {
        do {
            try cipher?.decrypt(&bytes)
        } catch {
            throw .cryptography(error, failed("\(error)"))
        }
        return bytes
    }

    private func failed(_ found: String) -> FileProblem {
        FileProblem(.writeFailed, path: path, "the encrypted file cannot be decrypted again", found: found)
    }
}
