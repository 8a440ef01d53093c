package import ArgumentParser
import Base
package import SystemCalls
import SystemPackage

/// A command of ticds, which ``CommandRunner`` runs.
package protocol SuiteCommand: ParsableCommand {
    /// The form of results and messages.
    var output: OutputOptions { get }

    /// Does the work, prints the results, and returns the exit status.
    /// - Parameter context: the environment of the command beside its arguments.
    /// - Throws: `FileProblem` for an error that ends the command; `ValidationError` for wrong usage that only
    ///   `execute` can detect.
    func execute(_ context: CommandContext) throws -> ExitStatus
}

/// A command whose remote can be set again after its arguments were parsed, since parsing takes longer than the report
/// on a small remote.
package protocol RemoteCommand: SuiteCommand {
    /// The remote of the command.
    var remote: RemoteOptions { get set }
}

/// The only way in which a program of ticds runs: parse, execute, report, exit.
package enum CommandRunner {
    /// Runs the command that the arguments (by default those of the process) name, and ends the process with the exit
    /// status that ticds(1) documents. The beginning of a subcommand's name is enough unless complete names are
    /// required, and the options of every command may precede it.
    package static func main<Root: ParsableCommand>(
        _ root: Root.Type, arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        hasWholeNames: Bool = false, _ start: CommandStart = CommandStart()
    ) -> Never {
        var given = arguments
        if let script = CompletionScript.requested(given) {
            end(printing: script)
        }
        // Scripts often begin with this call, which needs no parser.
        if given == ["--version"], !root.configuration.version.isEmpty {
            end(printing: root.configuration.version + "\n")
        }
        if !hasWholeNames {
            do {
                given = try CommandName.completed(LeadingOptions.moved(given, of: root), of: root)
            } catch {
                UsageReport(error, of: root).end(json: asksForJSON)
            }
        }
        let invocation = Invocation(root: root, arguments: given)
        if let problem = RepeatedOptions.problem(given, of: root) {
            UsageReport(ValidationError(problem), of: root, invocation).end(json: asksForJSON)
        }
        do {
            var command = try root.parseAsRoot(given)
            guard let suiteCommand = command as? any SuiteCommand else {
                try command.run()
                Signals.exit(.success)
            }
            Signals.exit(status(of: suiteCommand, invocation, start: start))
        } catch {
            finish(invocation, error)
        }
    }

    /// Reports wrong usage outside of a command, and ends the process.
    package static func endForUsage(_ problem: String) -> Never { end(ErrorReport(usage: problem)) }

    /// Reports a problem outside of a command, and ends the process.
    package static func endForFailure(_ problem: FileProblem) -> Never { end(ErrorReport(problem)) }

    /// Ends the process outside of a command.
    package static func end(_ status: ExitStatus = .success) -> Never { Signals.exit(status) }

    /// Prints text outside of a command, and ends the process.
    package static func end(printing text: String) -> Never {
        var output = OutputBuffer(.standardOutput)
        output.append(raw: text)
        do throws(FileProblem) {
            try output.flush()
        } catch {
            endForFailure(error)
        }
        Signals.exit(.success)
    }

    /// The command that the arguments name, for a process that continues after it. Wrong usage ends the process.
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
            finish(Invocation(root: root, arguments: arguments), error)
        }
    }

    private static func end(_ report: ErrorReport) -> Never {
        report.print(json: asksForJSON)
        Signals.exit(report.status)
    }

    /// Whether the arguments contain `--json`, for errors that occur before they are parsed.
    static var asksForJSON: Bool { CommandLine.arguments.contains("--json") }

    /// Runs a command, with log entries for its beginning and end, and its hooks.
    /// - Parameter invocation: the words that name the command, if the process runs only this command.
    package static func status(
        of command: some SuiteCommand, _ invocation: Invocation? = nil, start: CommandStart
    ) -> ExitStatus {
        let context: CommandContext
        do throws(FileProblem) {
            context = try CommandContext.opened(command.output, start)
        } catch {
            let report = ErrorReport(error)
            report.print(json: command.output.json, colour: command.output.colour(for: .standardError))
            return report.status
        }
        context.log(.info, "begins: \(Environment.commandLine)")
        let began = FileTime.monotonicMilliseconds
        var status = context.ended(execute(command, invocation, context))
        let seconds = Double((FileTime.monotonicMilliseconds - began) / 10) / 100
        if let hooked = command as? any HookedCommand, hooked.runsHooks {
            context.set("TICDS_SECONDS", "\(seconds)")
            status = context.ended(hooked.hooks.run(after: status, context.notes.variables, context))
        }
        context.log(.info, "ends with status \(status.rawValue) after \(seconds) s")
        return context.ended(status)
    }

    /// Executes a command and reports its errors.
    private static func execute(
        _ command: some SuiteCommand, _ invocation: Invocation?, _ context: CommandContext
    ) -> ExitStatus {
        do {
            try DescriptorLimit.prepare()
            return try command.execute(context)
        } catch let error as ValidationError {
            UsageReport(error, of: type(of: command), invocation).end(json: context.json)
        } catch {
            let report = ErrorReport(error)
            context.report(report)
            context.set("TICDS_PROBLEM", report.line)
            return report.status
        }
    }

    /// Ends the process: with 0 after help or the version, with 64 after wrong usage.
    private static func finish(_ invocation: Invocation, _ error: any Error) -> Never {
        let root = invocation.root
        if root.exitCode(for: error).isSuccess {
            let text = HelpText.text(root, error)
            end(printing: text.isEmpty ? "" : text + "\n")
        }
        // Help and the like print outside of a ticds command.
        if let problem = error as? FileProblem { endForFailure(problem) }
        UsageReport(error, of: root, invocation).end(json: asksForJSON)
    }
}

/// The running program, and its arguments.
package struct Invocation: Sendable {
    let root: any ParsableCommand.Type
    let arguments: [String]
}
