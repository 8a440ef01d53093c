public import ArgumentParser
public import SystemPackage

/// When text is painted.
public enum ColourChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto, always, never
}

/// How results and messages are shown; every command has these options.
public struct OutputOptions: ParsableArguments, Sendable {
    @Flag(help: "Print JSON on standard output (see ticds-json(5)); errors are JSON, too, on standard error.")
    public var json = false

    @Flag(name: .shortAndLong, help: "Print no warnings and no progress, only results and errors.")
    public var quiet = false

    @Flag(name: .shortAndLong, help: "Print more about what is done.")
    public var verbose = false

    @Option(help: "Paint text for a terminal.")
    public var color = ColourChoice.auto

    @Flag(name: .customLong("no-progress"), help: "Print no progress, not even on a terminal.")
    public var noProgress = false

    public init() {}

    public func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose contradict each other.") }
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

    /// A buffer in front of standard output, for text.
    public func text() -> OutputBuffer { OutputBuffer(.standardOutput) }

    /// A writer to standard output for one JSON document.
    public func document() -> JSONWriter { JSONWriter(.standardOutput, layout: .indented) }

    /// A writer to standard output for JSON Lines.
    public func lines() -> JSONWriter { JSONWriter(.standardOutput, layout: .compact) }

    /// Whether a progress line is wanted and can be shown.
    public var showsProgress: Bool { !quiet && !noProgress && !json && Terminal.isTerminal(.standardError) }
}
