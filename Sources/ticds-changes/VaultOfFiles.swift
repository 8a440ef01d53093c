import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// Reads single files, encrypted ones too; the password is asked for once for each remote around them.
struct VaultOfFiles {
    private let password: PasswordOptions
    private var vaults: [FilePath: RemoteVault] = [:]

    init(_ password: PasswordOptions) { self.password = password }

    /// The plain bytes of `file`, which lies in `remote`, or by itself.
    mutating func read(_ file: FilePath, in remote: FilePath?) throws(FileProblem) -> SharedBytes {
        let bytes = try FileBytes.read(file)
        guard let remote, bytes.count > 0, PlainSignature(bytes) == nil else { return bytes }
        if let vault = vaults[remote] { return try vault.plainBytes(bytes, path: file) }
        let vault = try OpenRemote.vault(LocalStorage(root: remote), password)
        vaults[remote] = vault
        return try vault.plainBytes(bytes, path: file)
    }
}
