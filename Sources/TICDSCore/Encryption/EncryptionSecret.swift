import Base
import KeyedArchive
public import SystemCalls
package import SystemPackage

/// The parts of a new password: a salt, the key, and the file by which clients try a password (ticds-protocol(7), 1.1,
/// 3.1, 3.4).
public struct EncryptionSecret: Sendable {
    /// The content of `salt.ticdsync`.
    public let salt: [UInt8]
    /// The key that follows from the password and the salt.
    public let key: SyncKey
    /// The text after the application identifier in the plain text of the test file.
    let unique: String

    /// Generates a salt of 16 bytes. White space at the ends of the password does not count.
    /// - Throws: `.encrypted` if the password contains nothing else: the framework treats it as no password.
    public init(password: String) throws(FileProblem) {
        let salt = randomBytes(16)
        try self.init(password: password, salt: salt, unique: ArchivedUUID.random().description)
    }

    init(password: String, salt: [UInt8], unique: String) throws(FileProblem) {
        guard !SyncKey.trimmed(password).isEmpty else {
            throw FileProblem(
                .encrypted, path: "the new password", "is empty, or only white space",
                expected: "a password; the framework removes white space at both ends",
                advice: "Choose another password")
        }
        self.salt = salt
        self.unique = unique
        key = SyncKey(password: password, salt: salt)
    }

    /// The bytes of `test.ticdsync`.
    package func testFile(of application: RemoteName, path: FilePath) throws(FileProblem) -> [UInt8] {
        let plain = try SmallFiles.encryptionTest(application: application.text, unique: unique, path: path)
        return try sealed(plain, path: path)
    }

    /// Encrypts a small file.
    package func sealed(_ plain: [UInt8], path: FilePath) throws(FileProblem) -> [UInt8] {
        try EncryptedFile.encrypt(SharedBytes(plain), with: key, path: path).array
    }
}
