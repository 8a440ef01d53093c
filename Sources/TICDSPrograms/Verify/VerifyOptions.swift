import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSVerification

/// How a remote is verified.
struct VerifyOptions: ParsableArguments {
    @Option(help: "How thoroughly to check.")
    var level = VerificationLevel.contents

    @Option(
        help: ArgumentHelp(
            "Record sound files in this file, and open only new and changed ones the next time.",
            valueName: "file"), completion: .file())
    var state: String?

    @Option(
        help: ArgumentHelp(
            "With --state: open sound files again when their last check is older than this, such as 30d.",
            valueName: "time"))
    var recheckAfter: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Stop at a safe point after this time, such as 10m; the next run begins with the files whose check is oldest.",
            valueName: "time"))
    var maxDuration: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Open this many files at the same time. Default: one for each core.", valueName: "count"))
    var jobs: Int?

    @Flag(
        help:
            "Do not use a password for an encrypted remote: encrypted files are only counted, and the exit status depends on findings."
    )
    var withoutPassword = false

    func validate() throws {
        if recheckAfter != nil, state == nil { throw ValidationError("--recheck-after needs --state.") }
        if let jobs, !(1...256).contains(jobs) {
            throw ValidationError("--jobs takes a number from 1 to 256.")
        }
        if state != nil, level < .contents {
            throw ValidationError("--state needs --level contents or deep.")
        }
    }

    /// The state file, which must lie outside of the remote.
    func statePath(of root: FilePath) throws -> FilePath? {
        guard let state else { return nil }
        let path = Environment.path(argument: state)
        guard let place = try path.resolvedInFolder() else {
            throw FileProblem(
                .missing, path: path.removingLastComponent(), "no such folder",
                advice: "Create it, or name a state file elsewhere")
        }
        if let remote = try root.resolved(), place.parent.starts(with: remote) {
            throw FileProblem(
                .refused, path: path, "the state file would lie in the remote",
                advice: "Name a file elsewhere: foreign files harm the clients")
        }
        return place
    }
}
