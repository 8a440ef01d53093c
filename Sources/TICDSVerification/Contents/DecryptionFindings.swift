import SystemCalls
import TICDSCore

/// What follows from a file that could not be decrypted.
enum DecryptionFindings {
    static func of(_ problem: FileProblem, _ judged: JudgedFile) -> [Finding] {
        let isRefused = problem.kind == .wrongPassword || problem.kind == .damaged
        let kind: FindingKind = isRefused && isSoundInOldForm(judged) ? .oldHMAC : .badHMAC
        return judged.findings(problem, kind, effects: judged.failedDecryption)
    }

    /// Whether the HMAC fits as the framework's first weeks made it.
    private static func isSoundInOldForm(_ judged: JudgedFile) -> Bool {
        guard let key = judged.context.vault.key, judged.context.vault.form == .since2011June else {
            return false
        }
        let old = RemoteVault(.checked(key), form: .before2011June)
        let reader = RangeReader(judged.context.storage, judged.file.path)
        return judged.context.attempt(judged.file.path) { () throws(FileProblem) in
            try old.decryptPrivately(reader) { _ in }
        } != nil
    }
}
