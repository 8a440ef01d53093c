import TICDSOperations
package import Base
package import SystemCalls
import SystemPackage
import TICDSStorages

/// The report of an error for people and programs, and its exit status.
package struct ErrorReport: Sendable {
    private let problem: FileProblem?
    private let text: String
    private let kind: String
    /// The exit status of a command that ends with this error.
    package let status: ExitStatus

    /// The report of an error that a command threw.
    package init(_ error: any Error) {
        problem = (error as? FileProblem)?.withVisiblePaths.advisedOnAddress.withoutSecrets
        text = problem?.problem ?? "\(error)"
        kind = problem?.kind.rawValue ?? "other"
        status = problem.map { ExitStatus($0.kind) } ?? (error is CancellationError ? .interrupted : .failed)
    }

    /// The report of wrong usage.
    init(usage text: String) {
        problem = nil
        self.text = StorageSchemes.hidden(in: text)
        kind = "usage"
        status = .usage
    }

    /// Prints the error on standard error: as text, or as one line of JSON.
    func print(json: Bool, colour: Colour = .never) {
        if json { return printJSON() }
        Self.printText("\(line)", colour)
    }

    /// The file concerned; nil if there is none.
    var path: FilePath? { problem?.path }

    /// `PATH: offset N: problem (expected X, found Y). Advice.`
    package var line: String { problem?.description ?? escapedText(text) }

    /// One line of JSON with the schema `ticds.error/1` (ticds-json(5)).
    package var json: String {
        var json = JSONWriter(nil)
        json.value(self, Self.schema)
        return json.text
    }

    /// `ticds.error/1`.
    package static let schema = JSONSchema<ErrorReport>(
        "ticds.error/1", "An error, as one line on standard error, also for wrong usage."
    ) {
        $0("program", "The program that reports it.", { _ in Environment.programName })
        $0("kind", "", as: .names(FileProblem.Kind.allCases.map(\.rawValue) + ["usage", "other"]), \.kind)
        $0("path", "The file concerned.", \.problem?.path)
        $0("offset", "The byte at which the problem appears, from the start of the file.", \.problem?.offset)
        $0("problem", "What is wrong.", \.text)
        $0("expected", "What an intact file contains there.", \.problem?.expected)
        $0("found", "What this one contains.", \.problem?.found)
        $0("advice", "What to do.", \.problem?.advice)
        $0(
            "finding",
            """
            The code of the finding that ticds-verify(1) reports for it, if that is why the command \
            refuses.
            """, as: .orNull(.code), \.problem?.finding)
        $0(
            "exitStatus",
            "The exit status for the error alone. A program that continues after it ends with 5.",
            { Int($0.status.rawValue) })
    }

    func printJSON() { Self.write("\(json)\n") }

    /// - Parameter name: the name of the program, and of its subcommand if that is known.
    static func printText(
        _ text: TerminalText, _ colour: Colour = .never, name: String = Environment.programName
    ) {
        let line: TerminalText = "\(colour.paint("\(name):", .bad)) \(text)"
        let width = Terminal.width(of: .standardError) ?? .max
        let lines = line.raw.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            TerminalText(raw: String($0)).lines(width: width, hanging: 2, isMessage: true)
        }
        // In one call, so that the lines of two programs do not mix.
        write(lines.joined(separator: "\n") + "\n")
    }

    static func write(_ text: TerminalText) {
        let raw = StorageSchemes.hidden(in: text.raw)
        _ = try? FileDescriptor.standardError.writeAll(raw.utf8)  // try?: nothing else can report it
    }
}

extension FileProblem {
    /// The problem; with helpful advice if an argument is an address of rclone and was taken for a local file.
    fileprivate var advisedOnAddress: FileProblem {
        guard self == FileProblem(.noSuchFileOrDirectory, path: path),
            let scheme = StorageSchemes.scheme(of: path.string), CommandLine.arguments.contains(path.string)
        else { return self }
        var problem = self
        problem.advice =
            "Copy it to this machine first: an address of \(scheme.prefix.dropLast()) does not work here"
        return problem
    }

    /// The problem without the options of connection strings, in all texts that repeat an argument.
    fileprivate var withoutSecrets: FileProblem {
        var problem = self
        let shownPath = StorageSchemes.hidden(in: path.string)
        if shownPath != path.string { problem.path = FilePath(shownPath) }
        problem.problem = StorageSchemes.hidden(in: self.problem)
        problem.expected = expected.map(StorageSchemes.hidden)
        problem.found = found.map(StorageSchemes.hidden)
        problem.advice = advice.map(StorageSchemes.hidden)
        return problem
    }
}

extension ExitStatus {
    /// The exit status of a command that ends with a problem of this kind.
    package init(_ kind: FileProblem.Kind) {
        switch kind {
        case .encrypted, .wrongPassword: self = .password
        case .refused: self = .refused
        case .interrupted: self = .interrupted
        default: self = .failed
        }
    }
}

/// Messages that no option suppresses.
package enum Messages {
    /// Prints a line on standard error, after the name of the program; with `--json` as JSON.
    package static func line(_ text: String) {
        if CommandRunner.asksForJSON { json(.info, text) } else { ErrorReport.printText("\(text)") }
    }

    /// The importance of a message.
    enum Level: String, CaseIterable { case info, warning }

    static func json(_ level: Level, _ text: String) {
        var json = JSONWriter(nil)
        json.value((level, StorageSchemes.hidden(in: text)), schema)
        ErrorReport.write("\(json.text)\n")
    }

    /// `ticds.message/1`.
    static let schema = JSONSchema<(level: Level, text: String)>(
        "ticds.message/1", "A message beside the results that is no error, as one line on standard error."
    ) {
        $0("program", "The program that prints it.", { _ in Environment.programName })
        $0("level", "", as: .names(Level.allCases.map(\.rawValue)), { $0.level.rawValue })
        $0("text", "", { $0.text })
    }
}
