public import SystemCalls
import SystemPackage
public import TICDSCore

/// What a replica remembers of the encryption of its remote.
extension ReplicaSession {
    /// Refuses a remote that was encrypted and is not any more, and a password that could not be tried.
    public func checkEncryption(_ vault: RemoteVault) throws(FileProblem) {
        if case .unchecked = vault.state {
            let remote = FilePath(configuration.remote)
            throw .untriedPassword(RemoteLayout.encryptionTestPath.filePath(under: remote))
        }
        guard configuration.encrypted == true, !vault.isEncrypted else { return }
        throw .encryptionIsGone(
            folder.configuration,
            advice:
                "Restore the folder Encryption of the remote from a back-up; if the remote was decrypted on "
                + "purpose, change \"encrypted\" to false in this file")
    }

    /// Remembers that the remote is encrypted, or is not. Only a password that opens something of the remote makes an
    /// encrypted one of a plain one: a salt alone anybody can have put there.
    public func noteEncryption(_ vault: RemoteVault) throws(FileProblem) {
        let isEncrypted: Bool
        switch vault.state {
        case .plain: isEncrypted = false
        case .checked: isEncrypted = true
        case .locked, .unchecked: return
        }
        if configuration.encrypted == isEncrypted { return }
        var noted = configuration
        noted.encrypted = isEncrypted
        try noted.write(to: folder.configuration)
    }
}
