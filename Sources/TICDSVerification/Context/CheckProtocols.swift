import TICDSCore

/// A check of the whole remote.
protocol RemoteCheck: SendableMetatype {
    /// The faults of the remote. A check with the level `names` opens no file; it uses the names, kinds, sizes and times
    /// of `context.snapshot`.
    static func findings(_ context: VerificationContext) -> [Finding]
}

/// A check of the contents of one file.
protocol FileCheck<Content>: SendableMetatype {
    /// `SharedBytes` for files that are read into memory. `FilePath` for whole stores and registers, which may be of any
    /// size and stay on the disk.
    associatedtype Content

    /// The faults of the file.
    /// - Parameters:
    ///   - checked: the file in the remote; makes the findings.
    ///   - content: the decrypted and unzipped content.
    static func findings(_ checked: CheckedFile, _ content: Content) -> [Finding]
}

/// A check across the files of one document.
protocol DocumentCheck: SendableMetatype {
    /// The faults of the document.
    /// - Parameter damaged: files that are known to be damaged; they get no further findings.
    static func findings(
        of document: DocumentSnapshot, _ context: VerificationContext, damaged: Set<RemotePath>
    ) -> [Finding]
}
