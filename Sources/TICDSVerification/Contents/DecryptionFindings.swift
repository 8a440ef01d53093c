import SystemCalls
import TICDSCore

/// The findings for files that could not be decrypted.
enum DecryptionFindings {
    static func of(_ problem: FileProblem, _ checked: CheckedFile) -> [Finding] {
        let isRefused = problem.kind == .wrongPassword || problem.kind == .damaged
        let kind: FindingKind = isRefused && isSoundInOldForm(checked) ? .oldHMAC : .badHMAC
        return checked.findings(problem, kind, effects: checked.failedDecryption)
    }

    /// Whether the file has an HMAC of the first versions of the framework, before 11 June 2011.
    private static func isSoundInOldForm(_ checked: CheckedFile) -> Bool {
        guard let key = checked.context.keyring.key, checked.context.keyring.form == .since2011June else {
            return false
        }
        let old = RemoteKeyring(.checked(key), form: .before2011June)
        let reader = RangeReader(checked.context.storage, checked.file.path)
        return checked.context.attempt(checked.file.path) { () throws(FileProblem) in
            try old.decryptPrivately(reader) { _ in }
        } != nil
    }
}

extension CheckedFile {
    var failedDecryption: [Effect] {
        switch role {
        case .wholeStore: [Effect(.cannotDownload, .newClients)]
        case .deviceInfo, .documentInfo: [Effect(.breaksLists, .everyone)]
        case .tombstone: [Effect(.harmless, .nobody)]
        case .encryptionTest: [Effect(.cannotRegister, .everyone), Effect(.cannotRegister, .newClients)]
        default: [Effect(.blocks, .everyoneElse)]
        }
    }

    var plainInstead: [Effect] { failedDecryption + [Effect(.exposes, .everyone)] }

    var encryptedInstead: [Effect] {
        role == .changeSet ? [Effect(.crashes, .everyoneElse)] : failedDecryption
    }
}

extension FileRole {
    /// Whether clients of an encrypted remote encrypt files of this role (ticds-remote-format(5), 1.4).
    package var isEncryptedByClients: Bool {
        switch self {
        case .deviceInfo, .documentInfo, .tombstone, .changeSet, .wholeStore, .encryptionTest: true
        default: false
        }
    }

    /// Whether an encrypted remote may contain encrypted files of this role; clients only copy some of them.
    package var isEncryptedWithItsRemote: Bool {
        switch self {
        case .commandSet, .sharedExternalData, .temporaryFile: true
        default: isEncryptedByClients
        }
    }
}
