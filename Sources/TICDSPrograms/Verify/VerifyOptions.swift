import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSVerification

/// How a remote is verified.
struct VerifyOptions: ParsableArguments {
    @Option(help: "How closely to look.")
    var level = VerificationLevel.contents

    @Option(
        help: ArgumentHelp(
            "Remember in this file what was sound, and the next time open only what is new or has changed.",
            valueName: "file"), completion: .file())
    var state: String?

    @Option(
        help: ArgumentHelp(
            "With --state: open a file again that was found sound longer ago than this, such as 30d.",
            valueName: "time"))
    var recheckAfter: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Stop at a safe point after this time, such as 10m; those looked at longest ago come first.",
            valueName: "time"))
    var maxDuration: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Open this many files at the same time. Default: one for each core.", valueName: "count"))
    var jobs: Int?

    @Flag(
        help:
            "Do without the password of an encrypted remote: its files stay closed, and the status is by findings."
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
        let parent = path.removingLastComponent()
        let folder = try (parent.isEmpty ? FilePath(".") : parent).resolved()
        guard let folder, let name = path.lastComponent else {
            throw FileProblem(
                .missing, path: parent, "no such folder", advice: "Make it, or name a state file elsewhere")
        }
        if let remote = try root.resolved(), folder.starts(with: remote) {
            throw FileProblem(
                .refused, path: path, "the state file would lie in the remote",
                advice: "Name a file elsewhere: clients choke on foreign files")
        }
        return folder.appending(name)
    }
}
