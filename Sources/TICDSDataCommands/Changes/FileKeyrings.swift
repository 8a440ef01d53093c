import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// Reads single files, including encrypted ones. Asks for a password once for each remote around them.
struct FileKeyrings {
    private let password: PasswordOptions
    private var keyrings: [FilePath: RemoteKeyring] = [:]
    /// Whether the remotes around unencrypted files have a salt, by folder.
    private var salts: [FilePath: Bool] = [:]
    /// Whether the password for a remote failed: its other files will not open either.
    private(set) var isRefused = false

    init(_ password: PasswordOptions) { self.password = password }

    /// The decrypted bytes of `file`. Searches for the `remote` around it only if the file is not empty.
    mutating func read(
        _ file: FilePath, in remote: () throws(FileProblem) -> FilePath?
    ) throws(FileProblem) -> SharedBytes {
        let bytes = try FileBytes.read(file, limit: .changeSet)
        guard bytes.count > 0, let remote = try remote() else { return bytes }
        if let signature = PlainSignature(bytes) {
            if try isEncrypted(remote) { throw .plainInEncrypted(file, signature) }
            return bytes
        }
        if let keyring = keyrings[remote] { return try keyring.plainBytes(bytes, path: file) }
        let keyring = try open(remote)
        return try keyring.plainBytes(bytes, path: file)
    }

    private mutating func isEncrypted(_ remote: FilePath) throws(FileProblem) -> Bool {
        if let known = salts[remote] { return known }
        let has = try PasswordCheck.salt(of: LocalStorage(root: remote)) != nil
        salts[remote] = has
        return has
    }

    private mutating func open(_ remote: FilePath) throws(FileProblem) -> RemoteKeyring {
        do throws(FileProblem) {
            let keyring = try OpenRemote.keyring(LocalStorage(root: remote), password)
            keyrings[remote] = keyring
            return keyring
        } catch {
            isRefused = true
            throw error
        }
    }
}

extension FilePath {
    /// The target of a link; any other path as it is.
    var followed: FilePath {
        get throws(FileProblem) {
            guard try FileStatus.ifPresent(self)?.kind == .symbolicLink else { return self }
            return try resolved() ?? self
        }
    }
}
