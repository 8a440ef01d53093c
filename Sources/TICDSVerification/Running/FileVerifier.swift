public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Verifies single files of one remote.
public struct FileVerifier: Sendable {
    private let context: VerificationContext
    /// What names, kinds and times say, by path: checked once, however many files are asked for.
    private let ofNames: [RemotePath: [Finding]]

    /// Checks the names of the whole remote once, as some of them concern single files.
    public init(_ context: VerificationContext) {
        self.context = context
        ofNames = Dictionary(grouping: ListingCheck.findings(context), by: \.path)
    }

    /// What is wrong with one file of the remote: with its place and name, and with its bytes.
    public func findings(of path: RemotePath) -> [Finding] {
        var findings = ofNames[path] ?? []
        if let file = context.examinedFile(path) { findings += ContentsCheck.findings(of: file, context) }
        return findings.sorted(by: Finding.precedes)
    }

    /// What is wrong with the bytes of a file that lies in no remote. What it is, its first bytes tell.
    /// - Throws: where the file cannot be read at all.
    public static func findings(ofLoose path: FilePath, now: FileTime) throws(FileProblem) -> [Finding] {
        guard let name = path.lastComponent else {
            throw FileProblem(.missing, path: path, "not the name of a file")
        }
        let status = try FileStatus.of(path)
        guard status.kind == .file else {
            throw FileProblem(.unsupported, path: path, "not a plain file", expected: "a file")
        }
        let context = VerificationContext(
            storage: LocalStorage(root: path.parent),
            snapshot: RemoteSnapshot(RemoteTree(root: path.parent, folders: [:], problems: [])),
            keyring: RemoteKeyring(.plain), now: now)
        let inside: RemotePath = [RemoteName(name.bytes)]
        let file = ExaminedFile(
            path: inside, role: try LooseFile.role(of: path), size: status.size, modified: status.modified)
        return ContentsCheck.findings(of: file, context)
    }
}
