import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSVerification

struct VerifyFiles: SuiteCommand {
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

    @Argument(help: ArgumentHelp("A file.", valueName: "file"), completion: .file())
    var files: [String]

    @OptionGroup var findings: FindingOptions
    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func execute() throws -> ExitStatus {
        var remotes: VerifiedRemotes = [:]
        var all: [(file: VerifiedFile, finding: Finding)] = []
        var examined = 0
        var failure: ExitStatus?
        for file in files.map(Environment.path(argument:)) {
            do throws(FileProblem) {
                let verified = try VerifiedFile(file, password, &remotes)
                all += findings.choose(verified.findings).map { (verified, $0) }
                examined += 1
            } catch {
                output.report(error)
                failure = failure ?? ExitStatus(error.kind)
            }
        }
        if examined > 0 { try show(all, examined) }
        if let failure { return examined == 0 ? failure : .partial }
        return findings.status(all.map(\.finding))
    }

    private func show(_ all: [(file: VerifiedFile, finding: Finding)], _ examined: Int) throws {
        let shown = findings.shown(all)
        if output.json {
            var json = output.lines()
            for (file, finding) in shown {
                json.document((finding, file.root, file.isLoose), Finding.schema)
            }
            return try json.flush()
        }
        var text = output.text()
        for (file, finding) in shown {
            let view = FindingsView(
                root: file.root, names: FindingNames(), colour: output.colour(), isQuiet: true,
                isLoose: file.isLoose)
            view.show([finding][...], to: &text)
        }
        if !output.quiet {
            if !all.isEmpty { text.line("") }
            let files = Quantities.count(examined, "file")
            text.line("Examined \(files): \(Quantities.count(all.count, "finding")).")
        }
        try text.flush()
    }
}
