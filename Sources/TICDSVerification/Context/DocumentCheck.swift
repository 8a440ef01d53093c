import TICDSCore

/// A check of what the files of one document say together.
protocol DocumentCheck: SendableMetatype {
    /// What is wrong with the document.
    /// - Parameter damaged: files that are known to be damaged; nothing is said about them again.
    static func findings(
        of document: DocumentSnapshot, _ context: VerificationContext, damaged: Set<RemotePath>
    ) -> [Finding]
}
