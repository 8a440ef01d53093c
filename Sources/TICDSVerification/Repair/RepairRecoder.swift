import KeyedArchive
import SystemCalls
import TICDSCore

/// Encrypts anew what was encrypted in the form of the framework's first weeks, decrypts what clients read plain. What is
/// plain is never encrypted: anybody can have put it there.
struct RepairRecoder: ContentRecoder {
    let keyring: RemoteKeyring
    /// Files are recoded in memory. Bytes.
    static let sizeLimit = ReadLimit.recodedFile.bytes

    func recode(
        _ file: RemotePath, in storage: any RemoteStorage,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let path = file.filePath(under: storage.root)
        let plain = try plainBytes(of: file, storage)
        guard FileRole(of: file, kind: .file).isEncryptedWithItsRemote else {
            return try plain.withUnsafeBytes(sink)
        }
        guard let key = keyring.key else {
            throw FileProblem(.encrypted, path: path, "cannot be encrypted without the password")
        }
        let encrypted = try EncryptedFile.encrypt(plain, with: key, path: path)
        let proof = try EncryptedFile.decrypt(encrypted, with: key, path: path, form: .since2011June)
        guard proof.array == plain.array else {
            throw FileProblem(
                .writeFailed, path: path, "the encrypted file does not decrypt to the same bytes")
        }
        try encrypted.withUnsafeBytes(sink)
    }

    /// Reads encrypted files, and those of the framework's first weeks.
    private func plainBytes(
        of file: RemotePath, _ storage: any RemoteStorage
    ) throws(FileProblem) -> SharedBytes {
        let path = file.filePath(under: storage.root)
        let bytes = try storage.read(file, limit: .recodedFile)
        try keyring.check(bytes, size: Int64(bytes.count), path: path)
        guard keyring.needsDecryption(bytes), let key = keyring.key else {
            throw FileProblem(.encrypted, path: path, "cannot be encrypted without the password")
        }
        do throws(FileProblem) {
            return try EncryptedFile.decrypt(bytes, with: key, path: path, form: .since2011June)
        } catch {
            return try EncryptedFile.decrypt(bytes, with: key, path: path, form: .before2011June)
        }
    }
}
