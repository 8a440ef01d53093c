import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSVerification
import TICDSCore

/// The remotes around the files that were named, each listed once.
typealias VerifiedRemotes = [FilePath: FileVerifier]

/// One file that was named on the command line, and what is wrong with it.
struct VerifiedFile {
    /// The remote, or the folder of a file that lies in none.
    let root: FilePath
    /// Whether the file lies in no remote.
    let isLoose: Bool
    let findings: [Finding]

    init(
        _ file: FilePath, _ password: PasswordOptions, _ remotes: inout VerifiedRemotes
    ) throws(FileProblem) {
        let absolute = try file.resolved() ?? file
        guard let remote = try RemoteLocation.remote(around: absolute) else {
            root = file.parent
            isLoose = true
            findings = try FileVerifier.findings(ofLoose: file, now: .now)
            return
        }
        _ = try FileStatus.of(absolute)
        let verifier: FileVerifier
        if let known = remotes[remote] {
            verifier = known
        } else {
            verifier = try Self.verifier(of: remote, password)
            remotes[remote] = verifier
        }
        root = remote
        isLoose = false
        let names = absolute.components.dropFirst(remote.components.count)
        findings = verifier.findings(of: RemotePath(names.map { RemoteName($0.bytes) }))
    }

    private static func verifier(
        of remote: FilePath, _ password: PasswordOptions
    ) throws(FileProblem) -> FileVerifier {
        let open = try OpenRemote(remote, password)
        // Without the password there is nothing to say of a file that was named.
        let keyring =
            open.snapshot.salt == nil ? try open.keyringForVerification(asks: false) : try open.keyring()
        return FileVerifier(try VerificationContext(open, keyring))
    }
}
