package import ArgumentParser
import SystemCalls
import SystemPackage

/// Command lines of the user that run when a command has ended.
package struct HookOptions: ParsableArguments, Sendable {
    @Option(
        help: .value(
            "command",
            "Run a command line with /bin/sh after success; TICDS_SUMMARY and other variables show the result."
        ),
        completion: .commandLine)
    package var onSuccess: String?

    @Option(
        help: .value(
            "command",
            "Run a command line with /bin/sh after every other end; TICDS_STATUS has the exit status."),
        completion: .commandLine)
    package var onFailure: String?

    package init() {}

    /// Runs the command line for this end. The facts are only in its environment, never in the line itself; its output
    /// goes to standard error.
    /// - Returns: the status of the command: `partial` if only the command line failed.
    package func run(
        after status: ExitStatus, _ variables: [(name: String, value: String)], _ context: CommandContext
    ) -> ExitStatus {
        let isSuccess = status == .success
        guard let line = isSuccess ? onSuccess : onFailure else { return status }
        let option = isSuccess ? "--on-success" : "--on-failure"
        let facts = [
            ("TICDS_PROGRAM", Environment.programName), ("TICDS_RESULT", isSuccess ? "success" : "failure"),
            ("TICDS_STATUS", "\(status.rawValue)"),
        ]
        let all = facts.map { (name: $0.0, value: $0.1) } + variables.map { ($0.name, Self.cut($0.value)) }
        switch ShellCommand.run("exec 1>&2\n\(line)", mask: context.fileMask, adding: all) {
        case .success(0): return status
        case .success(let ending):
            context.warn("the command of \(option) ended with status \(ending)")
        case .failure(let number):
            context.warn("the command of \(option) cannot be run: \(number)")
        }
        return isSuccess ? .partial : status
    }

    /// The value, shortened: a variable of more than 128 KiB would prevent the command line from starting.
    private static func cut(_ value: String) -> String {
        String(decoding: value.utf8.prefix(1 << 15), as: UTF8.self)
    }
}

/// A command that runs a command line of the user at its end.
package protocol HookedCommand: SuiteCommand {
    /// The command lines.
    var hooks: HookOptions { get }
    /// Whether hooks run; false if the command only shows what it would do.
    var runsHooks: Bool { get }
}
