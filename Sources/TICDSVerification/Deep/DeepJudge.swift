import TICDSCore

/// Follows meaning across the files of one document.
enum DeepJudge {
    static func findings(
        of document: RemoteName, _ context: VerificationContext, damaged: Set<RemotePath>
    ) -> [Finding] {
        []
    }
}
