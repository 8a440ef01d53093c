import TICDSCore

extension CheckedFile {
    /// What follows where clients cannot decrypt the file, or can where they should not.
    var failedDecryption: [Effect] {
        switch role {
        case .wholeStore: [Effect(.cannotDownload, .newClients)]
        case .deviceInfo, .documentInfo: [Effect(.breaksLists, .everyone)]
        case .tombstone: [Effect(.harmless, .nobody)]
        case .encryptionTest: [Effect(.cannotRegister, .everyone), Effect(.cannotRegister, .newClients)]
        default: [Effect(.blocks, .everyoneElse)]
        }
    }

    /// What follows from a plain file that should be encrypted.
    var plainInstead: [Effect] { failedDecryption + [Effect(.exposes, .everyone)] }

    /// What follows from an encrypted file that clients take for a plain one.
    var encryptedInstead: [Effect] {
        role == .changeSet ? [Effect(.crashes, .everyoneElse)] : failedDecryption
    }
}

extension FileRole {
    /// Whether clients of an encrypted remote encrypt files of this role (ticds-remote-format(5), 1.4).
    var isEncryptedByClients: Bool {
        switch self {
        case .deviceInfo, .documentInfo, .tombstone, .changeSet, .wholeStore, .encryptionTest: true
        default: false
        }
    }
}
