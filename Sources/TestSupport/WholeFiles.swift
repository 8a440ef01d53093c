package import Base
package import SystemCalls
package import SystemPackage
package import TICDSCore

/// Reads of whole files with a limit for tests.
extension ReadLimit {
    /// A limit that is enough for every file of a test.
    package static let test = ReadLimit(1 << 30, "file of a test")
}

extension FileBytes {
    /// All bytes of a file.
    package static func read(_ path: FilePath) throws(FileProblem) -> SharedBytes {
        try read(path, limit: .test)
    }
}

extension RemoteStorage {
    /// All bytes of a file.
    package func read(_ file: RemotePath) throws(FileProblem) -> SharedBytes { try read(file, limit: .test) }
}

extension RemoteKeyring {
    /// The decrypted bytes of a file.
    package func read(_ storage: any RemoteStorage, _ file: RemotePath) throws(FileProblem) -> SharedBytes {
        try read(storage, file, limit: .test)
    }
}
