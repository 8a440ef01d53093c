/// A check of what is in one file.
protocol FileCheck<Content>: SendableMetatype {
    /// `SharedBytes` for files that are read into memory. `FilePath` for whole stores and registers, which may be of any
    /// size and stay on the disk.
    associatedtype Content

    /// What is wrong with the file.
    /// - Parameters:
    ///   - checked: the file as it lies in the remote; makes the findings.
    ///   - content: the same without encryption and without a zip around it.
    static func findings(_ checked: CheckedFile, _ content: Content) -> [Finding]
}
