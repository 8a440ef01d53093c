public import SystemCalls
import SystemPackage

/// An error as people and programs get to see it, and the exit status that goes with it.
public struct ErrorReport: Sendable {
    private let problem: FileProblem?
    private let text: String
    private let kind: String
    /// The exit status of a command that ends with this error.
    public let status: ExitStatus

    /// The report of an error that a command threw.
    public init(_ error: any Error) {
        guard let problem = error as? FileProblem else {
            self.init(
                problem: nil, text: "\(error)", kind: "other",
                status: error is CancellationError ? .interrupted : .failed)
            return
        }
        self.init(problem)
    }

    /// The report of a problem with a file.
    public init(_ problem: FileProblem) {
        self.init(
            problem: problem, text: problem.problem, kind: problem.kind.rawValue,
            status: ExitStatus(problem.kind))
    }

    /// The report of wrong usage.
    init(usage text: String) { self.init(problem: nil, text: text, kind: "usage", status: .usage) }

    private init(problem: FileProblem?, text: String, kind: String, status: ExitStatus) {
        self.problem = problem
        self.text = text
        self.kind = kind
        self.status = status
    }

    /// Prints the error on standard error: as text, and with `--json` as one line of JSON before it. The log file gets it,
    /// too.
    public func print(_ output: OutputOptions) {
        LogFile.add(.error, line)
        print(json: output.json, colour: output.colour(for: .standardError))
    }

    func print(json: Bool, colour: Colour = .never) {
        if json { printJSON() }
        Self.printText("\(line)", colour)
    }

    /// `PATH: offset N: problem (expected X, found Y). Advice.`
    public var line: String {
        problem?.description ?? escapedText(text)
    }

    /// One line of JSON with the schema `ticds.error/1` (ticds-json(5)).
    public var json: String {
        var json = JSONWriter(nil)
        json.value(self, Self.schema)
        return json.text
    }

    /// `ticds.error/1`.
    public static let schema = JSONSchema<ErrorReport>(
        "ticds.error/1", "An error, as one line on standard error before its text, also for wrong usage."
    ) {
        $0("program", "The program that reports it.", { _ in Environment.programName })
        $0("kind", "", as: .names(FileProblem.Kind.allCases.map(\.rawValue) + ["usage", "other"]), \.kind)
        $0("path", "The file concerned.", \.problem?.path)
        $0("offset", "The byte at which the problem appears, from the start of the file.", \.problem?.offset)
        $0("problem", "What is wrong.", \.text)
        $0("expected", "What a sound file contains there.", \.problem?.expected)
        $0("found", "What this one contains.", \.problem?.found)
        $0("advice", "What to do.", \.problem?.advice)
        $0(
            "finding",
            """
            The code of the finding that ticds-verify(1) reports for it, if that is why the command \
            refuses.
            """,
            as: .orNull(.code), \.problem?.finding)
        $0(
            "exitStatus",
            "The exit status for the error alone. A program that continues after it ends with 5.",
            { Int($0.status.rawValue) })
    }

    func printJSON() { Self.write("\(json)\n") }

    static func printText(_ text: ScreenText, _ colour: Colour = .never) {
        write("\(colour.paint("\(Environment.programName):", .bad)) \(text)\n")
    }

    static func write(_ text: ScreenText) {
        _ = try? FileDescriptor.standardError.writeAll(text.raw.utf8)  // try?: there is nobody else to tell
    }
}

extension ExitStatus {
    /// The exit status of a command that a problem of this kind ends.
    public init(_ kind: FileProblem.Kind) {
        switch kind {
        case .encrypted, .wrongPassword: self = .password
        case .refused: self = .refused
        case .interrupted: self = .interrupted
        default: self = .failed
        }
    }
}
