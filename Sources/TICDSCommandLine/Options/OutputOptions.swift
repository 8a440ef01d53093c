package import ArgumentParser
package import Base
package import SystemCalls
package import SystemPackage
import TICDSCore

/// Options for the form of results and messages; every command has them.
package struct OutputOptions: ParsableArguments, Sendable {
    @Flag(help: "Print JSON on standard output (see ticds-json(5)), and errors as JSON on standard error.")
    package var json = false

    @Flag(
        name: .shortAndLong,
        help: "Print no progress, and no messages and warnings if all is well: for cron(8).")
    package var quiet = false

    @Flag(name: .shortAndLong, help: "Print each step.")
    package var verbose = false

    @Option(help: "When to colour text.")
    package var color = ColourChoice.auto

    @Flag(help: "Print times in UTC instead of the local time zone.")
    package var utc = false

    @Flag(help: "Print times as ISO 8601, without their age.")
    package var iso = false

    @Flag(help: "Print exact sizes in bytes.")
    package var bytes = false

    @Flag(help: "Print long text directly instead of through $PAGER.")
    package var noPager = false

    @Option(
        help: """
            How progress is shown: a line on a terminal, a line of text every ten seconds, JSON at most once a \
            second, or not at all.
            """)
    package var progress: ProgressChoice = .auto

    @Flag(help: "Print no progress, not even on a terminal.")
    package var noProgress = false

    @Option(
        help: .value("file", "Append a record of actions, warnings and errors to a file."),
        completion: .file())
    package var logFile: String?

    @Option(help: "The format of the lines in the log file.")
    package var logFormat: LogFormat = .text

    package init() {}

    package func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose contradict each other.") }
        if noProgress, progress == .plain || progress == .json {
            throw ValidationError("--no-progress and --progress \(progress.rawValue) contradict each other.")
        }
    }

    /// Whether text for `descriptor` is painted: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    func colour(for descriptor: FileDescriptor = .standardOutput) -> Colour {
        switch color {
        case .always: .always
        case .never: .never
        case .auto: .automatic(for: descriptor)
        }
    }

    /// The style of times and sizes.
    var style: TextStyle { TextStyle(isUTC: utc, isISO: iso, hasExactSizes: bytes) }
}

/// The choice of when text is coloured.
package enum ColourChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto, always, never
}

/// The form of progress reports.
package enum ProgressChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// A line that changes, on a terminal only.
    case auto
    /// A line of text every ten seconds.
    case plain
    /// A line of JSON at most once a second.
    case json
    case none
}

/// The form of the lines of a log file.
package enum LogFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text, json
}

extension ArgumentHelp {
    /// Help for an option or argument with a value; the synopsis calls the value `name`.
    package static func value(_ name: String, _ text: String) -> ArgumentHelp {
        ArgumentHelp("\(text)", valueName: name)
    }
}

/// The time to wait for another program that changes the remote.
package struct LockWaitOptions: ParsableArguments, Sendable {
    @Option(
        help: .value(
            "duration",
            "Wait this long, such as 30s, for another program of the suite that is changing the remote."))
    package var lockWait: DurationArgument?

    package init() {}

    /// The time in seconds; 0 by default.
    package var seconds: Int64 { lockWait?.seconds ?? 0 }
}
