import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSArchive
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

/// The remotes around the named files, each listed once, by their addresses.
typealias VerifiedRemotes = [FilePath: VerifiedRemote]

/// A remote around a named file.
struct VerifiedRemote {
    let root: FilePath
    let storage: any RemoteStorage
    let verifier: FileVerifier
}

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
        let address = try RemoteAddress(path: file)
        if let (remote, place) = address.archivedFile {
            (root, findings) = try Self.findings(of: place, in: remote, password, &remotes, context)
            isLoose = false
            return
        }
        if address.archive?.isInside == true {
            _ = try address.storage()
            throw .notRegular(.folder, path: file)
        }
        let absolute = try file.resolved() ?? file
        guard let remote = try RemoteLocation.remote(around: absolute) else {
            root = file.parent
            isLoose = true
            findings = try FileVerifier.findings(ofLoose: file, now: .now)
            return
        }
        _ = try FileStatus.of(absolute)
        let names = absolute.components.dropFirst(remote.components.count)
        let place = RemotePath(names.map { RemoteName($0.bytes) })
        (root, findings) = try Self.findings(of: place, in: .folder(remote), password, &remotes, context)
        isLoose = false
    }

    private static func findings(
        of place: RemotePath, in remote: RemoteAddress, _ password: PasswordOptions,
        _ remotes: inout VerifiedRemotes, _ context: CommandContext
    ) throws(FileProblem) -> (root: FilePath, findings: [Finding]) {
        let known: VerifiedRemote
        if let opened = remotes[remote.root] {
            known = opened
        } else {
            known = try verifier(of: remote, password, context)
            remotes[remote.root] = known
        }
        let kind = try known.storage.status(of: place).kind
        // Nothing would be examined.
        guard kind != .folder else { throw .notRegular(kind, path: place.filePath(under: known.root)) }
        return (known.root, try known.verifier.findings(of: place))
    }

    private static func verifier(
        of remote: RemoteAddress, _ password: PasswordOptions, _ context: CommandContext
    ) throws(FileProblem) -> VerifiedRemote {
        let open = try OpenRemote(remote, password, context)
        // Without the password, the command cannot judge a named file.
        let keyring =
            open.snapshot.salt == nil ? try open.keyringForVerification(asks: false) : try open.keyring()
        return VerifiedRemote(
            root: open.path, storage: open.storage,
            verifier: FileVerifier(try VerificationContext(open, keyring)))
    }
}
