import TICDSCore

/// Compares the whole stores of a document.
enum StoresJudge {
    static func findings(of document: RemoteName, _ context: VerificationContext) -> [Finding] {
        []
    }
}
