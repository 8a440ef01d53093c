public import SystemPackage

/// A remote with its report: names of clients and documents, and the sets that each client has applied, as far as they
/// could be read.
public struct ReportedRemote: Sendable {
    /// The application folder, absolute and without links.
    public let root: FilePath
    /// The listing.
    public let snapshot: RemoteSnapshot
    /// The content of the small files; names are missing if only the password is.
    public let report: RemoteReport
    /// The keyring of the remote, which may be locked.
    public let keyring: RemoteKeyring

    /// A remote that was listed and reported before.
    public init(root: FilePath, snapshot: RemoteSnapshot, report: RemoteReport, keyring: RemoteKeyring) {
        self.root = root
        self.snapshot = snapshot
        self.report = report
        self.keyring = keyring
    }

    /// Reads the files that the report of a listed remote needs.
    /// - Parameters:
    ///   - root: absolute and without links.
    ///   - keyring: may be locked; names are then missing.
    public init(
        root: FilePath, _ storage: any RemoteStorage, _ snapshot: RemoteSnapshot, keyring: RemoteKeyring
    ) {
        self.init(
            root: root, snapshot: snapshot,
            report: RemoteReport(snapshot, sources: ReportSources(storage, keyring: keyring)),
            keyring: keyring)
    }
}
