import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// Reads single files, encrypted ones too; the password is asked for once for each remote around them.
struct VaultOfFiles {
    private let password: PasswordOptions
    private var vaults: [FilePath: RemoteVault] = [:]
    /// True after a remote did not open, for want of the password: its other files will not open either.
    private(set) var isRefused = false

    init(_ password: PasswordOptions) { self.password = password }

    /// The plain bytes of `file`, which lies in `remote`, or by itself. Only an encrypted file makes that matter.
    mutating func read(
        _ file: FilePath, in remote: @autoclosure () -> FilePath?
    ) throws(FileProblem) -> SharedBytes {
        let bytes = try FileBytes.read(file)
        guard bytes.count > 0, PlainSignature(bytes) == nil, let remote = remote() else { return bytes }
        if let vault = vaults[remote] { return try vault.plainBytes(bytes, path: file) }
        let vault = try open(remote)
        return try vault.plainBytes(bytes, path: file)
    }

    private mutating func open(_ remote: FilePath) throws(FileProblem) -> RemoteVault {
        do throws(FileProblem) {
            let vault = try OpenRemote.vault(LocalStorage(root: remote), password)
            vaults[remote] = vault
            return vault
        } catch {
            isRefused = true
            throw error
        }
    }
}

extension FilePath {
    /// What a person means by the name of a link: what it leads to. Any other path stays as it is.
    var followed: FilePath {
        guard let status = try? FileStatus.of(self), status.kind == .symbolicLink else { return self }
        return resolved() ?? self
    }
}
