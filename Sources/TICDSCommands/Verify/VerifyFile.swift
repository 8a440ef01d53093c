import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages
import TICDSVerification

struct VerifyFile: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract: "Checks single files: change sets, whole stores, registers, property lists.",
        discussion: """
            For a file in a remote the command also checks its place and name, and opens it with the \
            remote's password. It recognises any other file by its first bytes.

            Examples:
              ticds-verify file ~/Dropbox/com.example.app/Documents/notes/WholeStore/*/WholeStore.ticdsync
              ticds-verify file suspicious.syncchg --json
            """)

    @Argument(help: .value("file", "A file."), completion: .file())
    var files: [String]

    @OptionGroup var findings: FindingOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        var remotes: VerifiedRemotes = [:]
        var all: [(file: VerifiedFile, finding: Finding)] = []
        var examined = 0
        var leftOut = 0
        var failure: ExitStatus?
        for file in files.map(Environment.path(argument:)) {
            do throws(FileProblem) {
                let verified = try VerifiedFile(file, password, &remotes, context)
                let chosen = findings.choose(verified.findings)
                leftOut += verified.findings.count - chosen.count  // bounded: findings in memory
                all += chosen.map { (verified, $0) }
                examined += 1
            } catch {
                context.report(error)
                failure = failure ?? ExitStatus(error.kind)
            }
        }
        if examined > 0 { try show(all, examined, leftOut, context) }
        if let failure { return examined == 0 ? failure : .partial }
        return findings.status(all.map(\.finding))
    }

    private func show(
        _ all: [(file: VerifiedFile, finding: Finding)], _ examined: Int, _ leftOut: Int,
        _ context: CommandContext
    ) throws {
        let shown = findings.shown(all)
        if context.json {
            var json = context.lines()
            for (file, finding) in shown { json.document((finding, file.root, file.isLoose), Finding.schema) }
            return try json.flush()
        }
        var text = context.text()
        for (file, finding) in shown {
            let view = FindingsView(
                root: file.root, names: FindingNames(), colour: context.colour(), style: context.style,
                isQuiet: true,
                isLoose: file.isLoose)
            view.show([finding], of: 1, to: &text)
        }
        if !context.quiet {
            if !all.isEmpty { text.line("") }
            let files = Quantities.count(examined, "file")
            let others = leftOut > 0 ? "; \(VerificationLine.leftOut(leftOut))" : ""
            text.line("Examined \(files): \(Quantities.count(all.count, "finding"))\(others).")
        }
        try text.flush()
    }
}

/// The remotes around the named files, each listed once.
typealias VerifiedRemotes = [FilePath: FileVerifier]

/// One file that was named on the command line, and its findings.
struct VerifiedFile {
    /// The remote, or the folder of a file outside any remote.
    let root: FilePath
    /// Whether the file is outside any remote.
    let isLoose: Bool
    let findings: [Finding]

    init(
        _ file: FilePath, _ password: PasswordOptions, _ remotes: inout VerifiedRemotes,
        _ context: CommandContext
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
            verifier = try Self.verifier(of: remote, password, context)
            remotes[remote] = verifier
        }
        root = remote
        isLoose = false
        let names = absolute.components.dropFirst(remote.components.count)
        findings = verifier.findings(of: RemotePath(names.map { RemoteName($0.bytes) }))
    }

    private static func verifier(
        of remote: FilePath, _ password: PasswordOptions, _ context: CommandContext
    ) throws(FileProblem) -> FileVerifier {
        let open = try OpenRemote(.folder(remote), password, context)
        // Without the password, the command cannot judge a named file.
        let keyring =
            open.snapshot.salt == nil ? try open.keyringForVerification(asks: false) : try open.keyring()
        return FileVerifier(try VerificationContext(open, keyring))
    }
}
