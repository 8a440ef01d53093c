import SystemCalls
import TICDSCore

/// What follows from a file that could not be decrypted.
enum DecryptionFindings {
    static func of(_ problem: FileProblem, _ checked: CheckedFile) -> [Finding] {
        let isRefused = problem.kind == .wrongPassword || problem.kind == .damaged
        let kind: FindingKind = isRefused && isSoundInOldForm(checked) ? .oldHMAC : .badHMAC
        return checked.findings(problem, kind, effects: checked.failedDecryption)
    }

    /// Whether the HMAC fits as the framework's first weeks made it.
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
