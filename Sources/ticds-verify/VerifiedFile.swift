import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSVerification

/// The remotes around the files that were named, each listed once.
typealias VerifiedRemotes = [FilePath: VerificationContext]

/// One file that was named on the command line, and what is wrong with it.
struct VerifiedFile {
    /// The remote, or the folder of a file that lies in none.
    let root: FilePath
    let findings: [Finding]

    init(
        _ file: FilePath, _ password: PasswordOptions, _ remotes: inout VerifiedRemotes
    ) throws(FileProblem) {
        let absolute = file.resolved() ?? file
        guard let remote = RemoteLocation.remote(around: absolute) else {
            root = file.removingLastComponent()
            findings = try FileVerifier.findings(ofLoose: file, now: .now)
            return
        }
        _ = try FileStatus.of(absolute)
        let context: VerificationContext
        if let known = remotes[remote] {
            context = known
        } else {
            context = try Self.context(remote, password)
        }
        remotes[remote] = context
        root = remote
        let names = absolute.components.dropFirst(remote.components.count)
        findings = FileVerifier.findings(
            of: RemotePath(names.map { RemoteName($0.bytes) }), context)
    }

    private static func context(
        _ remote: FilePath, _ password: PasswordOptions
    ) throws(FileProblem) -> VerificationContext {
        let open = try OpenRemote(remote, password)
        return VerificationContext(
            storage: open.storage, snapshot: open.snapshot, vault: try open.vault(), now: .now)
    }
}
