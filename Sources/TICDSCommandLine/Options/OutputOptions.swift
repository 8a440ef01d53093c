public import ArgumentParser
public import SystemCalls
public import SystemPackage

/// How results and messages are shown; every command has these options.
public struct OutputOptions: ParsableArguments, Sendable {
    @Flag(help: "Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.")
    public var json = false

    @Flag(name: .shortAndLong, help: "Print no warnings and no progress, only results and errors.")
    public var quiet = false

    @Flag(name: .shortAndLong, help: "Print more about what is done.")
    public var verbose = false

    @Option(help: "When to colour text.")
    public var color = ColourChoice.auto

    @Flag(help: "Print times in UTC instead of the local time zone.")
    public var utc = false

    @Flag(help: "Print times as ISO 8601, without their age.")
    public var iso = false

    @Flag(help: "Print exact sizes in bytes.")
    public var bytes = false

    @Flag(name: .customLong("no-pager"), help: "Print long text directly instead of through $PAGER.")
    public var noPager = false

    @Option(
        help: """
            How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a \
            second, or not at all.
            """)
    public var progress: ProgressChoice = .auto

    @Flag(name: .customLong("no-progress"), help: "Print no progress, not even on a terminal.")
    public var noProgress = false

    @Option(
        name: .customLong("log-file"),
        help: ArgumentHelp("Append a record of actions, warnings and errors to a file.", valueName: "file"),
        completion: .file())
    public var logFile: String?

    @Option(name: .customLong("log-format"), help: "The format of the lines in the log file.")
    public var logFormat: LogFormat = .text

    public init() {}

    public func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose contradict each other.") }
        if noProgress, progress == .plain || progress == .json {
            throw ValidationError("--no-progress and --progress \(progress.rawValue) contradict each other.")
        }
    }

    /// Whether text for `descriptor` is painted: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    public func colour(for descriptor: FileDescriptor = .standardOutput) -> Colour {
        switch color {
        case .always: .always
        case .never: .never
        case .auto:
            Environment["NO_COLOR"] == nil && Environment["TERM"] != "dumb" && Terminal.isTerminal(descriptor)
                ? .always : .never
        }
    }

    /// How times and sizes are written.
    var style: TextStyle { TextStyle(isUTC: utc, isISO: iso, hasExactSizes: bytes) }

    /// A buffer in front of standard output, for text.
    public func text() -> OutputBuffer { OutputBuffer(.standardOutput) }

    /// A buffer in front of standard output, for text that may be long: on a terminal it goes through the pager.
    public func longText() -> OutputBuffer {
        OutputBuffer(
            .standardOutput, startsPager: !json && !noPager && Terminal.isTerminal(.standardOutput))
    }

    /// A writer to standard output for one JSON document.
    public func document() -> JSONWriter { JSONWriter(.standardOutput, layout: .indented) }

    /// The same, with the object of a document of `schema` begun.
    public func document(_ schema: String) -> JSONWriter {
        var json = document()
        json.begin(schema)
        return json
    }

    /// A writer to standard output for JSON Lines.
    public func lines() -> JSONWriter { JSONWriter(.standardOutput, layout: .compact) }
}

extension OutputOptions {
    /// Prints one document.
    /// - Throws: `FileProblem` of kind `writeFailed`.
    public func print<Value>(_ value: Value, _ schema: JSONSchema<Value>) throws(FileProblem) {
        var json = document()
        json.document(value, schema)
        try json.flush()
    }
}
