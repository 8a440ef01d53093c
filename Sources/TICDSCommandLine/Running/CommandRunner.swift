package import ArgumentParser
package import SystemCalls

/// A command of the suite: what ``CommandRunner`` runs.
package protocol SuiteCommand: ParsableCommand {
    /// How results and messages are shown.
    var output: OutputOptions { get }

    /// Does the work, prints the results, and returns the exit status.
    /// - Throws: `FileProblem` for what ends the command; `ValidationError` for wrong usage that only `execute` can see.
    func execute() throws -> ExitStatus
}

extension SuiteCommand {
    /// Runs the command and ends the process unless all went well.
    package func run() throws {
        let status = CommandRunner.loggedStatus(of: self)
        if status != .success { Signals.exit(status) }
    }
}

/// The one way in which a program of the suite runs: parse, execute, report, exit.
package enum CommandRunner {
    /// Runs the command that the arguments (by default those of the process) name, and ends the process with the exit
    /// status that ticds(1) documents. In those of the process, the beginning of a subcommand's name is enough, and the
    /// options of every command may stand before it.
    package static func main<Root: ParsableCommand>(
        _ root: Root.Type, arguments: [String]? = nil
    ) -> Never {
        Signals.restorePipeDefault()
        var given = arguments ?? Array(CommandLine.arguments.dropFirst())
        if let script = CompletionScript.requested(given) {
            print(script, terminator: "")
            Signals.exit(.success)
        }
        // Scripts often begin with this, and it needs no parser.
        if given == ["--version"], !root.configuration.version.isEmpty {
            print(root.configuration.version)
            Signals.exit(.success)
        }
        if arguments == nil {
            do {
                given = try CommandName.completed(LeadingOptions.moved(given, of: root), of: root)
            } catch {
                root.exitForUsage(error, json: asksForJSON)
            }
        }
        UsageReport.begin(root, given)
        if let problem = RepeatedOptions.problem(given, of: root) {
            root.exitForUsage(ValidationError(problem), json: asksForJSON)
        }
        do {
            var command = try root.parseAsRoot(given)
            try command.run()
            Signals.exit(.success)
        } catch {
            finish(root, error)
        }
    }

    /// Reports wrong usage outside of a command, and ends the process.
    package static func endForUsage(_ problem: String) -> Never { end(ErrorReport(usage: problem)) }

    /// Reports a problem outside of a command, and ends the process.
    package static func endForFailure(_ problem: FileProblem) -> Never { end(ErrorReport(problem)) }

    /// Ends the process outside of a command.
    package static func end(_ status: ExitStatus = .success) -> Never { Signals.exit(status) }

    /// The command that the arguments name, for a process that goes on after it. Wrong usage ends the process.
    package static func command<Root: ParsableCommand>(
        of root: Root.Type, arguments: [String]
    ) -> any SuiteCommand {
        if let problem = RepeatedOptions.problem(arguments, of: root) { endForUsage(problem) }
        do {
            guard let command = try root.parseAsRoot(arguments) as? any SuiteCommand else {
                endForUsage("these arguments name no command")
            }
            return command
        } catch {
            finish(root, error)
        }
    }

    /// Runs a command, and returns its status.
    package static func run(_ command: any SuiteCommand) -> ExitStatus { loggedStatus(of: command) }

    private static func end(_ report: ErrorReport) -> Never {
        report.print(json: asksForJSON)
        Signals.exit(report.status)
    }

    /// Whether the arguments contain `--json`, for errors that occur before they are parsed.
    static var asksForJSON: Bool { CommandLine.arguments.contains("--json") }

    /// Executes a command in the style of its options, and logs its beginning and end.
    static func loggedStatus(of command: some SuiteCommand) -> ExitStatus {
        TextStyle.use(command.output.style)
        do throws(FileProblem) {
            try LogFile.open(command.output)
        } catch {
            let report = ErrorReport(error)
            report.print(command.output)
            return report.status
        }
        LogFile.add(.info, "begins: \(Environment.commandLine)")
        let start = FileTime.monotonicMilliseconds
        var status = ShortAnswer.status(status(of: command))
        HeldWarnings.print(after: status)
        let seconds = Double((FileTime.monotonicMilliseconds - start) / 10) / 100
        if let hooked = command as? any HookedCommand, hooked.runsHooks {
            HookResults.set("TICDS_SECONDS", "\(seconds)")
            status = hooked.hooks.run(after: status, HookResults.all, command.output)
        }
        LogFile.add(.info, "ends with status \(status.rawValue) after \(seconds) s")
        return status
    }

    /// Executes a command and reports what it throws.
    static func status(of command: some SuiteCommand) -> ExitStatus {
        do {
            try DescriptorLimit.prepare()
            return try command.execute()
        } catch let error as ValidationError {
            type(of: command).exitForUsage(error, json: command.output.json)
        } catch {
            let report = ErrorReport(error)
            report.print(command.output)
            HookResults.set(report)
            return report.status
        }
    }

    /// Ends the process: with 0 after help or the version, with 64 after wrong usage.
    private static func finish<Root: ParsableCommand>(_ root: Root.Type, _ error: any Error) -> Never {
        if root.exitCode(for: error).isSuccess {
            let text = HelpText.text(root, error)
            if !text.isEmpty { print(text) }
            Signals.exit(.success)
        }
        root.exitForUsage(error, json: asksForJSON)
    }
}

extension ParsableCommand {
    /// Prints an error of usage, and ends the process with 64.
    static func exitForUsage(_ error: any Error, json: Bool) -> Never {
        UsageReport(error, of: self).end(json: json)
    }
}

/// The version of the suite.
package enum SuiteVersion {
    /// Major, minor and patch number; the same for every program.
    package static let current = "0.1.0"
}
